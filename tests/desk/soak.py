#!/usr/bin/env python3
"""All tools for a quarter of an hour: memory, handles, threads, journal and times stay where they were.

    python3 tests/desk/soak.py BINARY [--minutes 15] [--seats 20] [--clients 6] [--corpus ../shared/corpus]

Clients come and go over stdio and HTTP, open and close copies of the samples and of the corpus, and call every tool with
plausible and with wrong arguments, by the names and schemas that `tools/list` gives. Suggestions pile up and are
decided, documents are saved. Every ten seconds the desk is looked at (or `serve`, where there is no desk). Whatever
answers with an internal error, panics, or does not answer in time is wrong, and so is what grows: the last third may
exceed the first one after the warm-up by 15 %, or by a little. Exits with 1 if anything was wrong.
"""
import argparse
import collections
import itertools
import os
import pathlib
import random
import shutil
import threading
import time

from arguments import Known, plausible, wrong
from client import SAMPLES, TOP, Gone, Late, Place, Refused, Verdict, handles, latency, memory, quantile, threads

# What may grow in spite of the 15 %, because it is little: kilobytes, handles, threads, bytes.
SMALL = {"resident": 24 << 10, "handles": 40, "threads": 8, "journal": 4 << 20, "p99": 30}
HANG = 60


class Soak:
    def __init__(self, place, verdict, given):
        self.place, self.verdict, self.until = place, verdict, time.monotonic() + given.minutes * 60
        self.counts, self.codes, self.lock = collections.Counter(), collections.Counter(), threading.Lock()
        self.times, self.samples, self.paths, self.numbers = [], [], [], itertools.count()
        keep = ["--desk-seats", str(given.seats)] if given.seats else []
        self.address, self.server = place.serve(approve=False, more=["--agents-may-accept", *keep])
        self.sources = sources(given.corpus)
        self.refill()

    def watched(self):
        desks = self.place.desks()
        return desks[0] if desks else self.server.pid

    def refill(self):
        """Fresh copies, so that documents do not grow without end."""
        for number, source in enumerate(self.sources):
            target = self.place.root / f"{number:02}-{source.name.replace(' ', '_')}"
            shutil.copy(source, target)
            target.chmod(0o644)
            self.paths.append(target.name)

    def client(self, chance):
        """A new caller, and what it knows: half of them stage Markdown edits, and decide on their own."""
        number = next(self.numbers)
        # Without a desk a stdio process is watched by nobody, so only a few are started.
        if chance.random() < (0.5 if self.place.has_desk else 0.1):
            approve = chance.random() < 0.5
            more = [] if approve else ["--agents-may-accept"]
            client = self.place.stdio(name=f"stdio{number}", approve=approve, more=more)
        else:
            client = self.place.http(self.address, name=f"http{number}")
        return client, Known(self.paths)

    def work(self, seed):
        chance = random.Random(seed)
        while time.monotonic() < self.until:
            client, known = self.client(chance)
            tools = client.tools()
            gone_by = min(self.until, time.monotonic() + chance.uniform(2, 25))
            abrupt = chance.random() < 0.1
            while time.monotonic() < gone_by:
                self.step(client, known, chance, tools)
            self.leave(client, known, abrupt)

    def step(self, client, known, chance, tools):
        draw = chance.random()
        by_name = {tool["name"]: tool for tool in tools}
        if draw < 0.10:
            self.call(client, known, "workspace_open_document", {"path": chance.choice(known.paths)})
        elif draw < 0.16:
            self.call(client, known, "tabs_close", {"force": True})
        elif draw < 0.20:
            self.call(client, known, "workspace_save_document", {"windowId": chance.choice(known.paths)})
        elif draw < 0.24 and known.suggestions:
            decided = {chance.choice(["accept", "reject"]): [chance.choice(known.suggestions)]}
            self.call(client, known, "suggestion_review", {"windowId": chance.choice(known.paths), **decided})
        elif draw < 0.26:
            self.call(client, known, "suggestion_reject_all", {"windowId": chance.choice(known.paths)})
        elif draw < 0.80:
            tool = chance.choice(tools)
            self.call(client, known, tool["name"], plausible(tool, known, chance))
        else:
            tool = by_name[chance.choice(list(by_name))]
            self.call(client, known, tool["name"], wrong(tool, known, chance))

    def call(self, client, known, name, arguments):
        began = time.monotonic()
        try:
            known.learn(client.call(name, seconds_=HANG, **arguments))
            self.note(name, "ok", time.monotonic() - began)
        except Refused as refused:
            known.learn(refused.text or "")
            self.note(name, refused.code, time.monotonic() - began)
            if "INTERNAL" in str(refused.code) or refused.code == -32603:
                self.verdict.fail(f"{name} {str(arguments)[:300]}: {str(refused)[:300]}")
        except Late as late:
            self.verdict.fail(f"{name} {str(arguments)[:300]} hangs: {late}")

    def note(self, name, code, took):
        with self.lock:
            self.counts[name] += 1
            self.codes[code] += 1
            self.times.append(took)

    def leave(self, client, known, abrupt):
        if abrupt:
            client.kill()
        else:
            # What is left open is kept for whoever might come back, and unsaved work of nobody for a month.
            for _ in range(60):
                left = client.call("tabs_list")["result"]
                if not left or all(tab["filePath"] is None and not tab["isDirty"] for tab in left):
                    break
                self.call(client, known, "tabs_close", {"force": True, "tabId": left[0]["id"]})
            client.close()
        self.counts["clients"] += 1
        self.place.clients.remove(client)

    def look(self):
        pid = self.watched()
        with self.lock:
            times, self.times = self.times, []
        sample = {
            "resident": memory(pid)[0], "handles": handles(pid), "threads": threads(pid),
            "journal": self.place.journal_bytes(but="untitled-"), "p99": quantile(times, 0.99),
        }
        self.samples.append(sample)
        untitled = len(list((self.place.state / "journals").glob("untitled-*")))
        told = f"{sample['resident'] / 1024:.0f} MB, {sample['handles']} handles, {sample['threads']} threads"
        print(f"{len(self.samples) * 10:5} s: {told}, journal {sample['journal'] / 1024:.0f} KB ({untitled} untitled), {len(times)} calls, {latency(times)}", flush=True)

    def judge(self):
        warm = self.samples[len(self.samples) // 10 :]
        third = max(1, len(warm) // 3)
        for what, little in SMALL.items():
            middle = lambda part: sorted(sample[what] for sample in part)[len(part) // 2]
            first, last = middle(warm[:third]), middle(warm[-third:])
            print(f"{what}: {first:.0f} in the first third, {last:.0f} in the last")
            self.verdict.check(last <= first * 1.15 or last - first <= little, f"{what} grows from {first:.0f} to {last:.0f}")


def sources(corpus):
    """Documents of every kind: the samples, and small ones of the corpus, always the same."""
    found = [SAMPLES / "handbook.md", SAMPLES / "contract.docx", SAMPLES / "form.docx", SAMPLES / "budget.xlsx"]
    chance = random.Random(7)
    for kind, count in [("md", 12), ("docx", 10), ("xlsx", 8)]:
        files = sorted(path for path in (pathlib.Path(corpus) / kind).rglob(f"*.{kind}") if 0 < path.stat().st_size < 60_000)
        found += chance.sample(files, min(count, len(files)))
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--minutes", type=float, default=15)
    arguments.add_argument("--clients", type=int, default=6)
    arguments.add_argument("--seats", type=int, help="seconds that places of clients are kept; ten minutes by themselves")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--corpus", default=TOP.parent / "shared" / "corpus")
    given = arguments.parse_args()
    verdict = Verdict("soak")
    with Place(given.binary) as place:
        soak = Soak(place, verdict, given)
        names = {tool["name"] for tool in place.http(soak.address).tools()}

        def work(seed):
            try:
                soak.work(seed)
            except Exception as error:  # noqa: BLE001 - whatever ends a client is a finding
                verdict.fail(f"a client ended: {error!r}"[:500])

        workers = [threading.Thread(target=work, args=(given.seed * 100 + n,), daemon=True) for n in range(given.clients)]
        for worker in workers:
            worker.start()
        while time.monotonic() < soak.until:
            time.sleep(min(10, max(0.1, soak.until - time.monotonic())))
            try:
                soak.look()
            except (OSError, IndexError) as error:
                verdict.fail(f"there is nothing to look at: {error!r}")
                break
        for worker in workers:
            worker.join(HANG + 30)
            verdict.check(not worker.is_alive(), "a client hangs at the end")
        if len(soak.samples) >= 6:
            soak.judge()
        never = names - soak.counts.keys()
        verdict.check(not never or given.minutes < 1, f"never called: {sorted(never)}")
        logs = "".join(path.read_text(errors="replace") for path in [*place.folder.glob("*.log"), place.state / "desk" / "log"] if path.exists())
        verdict.check("panicked" not in logs, lambda: "a panic: " + logs[logs.index("panicked") - 200 :][:800])
        verdict.checked += sum(soak.codes.values())
        told = ", ".join(f"{count} {code}" for code, count in soak.codes.most_common(25))
        print(f"{sum(soak.codes.values())} calls of {len(names)} tools by {soak.counts['clients']} clients: {told}")
        left = [name for name in os.listdir(place.root) if name.startswith(".docwright")]
        verdict.check(not left, f"left beside the documents: {left[:5]}")
    verdict.end()


if __name__ == "__main__":
    main()
