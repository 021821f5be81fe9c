#!/usr/bin/env python3
"""Real documents in strange orders: two agents and a person edit, stage, decide, undo, close, save, rename and kill.

    python3 tests/desk/strange.py BINARY [--rounds 30] [--seed N] [--corpus ../shared/corpus]

Each round takes a Markdown, Word or Excel file that nobody here wrote. An agent over stdio, one over HTTP (every other
round over stdio as well) and a person's `review` do what comes to them, in an order that is drawn; between the steps
another program writes the file, the file gets another name, the desk is killed. What has to hold whatever the order is:
both agents read the same revision, an undo leads back to a state that was there before, what is refused changes nothing,
a killed desk comes back with the same revision and suggestions, a save writes what is shown, nothing fails within, and
nothing hangs. Exits with 1 if anything was wrong.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import zipfile

from client import TOP, Gone, Late, Place, Refused, Verdict, chance, kill

KINDS = ["md", "docx", "xlsx"]
# Answers that mean that we, and not the caller, did something wrong.
OURS = ("INTERNAL", "-32603")


class Round:
    def __init__(self, place, verdict, random, source, number, over_http):
        self.place, self.verdict, self.random, self.source = place, verdict, random, source
        self.path = place.root / f"{number:03}{source.suffix}"
        shutil.copy(source, self.path)
        self.path.chmod(0o644)
        self.kind, self.trail = source.suffix[1:], []
        self.state = place.folder / f"state-{number}"
        self.server = None
        if over_http:
            self.address, self.server = place.serve(state=self.state)
        self.agents = {"ann": place.stdio(name="ann", state=self.state)}
        self.agents["ben"] = place.http(self.address, name="ben") if over_http else place.stdio(name="ben", state=self.state)
        self.marks, self.seen = 0, []

    def close(self):
        for agent in self.agents.values():
            agent.kill()
            self.place.clients.remove(agent)
        if self.server:
            self.server.terminate()
            self.server.wait(20)
        for pid in self.place.desks(self.state):
            kill(pid)

    # Looking.

    def call(self, who, tool, **arguments):
        try:
            return self.agents[who].call(tool, **arguments)
        except Refused as refused:
            if any(ours in str(refused) for ours in OURS) or "panicked" in str(refused):
                self.wrong(f"{tool} {arguments}: {refused}")
            raise

    def wrong(self, why):
        self.verdict.fail(f"{self.source.name}: {why}"[:900] + "\n      after " + " · ".join(self.trail[-14:]))

    def check(self, good, why):
        self.verdict.checked += 1
        if not good:
            self.wrong(why() if callable(why) else why)

    def again(self, who, tool, **arguments):
        """A read, asked again when the desk ended meanwhile."""
        for _ in range(5):
            try:
                return self.call(who, tool, **arguments)
            except Refused as refused:
                if refused.code not in ("UNKNOWN_OUTCOME", "DESK_ENDED"):
                    raise
        raise Late(f"{tool} is never answered")

    def revision(self, who="ann"):
        found = self.again(who, "get_document_revision", windowId=str(self.path))
        return found["revision"], found["hash"]

    def standing(self):
        listed = self.again("ann", "suggestion_list", windowId=str(self.path))["suggestions"]
        return sorted((each["id"], each.get("status"), json.dumps(each.get("changes"))) for each in listed)

    # Doing. Each gives what happened, in a word.

    def mark(self):
        self.marks += 1
        return f"mark{self.marks:04}"

    def edit(self, who, stage):
        mark = self.mark()
        if self.kind == "md":
            text = self.again(who, "document_get_content", windowId=str(self.path))
            lines = [line for line in text.split("\n") if len(line.strip()) > 3]
            if lines and self.random.random() < 0.7:
                line = self.random.choice(lines).strip()
                return self.call(
                    who, "apply_diff", windowId=str(self.path), original=line, replacement=f"{line} {mark}",
                    mode="suggest" if stage else "apply", matchPolicy="error_if_multiple",
                )
            return self.call(
                who, "document_insert_at_position", windowId=str(self.path), text=f"{mark} ", mode="suggest" if stage else "apply",
                position=self.random.randrange(0, len(text) + 1),
            )
        if self.kind == "docx":
            page = self.again(who, "read_file", file_path=str(self.path), limit=60, offset=1)
            rows = re.findall(r"^(jr_para_\w+) \|(?:[^|]*\|){3} (.+)$", page, re.M)
            words = [(id, word) for id, text in rows for word in re.findall(r"[A-Za-z]{5,}", text) if text.count(word) == 1]
            if not words:
                raise Refused("NOTHING_TO_EDIT", "no words")
            id, word = self.random.choice(words)
            return self.call(
                who, "smart_edit", file_path=str(self.path), target_paragraph_id=id, old_string=word, new_string=f"{word}{mark}",
                track="suggest" if stage else self.random.choice(["on", "off"]), instruction="proof",
            )
        cell = f"{self.random.choice('ABCDEZ')}{self.random.randrange(1, 30)}"
        sheet = self.sheet().replace("'", "''")
        request = self.random.choice([f"Set '{sheet}'!{cell} to \"{mark}\"", f"Set '{sheet}'!{cell} to {self.marks}", f"Clear '{sheet}'!{cell}"])
        if self.random.random() < 0.15:
            request = self.random.choice([f"Insert a row above row {cell[1:]} in '{sheet}'", f"Delete row {cell[1:]} in '{sheet}'"])
        return self.call(who, "ask", file_path=str(self.path), request=request, track="suggest" if stage else "off")

    def sheet(self):
        book = zipfile.ZipFile(self.source).read("xl/workbook.xml").decode()
        names = re.findall(r'<(?:\w+:)?sheet\b[^>]*?\bname="([^"]+)"', book)
        return names[0].replace("&amp;", "&").replace("&apos;", "'").replace("&quot;", '"')

    def step(self, who, way):
        before = self.revision(who)
        said = self.call(who, f"editor_{way}", windowId=str(self.path))
        after = self.revision(who)
        if said["applied"]:
            self.check(after[1] in self.seen, f"{way} led to a state that never was")
        else:
            self.check(after == before, f"{way} did nothing and changed {before} to {after}")
        return "done" if said["applied"] else "nothing there"

    def person(self, what):
        options = ["--state-dir", self.state, "--as-name", "Pia", "--json"]
        listed = self.place.said("review", self.path, "--list", *options)
        ids = re.findall(r'"id": ?"(sug[^"]+)"', listed)
        if not ids:
            return "nothing to decide"
        id = self.random.choice(ids)
        done = subprocess.run(
            [str(each) for each in [self.place.binary, "review", self.path, f"--{what}", id, *options]],
            capture_output=True, text=True, timeout=60,
        )
        self.check("panicked" not in done.stderr and "INTERNAL" not in done.stderr + done.stdout, lambda: f"review: {done.stderr} {done.stdout}")
        return f"{id} {'done' if done.returncode == 0 else 'refused'}"

    def own(self, who, what):
        ids = [each["id"] for each in self.again(who, "suggestion_list", windowId=str(self.path))["suggestions"]]
        if not ids:
            return "nothing to decide"
        self.call(who, f"suggestion_{what}", suggestionId=self.random.choice(ids), windowId=str(self.path))
        return "done"

    def outside(self):
        """Another program writes the file: a byte-wise copy of itself, or one word more."""
        if self.kind == "md":
            data = self.path.read_bytes()
            more = f"\nFrom outside {self.mark()}\n".encode()
            self.path.write_bytes(more + data if self.random.random() < 0.3 else data + more)
            return "a line"
        with zipfile.ZipFile(self.path) as old:
            parts = [(info, old.read(info.filename)) for info in old.infolist()]
        new = self.path.with_suffix(".new")
        with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as file:
            for info, data in parts:
                if self.kind == "docx" and info.filename == "word/document.xml":
                    data = re.sub(rb"(<w:t(?: [^>]*)?>)([A-Za-z]{3,})", lambda m: m[1] + self.mark().encode() + m[2], data, count=1)
                if self.kind == "xlsx" and re.fullmatch(r"xl/worksheets/sheet1\.xml", info.filename):
                    data = re.sub(rb"<v>(\d)", rb"<v>1\1", data, count=1)
                file.writestr(info.filename, data)
        new.replace(self.path)
        return "packed anew"

    def rename(self):
        other = self.path.with_name("renamed-" + self.path.name)
        before, dirty, path = self.revision(), self.again("ann", "workspace_get_document_info", windowId=str(self.path))["isDirty"], self.path
        path.rename(other)
        killed = not self.server and self.random.random() < 0.5
        try:
            if killed:
                for pid in self.place.desks(self.state):
                    kill(pid)
                self.path = other
                self.check(not dirty or self.revision()[1] == before[1], "renamed and killed, unsaved work is lost")
        finally:
            other.rename(path)
            self.path = path
        return "and killed" if killed else "there and back"

    def strike(self):
        """The desk is killed, and everything is as before."""
        if self.server:
            return "served"
        before, standing, info = self.revision(), self.standing(), self.again("ann", "workspace_get_document_info", windowId=str(self.path))
        disk = self.path.stat().st_mtime_ns
        for pid in self.place.desks(self.state):
            kill(pid)
        after = self.revision()
        if disk == self.path.stat().st_mtime_ns:
            self.check(after == before, f"killed, {before} became {after}")
            self.check(self.standing() == standing, lambda: f"killed, suggestions {standing} became {self.standing()}")
            now = self.again("ann", "workspace_get_document_info", windowId=str(self.path))
            self.check(now["isDirty"] == info["isDirty"], f"killed, dirty {info['isDirty']} became {now['isDirty']}")
        return "killed"

    def shut(self, who):
        for tab in self.again(who, "tabs_list")["result"]:
            if tab["filePath"] == str(self.path):
                self.call(who, "tabs_close", tabId=tab["id"], force=True)
        return "closed"

    def save(self, who):
        self.call(who, "workspace_save_document", windowId=str(self.path))
        if self.kind == "md":
            text = self.again(who, "document_get_content", windowId=str(self.path))
            disk = self.path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
            self.check(disk == text.replace("\r\n", "\n").removeprefix("\ufeff"), lambda: f"saved {disk[:200]!r} and shows {text[:200]!r}")
        else:
            with zipfile.ZipFile(self.path) as file:
                self.check(file.testzip() is None, "the saved package is damaged")
        return "saved"

    def act(self):
        who = self.random.choice(list(self.agents))
        doings = [
            (24, "edit", lambda: self.edit(who, False)), (16, "stage", lambda: self.edit(who, True)),
            (12, "undo", lambda: self.step(who, "undo")), (8, "redo", lambda: self.step(who, "redo")),
            (6, "person accepts", lambda: self.person("accept")), (4, "person rejects", lambda: self.person("reject")),
            (4, "accept", lambda: self.own(who, "accept")), (4, "reject", lambda: self.own(who, "reject")),
            (6, "save", lambda: self.save(who)), (5, "outside", self.outside), (4, "rename", self.rename),
            (6, "kill", self.strike), (4, "close", lambda: self.shut(who)),
            (2, "reload", lambda: self.call(who, "workspace_open_document", path=str(self.path))),
        ]
        _, name, do = self.random.choices(doings, [weight for weight, *_ in doings])[0]
        self.trail.append(f"{who} {name}")
        before = None
        try:
            before = self.revision(who)
            self.seen.append(before[1])
            said = do()
            told = said if isinstance(said, str) else "done"
        except Refused as refused:
            told = f"refused {refused.code}"
            if before and name not in ("outside", "rename", "kill"):
                self.check(self.revision(who) == before, f"{name} was refused ({refused}) and changed the document")
        self.trail[-1] += f" ({told[:40]})"
        self.verdict_of_both()
        return name, told.split(" ")[0] if told.startswith("refused") else "ok"

    def verdict_of_both(self):
        one, other = (self.revision(who) for who in self.agents)
        self.check(one == other, f"ann reads {one} and ben {other}")
        self.seen.append(one[1])


def sources(corpus, kind, random, count):
    files = sorted(path for path in (pathlib.Path(corpus) / kind).rglob(f"*.{kind}") if 200 < path.stat().st_size < 80_000)
    return random.sample(files, min(count, len(files)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--rounds", type=int, default=30)
    arguments.add_argument("--steps", type=int, default=30)
    arguments.add_argument("--seed", type=int)
    arguments.add_argument("--only", choices=KINDS)
    arguments.add_argument("--corpus", default=TOP.parent / "shared" / "corpus")
    given = arguments.parse_args()
    if not pathlib.Path(given.corpus).is_dir():
        print(f"SKIPPED: no corpus at {given.corpus}")
        return
    verdict, random, counts = Verdict("strange"), chance(given.seed), collections.Counter()
    with Place(given.binary) as place:
        kinds = [given.only] if given.only else KINDS
        found = {kind: sources(given.corpus, kind, random, given.rounds) for kind in kinds}
        for number in range(given.rounds):
            kind = kinds[number % len(kinds)]
            source = found[kind][number // len(kinds) % len(found[kind])]
            life = Round(place, verdict, random, source, number, over_http=number // len(kinds) % 2 == 1)
            try:
                life.verdict_of_both()
                for _ in range(given.steps):
                    counts[" ".join(life.act())] += 1
            except Refused as refused:
                if life.trail or "INTERNAL" in str(refused):
                    life.wrong(f"refused where nothing is to be refused: {refused}")
                counts["files that do not open"] += not life.trail
            except (Gone, Late, subprocess.TimeoutExpired) as error:
                life.wrong(f"{type(error).__name__} {error}")
            life.close()
            left = [path.name for path in place.root.iterdir() if path.name.startswith(".docwright")]
            verdict.check(not left, f"left beside the documents: {left}")
        logs = [*place.folder.glob("*.log"), *place.folder.glob("state-*/desk/log")]
        told = "".join(path.read_text(errors="replace") for path in logs if path.exists())
        verdict.check("panicked" not in told, lambda: "a panic: " + told[max(0, told.index("panicked") - 200) :][:800])
    for what, count in sorted(counts.items()):
        print(f"{count:6} {what}")
    verdict.end()


if __name__ == "__main__":
    main()
