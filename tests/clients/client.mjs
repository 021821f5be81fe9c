// The second TypeScript SDK: node client.mjs stdio|http TARGET ROOT legacy|auto|REVISION
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { converse } from "./conversation.mjs";

const [kind, target, root, mode] = process.argv.slice(2);
const transport =
  kind === "stdio"
    ? new StdioClientTransport({ command: target, args: ["mcp", "--tools", "all", "--root", root] })
    : new StreamableHTTPClientTransport(new URL(target));
const negotiation = mode === "legacy" || mode === "auto" ? mode : { pin: mode };
const client = new Client(
  { name: "docwright-tests", version: "1" },
  { versionNegotiation: { mode: negotiation } },
);
await client.connect(transport);
const revision = client.getNegotiatedProtocolVersion?.();
if (revision && mode !== "auto") assert.equal(revision, mode === "legacy" ? "2025-11-25" : mode);
await converse(client, root, `client-${kind}-${mode}`);
await client.close();
console.log(`client ${kind} ${mode}: ok (${revision})`);
