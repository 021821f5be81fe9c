"""A server with as many trivial tools as it is told, on the Python SDK."""

import sys

from mcp.server import MCPServer

server = MCPServer("peer")


def trivial(windowId: str | None = None) -> str:
    """Does next to nothing."""
    return "{}"


for number in range(int(sys.argv[1])):
    server.add_tool(trivial, name=f"tool_{number}", title="A tool")

server.run()
