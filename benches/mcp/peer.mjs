// A server with as many trivial tools as it is told, on the TypeScript SDK.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "peer", version: "1" });
for (let number = 0; number < Number(process.argv[2]); number++) {
  server.registerTool(
    `tool_${number}`,
    { title: "A tool", description: "Does next to nothing.", inputSchema: { windowId: z.string().optional() } },
    async () => ({ content: [{ type: "text", text: "{}" }] }),
  );
}
await server.connect(new StdioServerTransport());
