// What every client does with the server, whatever library it is written with.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const text = (result) => result.content[0].text;

export async function converse(client, root, marker) {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  assert.deepEqual(names, [...names].sort(), "tools are sorted");
  assert.ok(names.includes("workspace_open_document"), "the documents can be opened");
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, "object", tool.name);
    assert.equal(typeof tool.annotations.readOnlyHint, "boolean", tool.name);
  }

  const opened = await client.callTool({ name: "workspace_open_document", arguments: { path: "letter.txt" } });
  const windowId = opened.structuredContent.windowId;
  assert.equal(opened.structuredContent.title, "letter.txt");

  const info = await client.callTool({ name: "workspace_get_document_info", arguments: { windowId } });
  assert.equal(info.structuredContent.wordCount, 4);
  assert.deepEqual(JSON.parse(text(info)), info.structuredContent, "text and structured content agree");

  const path = `copy-${marker}.txt`;
  const saved = await client.callTool({ name: "workspace_save_document_as", arguments: { path, windowId } });
  assert.notEqual(saved.isError, true, text(saved));
  assert.equal(readFileSync(join(root, path), "utf8"), "Dear Sir or Madam");

  const wrong = await client.callTool({ name: "workspace_open_document", arguments: { pth: "x" } });
  assert.equal(wrong.isError, true);
  assert.match(text(wrong), /^INVALID_ARGUMENT: .*did you mean `path`\?/s);
  await assert.rejects(client.callTool({ name: "workspace_open_documnet", arguments: {} }), /Did you mean workspace_open_document/);

  const { prompts } = await client.listPrompts();
  assert.ok(prompts.some((prompt) => prompt.name === "careful_edit"));
  const prompt = await client.getPrompt({ name: "careful_edit", arguments: { path: "a.docx", request: "Fix it" } });
  assert.match(prompt.messages[0].content.text, /a\.docx/);

  const { resources } = await client.listResources();
  assert.ok(resources.some((resource) => resource.uri === "docwright://guide"));
  const guide = await client.readResource({ uri: "docwright://guide" });
  assert.match(guide.contents[0].text, /^# Working with Docwright/);
  await assert.rejects(client.readResource({ uri: "docwright://nothing" }));
}
