#!/usr/bin/env python3
"""Word benchmarks: the program beside python-docx, in one run, as ratios.

    cargo build --release -p docwright && python3 benches/word/run.py [PARAGRAPHS...]

Every step is a process of its own or a call on a warm MCP session; times are CPU seconds (user + system)
of the process that did the work, peak memory is its largest resident set.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import venv

from generate import write

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = pathlib.Path(os.environ.get("DOCWRIGHT", ROOT / "target/release/docwright"))
CACHE = pathlib.Path(os.environ.get("DOCWRIGHT_CACHE", pathlib.Path.home() / ".cache/docwright")) / "bench-word"

PEER = """
import resource, sys, time
import docx
def cpu(): return time.process_time()
path, out = sys.argv[1], sys.argv[2]
marks = {}
start = cpu(); document = docx.Document(path); marks['open'] = cpu() - start
start = cpu(); paragraphs = document.paragraphs; [p.text for p in paragraphs[:200]]; marks['first page'] = cpu() - start
start = cpu()
run = next(r for r in paragraphs[2000 % len(paragraphs)].runs if 'Mark' in r.text); run.text = ' Changed'
marks['one edit'] = cpu() - start
start = cpu(); sum('Mark77x' in p.text for p in paragraphs); marks['grep'] = cpu() - start
start = cpu(); document.save(out); marks['save'] = cpu() - start
start = cpu()
for p in paragraphs[:1000]:
    for r in p.runs:
        if 'Mark' in r.text: r.text = ' Batch'
marks['1,000 edits'] = cpu() - start
start = cpu(); document.save(out); marks['save again'] = cpu() - start
marks['peak MB'] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(__import__('json').dumps(marks))
"""


def peer_python():
    home = CACHE / "venv"
    if not (home / "bin/python").exists():
        venv.create(home, with_pip=True)
        subprocess.run([home / "bin/pip", "install", "-q", "python-docx==1.2.0"], check=True)
    return home / "bin/python"


class Session:
    """An MCP session over stdio that knows the CPU time of the server."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [BINARY, "mcp", "--tools", "word", "--root", folder, "--state-dir", os.path.join(folder, "state")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.last = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.last:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024

    def call(self, tool, **arguments):
        before, start = self.cpu(), time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            sys.exit(f"{tool}: {result['content'][0]['text']}")
        # The kernel counts CPU in hundredths of a second; short calls are better told by the clock.
        cpu, wall = self.cpu() - before, time.perf_counter() - start
        return result["content"][0]["text"], (cpu if cpu >= 0.05 else wall)


def ours(path, out):
    folder = os.path.dirname(path)
    session = Session(folder)
    marks = {}
    page, took = session.call("read_file", file_path=path, limit=200, format="json")
    marks["open + first page"] = took
    page = json.loads(page)
    handle = page["session_id"]
    target = json.loads(session.call("read_file", session_id=handle, offset=2001, limit=1, format="json")[0])["nodes"][0]
    word = next(word for word in target["text"].split() if word.startswith("Mark"))
    _, marks["one edit"] = session.call("smart_edit", session_id=handle, target_paragraph_id=target["id"], old_string=word, new_string="Changed")
    _, marks["grep"] = session.call("grep", session_id=handle, patterns=["Mark77x"])
    _, marks["save"] = session.call("save", session_id=handle, output_path=out, overwrite=True)
    nodes = json.loads(session.call("read_file", session_id=handle, limit=1000, format="json")[0])["nodes"]
    edits = []
    for node in nodes:
        word = next((word for word in node["text"].split() if word.startswith("Mark")), None)
        if word:
            edits.append({"op": "replace", "paragraph_id": node["id"], "old_string": word, "new_string": "Batch"})
    while len(nodes) < 1000 and nodes:
        more = json.loads(session.call("read_file", session_id=handle, offset=len(nodes) + 1, limit=1000 - len(nodes), format="json")[0])["nodes"]
        if not more:
            break
        nodes += more
        for node in more:
            word = next((word for word in node["text"].split() if word.startswith("Mark")), None)
            if word:
                edits.append({"op": "replace", "paragraph_id": node["id"], "old_string": word, "new_string": "Batch"})
    _, marks[f"{len(edits)} edits in one batch"] = session.call("batch_edit_docx", session_id=handle, edits=edits)
    _, marks["save again"] = session.call("save", session_id=handle, output_path=out, overwrite=True)
    marks["peak MB"] = session.peak()
    session.process.stdin.close()
    session.process.wait()
    return marks


def cold(path, out, track):
    """Open, one edit and save as one command."""
    arguments = [BINARY, "word", "edit", path, "--old", "Mark2000x", "--new", "Changed", "-o", out]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments + (["--track"] if track else []), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    sizes = [int(size) for size in sys.argv[1:]] or [5_000, 50_000]
    python = peer_python()
    for size in sizes:
        folder = tempfile.mkdtemp()
        path, out = os.path.join(folder, "big.docx"), os.path.join(folder, "out.docx")
        write(path, size)
        peer = json.loads(subprocess.run([python, "-c", PEER, path, out], check=True, capture_output=True, text=True).stdout)
        mine = ours(path, out)
        print(f"\n{size:,} paragraphs                      docwright    python-docx   ratio")

        def row(name, a, b):
            ratio = f"{b / a:8.1f}" if a and b else "       –"
            print(f"{name:38} {a * 1000:8.1f} ms {b * 1000 if b else 0:10.1f} ms {ratio}")

        row("open + first page", mine["open + first page"], peer["open"] + peer["first page"])
        row("one edit, open session", mine["one edit"], peer["one edit"])
        row("grep", mine["grep"], peer["grep"])
        row("save after one edit", mine["save"], peer["save"])
        row("edit + save, open session", mine["one edit"] + mine["save"], peer["one edit"] + peer["save"])
        batch = next(name for name in mine if name.endswith("in one batch"))
        row(batch, mine[batch], peer["1,000 edits"])
        row("save after the batch", mine["save again"], peer["save again"])
        whole = peer["open"] + peer["one edit"] + peer["save"]
        row("open + edit + save, one command", cold(path, out, False), whole)
        row("the same, tracked", cold(path, out, True), 0)
        print(f"{'peak memory':38} {mine['peak MB']:8.0f} MB {peer['peak MB']:10.0f} MB {peer['peak MB'] / mine['peak MB']:8.1f}")


if __name__ == "__main__":
    main()
