#!/usr/bin/env python3
"""Many clients at once, each with documents of its own: every edit is in its own file, in order, and nowhere else.

    python3 tests/desk/interleaved.py BINARY [--edits 5000] [--clients 8] [--seconds 120]

Two stdio clients and two sessions of `serve` edit at the same time, each a Markdown file by its focus, by its path and
by its window, the stdio ones a Word document beside it and the others a workbook. They also write into one Markdown file
that all have open. Every file has to be, byte by byte, what a model of the answered edits says. After that as many
clients as asked for do the same for so many seconds. Prints counts and times; exits with 1 if anything was wrong.
"""
import argparse
import random
import re
import threading
import time
import zipfile

from client import SAMPLES, Place, Verdict, latency, together

SHARED = "shared.md"


class Writer:
    """A client, its documents, and what has to be in them."""

    def __init__(self, place, client, kind, seed):
        self.place, self.client, self.kind, self.random = place, client, kind, random.Random(seed)
        self.name, self.count, self.text, self.markers = client.name, 0, "start\n\n", []
        self.path = place.root / f"{self.name}.md"
        self.path.write_text(self.text)
        place.copy(SAMPLES / ("contract.docx" if kind == "docx" else "budget.xlsx"), f"{self.name}.{kind}")
        self.other = f"{self.name}.{kind}"
        if kind == "docx":
            page = client.call("read_file", file_path=self.other)
            self.session = re.search(r"ses_\w+", page).group(0)
            self.paragraph = re.findall(r"^(\S*para_\w+)", page, re.M)[-1]
        self.shared = []
        opened = client.call("workspace_open_document", path=self.path.name)
        self.window = opened["windowId"]
        client.call("cursor_set_position", position=len(self.text))

    def marker(self):
        self.count += 1
        return f"{self.name}-{self.count:05}"

    def mark(self, said, path):
        if said.get("file") != str(path):
            raise AssertionError(f"{self.name} wrote to {path.name}, the answer names {said.get('file')}")

    def step(self, shared):
        draw = self.random.random()
        if draw < 0.70:
            self.markdown()
        elif draw < 0.85:
            self.elsewhere()
        elif shared:
            self.together()
        else:
            self.markdown()

    def markdown(self):
        marker, how = self.marker() + "\n\n", self.random.randrange(4)
        if self.kind == "docx" and how == 0:
            # Without a name: the focused document is meant. A workbook that is asked for comes to the front.
            said = self.client.call("document_insert_at_cursor", text=marker)
        elif how == 1:
            where = self.random.choice([len(self.text), 0])
            said = self.client.call("document_insert_at_position", text=marker, position=where, windowId=str(self.path))
        else:
            said = self.client.call("document_insert_at_position", text=marker, position=len(self.text), windowId=str(self.path))
        self.mark(said, self.path)
        self.text = self.text[: said["position"]] + marker + self.text[said["position"] :]

    def elsewhere(self):
        marker, path = self.marker(), self.place.root / self.other
        if self.kind == "docx":
            said = self.client.call(
                "smart_insert", session_id=self.session, positional_anchor_node_id=self.paragraph,
                position="AFTER", new_string=marker, instruction="proof",
            )
            self.paragraph = said["edits"][0]["paragraph_ids"][-1]
        else:
            said = self.client.call("ask", file_path=self.other, request=f"Set Z{len(self.markers) + 1} on Inputs to {marker}")
        self.mark(said, path)
        self.markers.append(marker)

    def together(self):
        marker = self.marker()
        end = f"end-of-{self.name}"
        said = self.client.call(
            "apply_diff", original=end, replacement=f"{marker} {end}", mode="apply", windowId=str(self.place.root / SHARED)
        )
        self.mark(said, self.place.root / SHARED)
        if said["appliedCount"] != 1:
            raise AssertionError(f"{self.name} wrote {said['appliedCount']} times into {SHARED}")
        self.shared.append(marker)

    def save(self):
        self.client.call("workspace_save_document", windowId=str(self.path))
        self.client.call("workspace_save_document", windowId=str(self.place.root / self.other))

    def judge(self, verdict, everybody):
        found = self.path.read_text()
        verdict.check(found == self.text, lambda: f"{self.path.name}: {difference(found, self.text)}")
        inside = written(self.place.root / self.other)
        verdict.check(inside == self.markers, lambda: f"{self.other}: {difference(inside, self.markers)}")
        for path in (self.path, self.place.root / self.other):
            text = path.read_text() if path.suffix == ".md" else " ".join(written(path))
            for other in everybody:
                if other is not self:
                    verdict.check(f"{other.name}-" not in text, f"something of {other.name} is in {path.name}")


def difference(found, wanted):
    return f"{len(found)} long instead of {len(wanted)}: …{str(found)[-200:]!r} instead of …{str(wanted)[-200:]!r}"


def written(path):
    """The markers in a Word document in their order, or those in column Z of a workbook by rows."""
    with zipfile.ZipFile(path) as archive:
        if path.suffix == ".docx":
            return re.findall(r"\w+-\d{5}", archive.read("word/document.xml").decode())
        names = archive.namelist()
        strings = []
        if "xl/sharedStrings.xml" in names:
            items = re.findall(r"<si>(.*?)</si>", archive.read("xl/sharedStrings.xml").decode(), re.S)
            strings = ["".join(re.findall(r"<t[^>]*>([^<]*)</t>", item)) for item in items]
        found = {}
        for name in names:
            if name.startswith("xl/worksheets/sheet"):
                for row, attributes, inner in re.findall(r'<c r="Z(\d+)"([^>]*)>(.*?)</c>', archive.read(name).decode(), re.S):
                    value = re.search(r"<(?:v|t)[^>]*>([^<]*)<", inner).group(1)
                    found[int(row)] = strings[int(value)] if 't="s"' in attributes else value
        return [found[row] for row in sorted(found)]


def clients(place, count, address):
    """Half of them over stdio, half over HTTP."""
    for number in range(count):
        if number % 2:
            yield place.http(address, name=f"http{number}"), "xlsx"
        else:
            yield place.stdio(name=f"stdio{number}"), "docx"


def run(binary, verdict, count, edits, seconds, seed):
    with Place(binary) as place:
        address, server = place.serve()
        # With a desk `serve` is it, and stdio clients sit there too; without one they have documents of their own.
        writers = [Writer(place, client, kind, seed + n) for n, (client, kind) in enumerate(clients(place, count, address))]
        at_one = writers if place.has_desk else [writer for writer in writers if writer.kind == "xlsx"]
        (place.root / SHARED).write_text("\n\n".join(f"end-of-{writer.name}" for writer in at_one) + "\n")
        left, lock, until = [edits or 1 << 60], threading.Lock(), time.monotonic() + (seconds or 1 << 30)

        def work(writer):
            while time.monotonic() < until:
                with lock:
                    left[0] -= 1
                    if left[0] < 0:
                        return
                writer.step(shared=writer in at_one)

        for writer in writers:
            writer.client.times.clear()
        began = time.monotonic()
        for error in together([lambda writer=writer: work(writer) for writer in writers], (seconds or 600) + 600):
            verdict.fail(f"an error: {error!r}")
        took = time.monotonic() - began
        times = [each for writer in writers for each in writer.client.times]
        done = sum(writer.count for writer in writers)
        desk = f"{'one desk' if place.has_desk else 'no desk'}"
        print(f"{count} clients, {desk}: {done} edits in {took:.1f} s, {done / took:.0f} a second, {latency(times)}", flush=True)
        for error in together([writer.save for writer in writers], 120):
            verdict.fail(f"saving: {error!r}")
        at_one[0].client.call("workspace_save_document", windowId=str(place.root / SHARED))
        text = (place.root / SHARED).read_text()
        for writer in at_one:
            found = re.findall(rf"{writer.name}-\d{{5}}", text)
            verdict.check(found == writer.shared, lambda: f"{SHARED}: {difference(found, writer.shared)}")
        for writer in writers:
            writer.judge(verdict, writers)
            verdict.check(not writer.client.errors, lambda: f"{writer.name}: {writer.client.errors[:3]}")
        verdict.checked += done
        verdict.check(server.poll() is None, "the server ended")
        for client in place.clients:
            client.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--edits", type=int, default=5000)
    arguments.add_argument("--clients", type=int, default=8)
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    verdict = Verdict("interleaved")
    if given.edits:
        run(given.binary, verdict, 4, given.edits, None, given.seed)
    if given.seconds:
        run(given.binary, verdict, given.clients, None, given.seconds, given.seed)
    verdict.end()


if __name__ == "__main__":
    main()
