#!/usr/bin/env python3
"""The smallest agent there is: opens a document, makes one tracked change where the text stands, and saves.

    python3 agent.py DOCUMENT 'old text' 'new text'

A real one would let a model choose the calls; what it sends and gets is the same.
"""
import json
import pathlib
import subprocess
import sys


class Docwright:
    """A server of our own, spoken to in lines of JSON."""

    def __init__(self, folder):
        command = ["docwright", "mcp", "--alone", "--root", str(folder), "--policy", "word=track", "--author", "Agent"]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "agent.py", "version": "1"}}
        self.ask("initialize", client)
        self.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tell(self, message):
        self.server.stdin.write(json.dumps(message) + "\n")
        self.server.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.tell({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        for line in self.server.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer["result"]
        sys.exit("the server is gone")

    def call(self, tool, **arguments):
        """What the tool says, for the model to read; whether it was refused."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return result["content"][0]["text"], result.get("isError", False)

    def close(self):
        self.server.stdin.close()
        self.server.wait()


def main():
    document, old, new = sys.argv[1:]
    path = pathlib.Path(document).resolve()
    docwright = Docwright(path.parent)
    tools = docwright.ask("tools/list", {})["tools"]
    print("it can edit Word documents:", any(tool["name"] == "smart_edit" for tool in tools))

    page, _ = docwright.call("read_file", file_path=str(path))
    row = next(line for line in page.splitlines() if old in line)
    paragraph = row.split(" | ")[0]
    print(f"it stands in {paragraph}")

    for wanted in ("no such words", old):
        said, refused = docwright.call("smart_edit", file_path=str(path), target_paragraph_id=paragraph, old_string=wanted, new_string=new)
        print("refused:" if refused else "done:", said if refused else json.loads(said)["edits"][0]["after"])
    receipt, _ = docwright.call("save", file_path=str(path))
    print("saved, with tracked changes by", json.loads(receipt)["tracked_changes"])
    docwright.close()


if __name__ == "__main__":
    main()
