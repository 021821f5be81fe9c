#!/usr/bin/env python3
"""A mixed load: many open sessions, many live streams, for two minutes. No error, quick answers, steady memory.

    tests/http/load.py PATH/TO/docwright [--sessions 1000] [--streams 200] [--seconds 120]

Prints p50, p95 and p99 of each kind of request beside a tenth of the time that the contract allows, and the memory of
the server at the beginning and the end. Loopback only. Without a model the streams follow answers of the built-in
planner, each begun and followed to its end, so that there are always so many open.
"""

import argparse
import http.client
import json
import pathlib
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from server import TOP, Api, Refused, serve

# A tenth of what the contract allows for 95 % of requests, in seconds.
ALLOWED = {"chat": 0.2, "execute": 0.5, "document": 0.1, "mcp": 0.3, "session": 0.3, "health": 0.3, "stream": 0.2}


class Times:
    def __init__(self):
        self.lock, self.taken, self.failed = threading.Lock(), {}, []

    def run(self, kind, call):
        begun = time.perf_counter()
        try:
            answer = call()
        except Exception as error:  # noqa: BLE001: whatever it is, it is counted and shown
            with self.lock:
                self.failed.append(f"{kind}: {error!r}"[:300])
            return None
        with self.lock:
            self.taken.setdefault(kind, []).append(time.perf_counter() - begun)
        return answer


def memory(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def work(base, tokens, times, end, seed):
    chance, api = random.Random(seed), Api(base)
    while time.monotonic() < end:
        number = chance.randrange(len(tokens))
        api.token, document = tokens[number], f"notes-{number % 50}.md"
        kind = chance.choices(["health", "mcp", "document", "change", "execute", "session"], [3, 3, 4, 2, 3, 1])[0]
        if kind == "health":
            times.run("health", lambda: api("GET", "/health"))
        elif kind == "mcp":
            times.run("mcp", lambda: api("GET", "/mcp/status"))
        elif kind == "document":
            times.run("document", lambda: api("GET", f"/document/context/{document}"))
        elif kind == "execute":
            call = {"tool_name": "workspace_get_info", "parameters": {}}
            times.run("execute", lambda: api("POST", "/mcp/tools/execute", call))
        elif kind == "session":
            made = times.run("session", lambda: api("POST", "/session/create", {"user_id": "load"}))
            if made:
                api.token = made["session_token"]
                times.run("session", lambda: api("DELETE", f"/session/{made['session_id']}"))
        else:
            times.run("document", lambda: changed(api, document))
        time.sleep(chance.uniform(0, 0.05))


def changed(api, document):
    change = {"type": "replace", "position": {"text": "word-1 "}, "content": "word-1 "}
    try:
        return api("POST", "/document/apply-changes", {"document_id": document, "changes": [change]})
    except Refused as refused:
        if refused.status != 409:
            raise
        return refused.body


def follow(base, token, times, end, opened):
    """One stream after the other; the last ones are kept open to the end."""
    api, address = Api(base, token), urllib.parse.urlsplit(base)
    while time.monotonic() < end:
        sent = times.run("chat", lambda: api("POST", "/chat/send", {"message": "What can you do?", "stream": True}))
        if not sent:
            time.sleep(1)
            continue
        begun = time.perf_counter()
        connection = http.client.HTTPConnection(address.netloc, timeout=60)
        connection.request("GET", f"{address.path}/chat/stream/{sent['response_id']}")
        answer = connection.getresponse()
        if answer.status != 200:
            times.failed.append(f"stream: {answer.status}")
            continue
        opened.append(1)
        times.taken.setdefault("stream", []).append(time.perf_counter() - begun)
        while answer.readline():
            pass
        connection.close()
        time.sleep(1)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binary")
    options.add_argument("--sessions", type=int, default=1000)
    options.add_argument("--streams", type=int, default=200)
    options.add_argument("--workers", type=int, default=16)
    options.add_argument("--seconds", type=float, default=120)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        docs, state = pathlib.Path(folder) / "docs", pathlib.Path(folder) / "state"
        docs.mkdir()
        state.mkdir()
        for number in range(50):
            (docs / f"notes-{number}.md").write_text("".join(f"Paragraph {n} of some words: word-{n} and more.\n\n" for n in range(50)))
        shutil.copy(TOP / "samples/contract.docx", docs)
        wide = [option for kind in ("chat", "execute", "document", "mcp", "session", "other") for option in ("--rate", f"{kind}=10000000")]
        with serve(options.binary, docs, state, "--auto-approve", *wide) as (base, process):
            raise SystemExit(measure(base, process, options))


def measure(base, process, options):
    api = Api(base)
    tokens = [api("POST", "/session/create", {"user_id": f"load {n}"})["session_token"] for n in range(options.sessions)]
    print(f"{options.sessions} sessions open, {memory(process)} kB")
    times, opened = Times(), []
    end = time.monotonic() + options.seconds
    threads = [threading.Thread(target=work, args=(base, tokens, times, end, n)) for n in range(options.workers)]
    threads += [threading.Thread(target=follow, args=(base, tokens[n % len(tokens)], times, end, opened)) for n in range(options.streams)]
    for thread in threads:
        thread.start()
    sizes = []
    while time.monotonic() < end:
        time.sleep(min(5, options.seconds / 8))
        sizes.append(memory(process))
    for thread in threads:
        thread.join()
    bad = len(times.failed)
    for kind, taken in sorted(times.taken.items()):
        cuts = statistics.quantiles(taken, n=100) if len(taken) > 1 else taken * 99
        over = cuts[94] > ALLOWED[kind]
        bad += over
        print(f"{kind:9} {len(taken):7} requests  p50 {cuts[49] * 1000:7.1f} ms  p95 {cuts[94] * 1000:7.1f} ms  p99 {cuts[98] * 1000:7.1f} ms"
              f"  allowed p95 {ALLOWED[kind] * 1000:.0f} ms{'  MISSED' if over else ''}")
    half = len(sizes) // 2
    print(f"{len(opened)} streams followed; memory kB, in turn: {sizes}")
    if half > 1 and max(sizes[half:]) > 1.2 * max(sizes[:half]):
        bad += 1
        print("memory grew in the second half")
    for failure in times.failed[:10]:
        print(failure)
    print(f"{len(times.failed)} errors")
    return 1 if bad else 0


if __name__ == "__main__":
    main()
