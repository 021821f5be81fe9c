#!/usr/bin/env python3
"""Word documents: this program beside python-docx and a Word MCP server, in one run. See README.md.

    python3 benches/word/run.py [PARAGRAPHS...] [--rounds N] [--no-server] [--wall]
"""
import argparse
import json
import os
import pathlib
import resource
import selectors
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
PEERS = TOP / "target/bench-word/venv"
PACKAGES = ["python-docx==1.2.0", "office-word-mcp-server==1.1.11"]
PATIENCE = 900
# In the number of a clock, behind the process: its own time, as precise as the scheduler has it.
PROCESS_CLOCK = 2


def program():
    """The release binary, built unless DOCWRIGHT names another one."""
    if given := os.environ.get("DOCWRIGHT"):
        return pathlib.Path(given).resolve()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "docwright"], cwd=TOP, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target"))
    return target / "release" / ("docwright.exe" if os.name == "nt" else "docwright")


def peers():
    if not (PEERS / "ready").exists():
        venv.create(PEERS, with_pip=True, clear=True)
        subprocess.run([PEERS / "bin/pip", "install", "-q", "--disable-pip-version-check", *PACKAGES], check=True)
        (PEERS / "ready").write_text("\n".join(PACKAGES))
    return PEERS / "bin"


class Spent:
    """Seconds of processor and of the clock."""

    def __init__(self, cpu, wall):
        self.cpu, self.wall = cpu, wall

    def __add__(self, other):
        return Spent(self.cpu + other.cpu, self.wall + other.wall)


def middle(many):
    return Spent(statistics.median(one.cpu for one in many), statistics.median(one.wall for one in many))


class Session:
    """An MCP session over stdio, with the processor time and the peak memory of the server."""

    def __init__(self, command, folder, environment=None):
        self.log = open(os.path.join(folder, "server.log"), "w")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, cwd=folder,
            env={**os.environ, **(environment or {})},
        )
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.last = 0
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def line(self):
        if not self.selector.select(PATIENCE):
            sys.exit(f"no answer in {PATIENCE} seconds")
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the server ended; see {self.log.name}")
        return line

    def ask(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while True:
            try:
                answer = json.loads(self.line())
            except json.JSONDecodeError:
                # Some servers print to the stream that is for messages alone.
                continue
            if answer.get("id") == self.last:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]

    def cpu(self):
        """Of all its threads, also of those that have ended, as the scheduler counts them."""
        return time.clock_gettime(~self.process.pid << 3 | PROCESS_CLOCK)

    def peak(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024

    def call(self, tool, **arguments):
        before, start = self.cpu(), time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        wall, cpu = time.perf_counter() - start, self.cpu() - before
        text = result["content"][0]["text"]
        if result.get("isError"):
            sys.exit(f"{tool}: {text}")
        return text, Spent(cpu, wall)

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


def in_turns(contestants, rounds):
    """What each of them needs, the middle of `rounds`. They take turns, so that all have the same good and bad moments
    of the machine."""
    many = [[] for _ in contestants]
    for _ in range(rounds):
        for one, marks in zip(contestants, many):
            marks.append(one())
    return [middles(marks) for marks in many]


def middles(many):
    steps = [step for step in many[0] if step != "peak"]
    peak = max(marks["peak"] for marks in many)
    return {step: middle([marks[step] for marks in many]) for step in steps} | {"peak": peak}


def ours(binary, path):
    """The steps in one session of the MCP server."""
    with tempfile.TemporaryDirectory() as folder:
        marks, peak = one_session(binary, shutil.copy(path, folder), folder)
    return marks | {"peak": peak}


def one_session(binary, path, folder):
    command = [binary, "mcp", "--alone", "--tools", "word", "--root", folder, "--state-dir", os.path.join(folder, "state")]
    session = Session(command, folder)
    marks = {}

    def call(tool, **arguments):
        text, spent = session.call(tool, **arguments)
        return json.loads(text), spent

    def page(offset, limit):
        return call("read_file", session_id=handle, offset=offset, limit=limit, format="json")[0]["nodes"]

    def marked(node):
        return next((word for word in node["text"].split() if word.startswith("Mark")), None)

    def edit(node, old, new, track="off"):
        return call(
            "smart_edit", session_id=handle, target_paragraph_id=node["id"], old_string=old, new_string=new, track=track
        )[1]

    first, marks["open + first page"] = call("read_file", file_path=path, limit=100, format="json")
    handle = first["session_id"]
    target = page(2001, 1)[0]
    _, marks["grep"] = call("grep", session_id=handle, patterns=["Mark77x"])
    marks["one edit"] = edit(target, marked(target), "Changed")
    _, marks["save clean"] = call("save", session_id=handle)
    # Each round edits a paragraph somewhere else and saves over the file it was read from.
    cycles = []
    for number in range(9):
        node = page(100 + number * (first["total_paragraphs"] // 10), 1)[0]
        if old := marked(node):
            changed = edit(node, old, f"Round{number}")
            cycles.append(changed + call("save", session_id=handle)[1])
    marks["edit + save, open session"] = middle(cycles)
    node = page(3001, 1)[0]
    edit(node, marked(node), "Tracked", track="on")
    _, marks["save tracked"] = call("save", session_id=handle)
    nodes, edits = [], []
    while len(edits) < 1000:
        more = page(len(nodes) + 1, 100)
        if not more:
            break
        nodes += more
        edits += [
            {"op": "replace", "paragraph_id": node["id"], "old_string": marked(node), "new_string": "Batch"}
            for node in more if marked(node)
        ]
    edits = edits[:1000]
    _, marks["1,000 edits in one batch"] = call("batch_edit_docx", session_id=handle, edits=edits)
    _, marks["save after the batch"] = call("save", session_id=handle)
    memory = session.peak()
    session.close()
    return marks, memory


def command(arguments):
    """One process: what it spent, and its peak memory."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{arguments} failed")
    return Spent(usage.ru_utime + usage.ru_stime, wall), usage.ru_maxrss / 1024


def ours_cold(binary, path):
    """Open, one edit and save as one command."""
    marks, peak = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.docx")
        for step, more in [("open + edit + save", []), ("open + edit + save, tracked", ["--track"])]:
            edit = ["word", "edit", path, "--old", "Mark2000x", "--new", "Changed", "-o", out]
            marks[step], memory = command([binary, *edit, *more])
            peak = max(peak, memory)
    return marks | {"peak": peak}


def python_docx(bin_folder, path):
    with tempfile.TemporaryDirectory() as folder:
        arguments = [bin_folder / "python", HERE / "peer.py", path, os.path.join(folder, "out.docx")]
        said = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
    return {step: marks if step == "peak" else Spent(*marks) for step, marks in said.items()}


def word_server(bin_folder, path):
    """A server that opens the file for each call, changes it and saves it."""
    marks = {}
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(path, folder)
        session = Session([bin_folder / "word_mcp_server"], folder, {"MCP_TRANSPORT": "stdio"})
        _, marks["open + first page"] = session.call("get_paragraph_text_from_document", filename=path, paragraph_index=0)
        _, marks["grep"] = session.call("find_text_in_document", filename=path, text_to_find="Mark77x")
        answer, marks["open + edit + save"] = session.call(
            "search_and_replace", filename=path, find_text="Mark2000x", replace_text="Changed"
        )
        if "Replaced 1" not in answer:
            sys.exit(f"search_and_replace: {answer}")
        # It keeps nothing open, so an edit in a session is the same work.
        marks["edit + save, open session"] = marks["open + edit + save"]
        marks["peak"] = session.peak()
        session.close()
    return marks


STEPS = [
    "open + first page", "one edit", "grep", "save clean", "save tracked", "1,000 edits in one batch",
    "save after the batch", "edit + save, open session", "open + edit + save", "open + edit + save, tracked",
]


def table(size, kind, mine, docx, server):
    clock = {"cpu": "processor time", "wall": "by the clock"}[kind]
    print(f"\n### {size:,} paragraphs, {clock}\n")
    print("| step | docwright | python-docx | ratio | office-word-mcp-server | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    for step in STEPS:
        cells = [getattr(marks[step], kind) if step in marks else None for marks in (mine, docx, server)]
        row(step, cells, lambda value: f"{value * 1000:,.1f} ms" if value < 1 else f"{value * 1000:,.0f} ms")
    row("peak memory", [marks.get("peak") for marks in (mine, docx, server)], lambda value: f"{value:,.0f} MB")


def row(name, cells, shown):
    own, *others = cells
    columns = [shown(own) if own else "–"]
    for other in others:
        columns += [shown(other) if other else "–", f"{other / own:,.1f}×" if other and own else "–"]
    print(f"| {name} | " + " | ".join(columns) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", type=int, nargs="*", default=[5_000, 50_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-server", action="store_true", help="leave out the other MCP server")
    options = parser.parse_args()
    binary, bin_folder = program(), peers()
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{version}; {', '.join(PACKAGES)}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "big.docx")
            # In a process of its own: what a child takes for its peak memory begins with ours.
            subprocess.run([sys.executable, HERE / "generate.py", path, str(size)], check=True)
            contestants = [
                lambda: ours(binary, path), lambda: ours_cold(binary, path), lambda: python_docx(bin_folder, path)
            ]
            mine, cold, docx = in_turns(contestants, options.rounds)
            mine = mine | cold | {"peak": max(mine["peak"], cold["peak"])}
            server = {} if options.no_server else word_server(bin_folder, path)
            for kind in ("cpu", "wall"):
                table(size, kind, mine, docx, server)


if __name__ == "__main__":
    main()
