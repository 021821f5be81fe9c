"""A client for the Markdown tools of the binary, over stdio."""

import json
import os
import subprocess


class Client:
    def __init__(self, binary, root, tools="all", approve=True):
        args = [binary, "mcp", "--alone", "--tools", tools, "--root", root]
        if approve:
            args.append("--auto-approve")
        env = dict(os.environ, XDG_STATE_HOME=os.path.join(root, ".state"))
        self.process = subprocess.Popen(
            args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self.number = self.calls = self.failed = self.bytes = 0
        self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "proof", "version": "1"},
        })
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def call(self, name, **arguments):
        """(text, facts, failed) of a call."""
        self.calls += 1
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            self.failed += 1
            return answer["error"]["message"], None, True
        result = answer["result"]
        text = "".join(part.get("text", "") for part in result["content"])
        self.bytes += len(text) + len(json.dumps(arguments))
        failed = bool(result.get("isError"))
        self.failed += failed
        return text, result.get("structuredContent"), failed

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)
