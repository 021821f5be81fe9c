"""The Python SDK: python python_client.py stdio|http TARGET ROOT legacy|auto|REVISION"""

import asyncio
import json
import pathlib
import sys

from mcp import Client, MCPError, StdioServerParameters

kind, target, root, mode = sys.argv[1:]


def text(result):
    return result.content[0].text


async def main():
    server = target
    if kind == "stdio":
        server = StdioServerParameters(command=target, args=["mcp", "--tools", "all", "--root", root])
    async with Client(server, mode=mode) as client:
        if mode in ("auto", "legacy"):
            assert client.server_info.name == "docwright", client.server_info
            assert client.instructions.startswith("Docwright"), client.instructions
        else:
            # A pinned revision is used without asking the server who it is.
            assert client.protocol_version == mode, client.protocol_version

        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == sorted(names), names
        assert "workspace_open_document" in names, names

        opened = await client.call_tool("workspace_open_document", {"path": "letter.txt"})
        window = opened.structured_content["windowId"]
        info = await client.call_tool("workspace_get_document_info", {"windowId": window})
        assert info.structured_content["wordCount"] == 4, info
        assert json.loads(text(info)) == info.structured_content, info

        path = f"copy-python-{kind}-{mode}.txt"
        saved = await client.call_tool("workspace_save_document_as", {"path": path, "windowId": window})
        assert not saved.is_error, saved
        assert (pathlib.Path(root) / path).read_text() == "Dear Sir or Madam"

        wrong = await client.call_tool("workspace_open_document", {"pth": "x"})
        assert wrong.is_error and text(wrong).startswith("INVALID_ARGUMENT: "), wrong
        assert "did you mean `path`?" in text(wrong), wrong
        try:
            await client.call_tool("workspace_open_documnet", {})
        except MCPError as error:
            assert "Did you mean workspace_open_document" in str(error), error
        else:
            raise AssertionError("an unknown tool was called")

        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert "careful_edit" in prompts, prompts
        prompt = await client.get_prompt("careful_edit", {"path": "a.docx", "request": "Fix it"})
        assert "a.docx" in prompt.messages[0].content.text, prompt

        guide = await client.read_resource("docwright://guide")
        assert guide.contents[0].text.startswith("# Working with Docwright"), guide
        print(f"python {kind} {mode}: ok ({client.protocol_version})")


asyncio.run(main())
