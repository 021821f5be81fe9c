// The first TypeScript SDK: node sdk.mjs stdio|http TARGET ROOT
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { converse } from "./conversation.mjs";

const [kind, target, root] = process.argv.slice(2);
const transport =
  kind === "stdio"
    ? new StdioClientTransport({ command: target, args: ["mcp", "--tools", "all", "--root", root] })
    : new StreamableHTTPClientTransport(new URL(target));
const client = new Client({ name: "docwright-tests", version: "1" });
await client.connect(transport);
assert.equal(client.getServerVersion().name, "docwright");
assert.match(client.getInstructions(), /^Docwright/);
await client.ping();
await converse(client, root, `sdk-${kind}`);
await client.close();
console.log(`sdk ${kind}: ok`);
