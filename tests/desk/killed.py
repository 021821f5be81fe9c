#!/usr/bin/env python3
"""Processes are killed at any moment, and nothing that was answered is lost, doubled or means something else.

    python3 tests/desk/killed.py BINARY [--rounds 200] [--seed N] [--serve]

Three clients and a person's `review` edit, stage, accept, reject, undo, redo and save Markdown, Word and Excel documents
that all share, and a model keeps what the answers promised. In each round one of them, or the desk, is killed with -9,
mostly with calls in flight. Then content, suggestions and who decided on them, dirtiness, revisions and every id that
was shown (documents, tabs, sessions, ranges, paragraphs) must be as before; what was in flight has happened once or not
at all. With --serve the third client is an HTTP session, and `docwright serve` is the desk. Where a binary has no desk,
each client has documents of its own, and is started again when it was killed. Exits with 1 if anything was wrong.
"""
import argparse
import collections
import json
import re
import subprocess
import time

from client import Gone, Late, Place, Refused, Verdict, age, chance, content, kill
from model import UNKNOWN, Book, Wrong, brief, differences, in_document, in_file, shown

NAMES = ["one.md", "two.md", "named.docx", "unnamed.docx", "five.xlsx"]


NO_DESK = "NO_DESK"


class Actor:
    """A client that can be killed, and is another caller when it comes back."""

    def __init__(self, world, name, approve, over_http=False):
        self.world, self.name, self.approve, self.over_http = world, name, approve, over_http
        self.generation, self.client = 0, None
        self.books = world.books if world.place.has_desk else [Book(world.place, f"{name}-{each}") for each in NAMES]
        self.start()

    def start(self):
        self.generation += 1
        self.sessions, self.ranges = {}, {}
        if self.over_http:
            self.client = self.world.place.http(self.world.address, name=self.name)
        else:
            more = [] if self.approve else ["--agents-may-accept"]
            self.client = self.world.place.stdio(name=self.name, approve=self.approve, more=more)

    @property
    def owner(self):
        return (self.name, self.generation)


class Op:
    """One call: how it is made, what it does to the model, and how to find out whether it happened."""

    def __init__(self, actor, book, what, tool=None, arguments=None, done=None, doubt=None, refusal=None):
        self.actor, self.book, self.what, self.tool, self.arguments = actor, book, what, tool, arguments or {}
        self.done, self.doubt, self.refusal = done or (lambda said: None), doubt or (lambda: None), refusal
        self.pending = None

    def __repr__(self):
        return f"{self.what} of {self.actor.name} in {self.book}"

    def begin(self):
        self.pending = self.actor.client.start(self.tool, **self.arguments)


class Review(Op):
    """A person's decision, by the command for it."""

    def __init__(self, world, book, what, id, done, doubt):
        super().__init__(world.person, book, what, done=done, doubt=doubt)
        self.command = [
            world.place.binary, "review", book.path, f"--{what}", id, "--json", "--as-name", world.person.name,
            "--state-dir", world.place.state,
        ]

    def begin(self):
        self.pending = subprocess.Popen([str(each) for each in self.command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


class Person:
    name, generation, client = "Pia", 0, None
    owner = ("Pia", 0)


class World:
    def __init__(self, place, verdict, random, serve):
        self.place, self.verdict, self.random, self.serving = place, verdict, random, serve
        self.counts, self.markers, self.gone_ids = collections.Counter(), 0, []
        self.trail, self.nowhere, self.lost_place = collections.deque(maxlen=25), None, None
        self.person = Person()
        if serve or not place.has_desk:
            self.address, self.server = place.serve(author="cyd")
        self.books = [Book(place, name) for name in NAMES] if place.has_desk else []
        self.actors = [
            Actor(self, "ann", approve=True),
            Actor(self, "ben", approve=False),
            Actor(self, "cyd", approve=True, over_http=serve or not place.has_desk),
        ]
        for actor in self.actors:
            for book in actor.books:
                self.sees(actor, book)

    # What one can do.

    def again(self, client, tool, **arguments):
        """A call that only reads; a desk that ended meanwhile may be the reason for one more."""
        for _ in range(6):
            try:
                return client.call(tool, **arguments)
            except Refused as refused:
                if refused.code not in (UNKNOWN, "DESK_ENDED", NO_DESK):
                    raise
                self.counts[f"reads asked again by us: {refused.code}"] += 1
                self.no_desk(refused)
        raise Wrong(f"{tool} is never answered")

    def no_desk(self, refused):
        """There is always one to be had, so whoever says otherwise is wrong; it is said once, and we go on."""
        if refused.code == NO_DESK:
            self.counts["told that there is no desk"] += 1
            self.nowhere = self.nowhere or str(refused)
            time.sleep(0.2)

    def sees(self, actor, book):
        return in_document(actor.client, book, self.again)

    def marker(self):
        self.markers += 1
        return f"m{self.markers:06}"

    def edit(self, actor, book, suggest=False):
        owner = actor.owner
        free = book.free()
        empty, full = [n for n in free if book.slots[n] is None], [n for n in free if book.slots[n]]
        erase = full and not suggest and (len(empty) < 20 or self.random.random() < 0.2)
        slot = self.random.choice(full if erase else empty)
        old, new = book.slots[slot], None if erase else self.marker()
        if book.kind == "md":
            tool = "apply_diff"
            arguments = {
                "original": shown(slot, old), "replacement": shown(slot, new), "windowId": str(book.path),
                "mode": "suggest" if suggest else "apply", "matchPolicy": "error_if_multiple",
            }
        elif book.kind == "docx":
            tool = "smart_edit"
            arguments = {
                "target_paragraph_id": book.ids[slot], "old_string": shown(slot, old), "new_string": shown(slot, new),
                "track": "suggest" if suggest else "off", "file_path": str(book.path), "instruction": "proof",
            }
        else:
            tool = "ask"
            request = f'Set Slots!Z{slot} to "{new}"' if new else f"Clear Slots!Z{slot}"
            arguments = {"file_path": str(book.path), "request": request, "track": "suggest" if suggest else "off"}

        def done(said):
            id = said.get("suggestionId") or said.get("suggestion_id")
            if said.get("file") != str(book.path):
                raise Wrong(f"the answer names {said.get('file')}")
            if id:
                if not suggest and (actor.approve or book.kind != "md"):
                    raise Wrong(f"it was staged: {brief(said)}")
                self.staged(book, id, slot, new, owner)
            else:
                if suggest or (book.kind == "md" and not actor.approve):
                    raise Wrong(f"it was not staged: {brief(said)}")
                book.change(book.with_(slot, new), owner)

        def doubt():
            id = self.find_suggestion(book, new) if new else self.find_erasure(book, slot)
            if id:
                self.staged(book, id, slot, new, owner)
                return True
            return self.either(book, book.with_(slot, new), lambda: book.change(book.with_(slot, new), owner))

        return Op(actor, book, "stage" if suggest else "edit", tool, arguments, done, doubt)

    def staged(self, book, id, slot, marker, owner):
        if id in book.suggestions:
            raise Wrong(f"the id {id} was given out twice")
        book.suggestions[id] = {"slot": slot, "marker": marker, "owner": owner, "status": "pending", "by": None}

    def decide(self, actor, book, what):
        """An agent on its own suggestion."""
        redo = {entry.accepted for entry in book.redo}
        own = [id for id, each in book.pending().items() if each["owner"] == actor.owner and id not in redo]
        if not own:
            return self.edit(actor, book, suggest=True)
        id = self.random.choice(own)
        arguments = {"suggestionId": id, "windowId": str(book.path)}
        done, doubt = self.decision(book, id, what, actor.owner, actor.name)
        return Op(actor, book, what, f"suggestion_{what}", arguments, lambda said: done(), doubt)

    def decision(self, book, id, what, owner, by):
        each = book.suggestions[id]

        def done():
            if what == "accept":
                book.change(book.with_(each["slot"], each["marker"]), owner, accepted=id, by=by)
            else:
                each.update(status="rejected", by=by)

        def doubt():
            status = self.stands(book, [id])[id]
            if status[0] == {"accept": "accepted", "reject": "rejected"}[what]:
                done()
                return True
            if status[0] != "pending":
                raise Wrong(f"{id} is {status}")
            return False

        return done, doubt

    def review(self, book):
        redo = {entry.accepted for entry in book.redo}
        pending = [id for id in book.pending() if id not in redo]
        if not pending:
            return None
        id, what = self.random.choice(pending), self.random.choice(["accept", "reject"])
        done, doubt = self.decision(book, id, what, self.person.owner, self.person.name)
        return Review(self, book, what, id, done, doubt)

    def undo(self, actor, book):
        owner = actor.owner
        wanted = book.history[-1] if book.history else None
        if wanted and any(wanted.before[each["slot"]] != wanted.after[each["slot"]] for each in book.pending().values()):
            # A suggestion to take away what is undone here would become stale, which is another proof.
            return self.edit(actor, book)
        may = wanted is None or wanted.owner == actor.owner

        def done(said):
            if not said["applied"]:
                if len(book.history) > book.perhaps_lost:
                    raise Wrong(f"there was something to undo: {brief(said)}")
                if book.history:
                    self.counts["undo steps from before a save that a restart forgot"] += 1
                del book.history[:]
                book.perhaps_lost = book.at_save = 0
            elif wanted is None or not may:
                raise Wrong(f"undone: {brief(said)}")
            else:
                book.undo(owner)

        def doubt():
            return may and wanted is not None and self.either(book, wanted.before, lambda: book.undo(owner))

        # What came from before a save may be forgotten, and then it is nobody's.
        return Op(actor, book, "undo", "editor_undo", {"windowId": str(book.path)}, done, doubt, None if may else "PERMISSION_DENIED")

    def redo(self, actor, book):
        wanted = book.redo[-1] if book.redo else None
        may = wanted is None or (wanted.owner == actor.owner and wanted.undone_by == actor.owner)

        def done(said):
            if not said["applied"] and wanted is not None:
                if wanted.perhaps_lost:
                    self.counts["redo steps from before a save that a restart forgot"] += 1
                    return book.redo.clear()
                raise Wrong(f"there was something to redo: {brief(said)}")
            elif said["applied"] and (wanted is None or not may):
                raise Wrong(f"redone: {brief(said)}")
            elif said["applied"]:
                book.redone()

        def doubt():
            return may and wanted is not None and self.either(book, wanted.after, book.redone)

        return Op(actor, book, "redo", "editor_redo", {"windowId": str(book.path)}, done, doubt, None if may else "PERMISSION_DENIED")

    def save(self, actor, book):
        slots = dict(book.slots)

        def done(said):
            book.save()
            found = in_file(book.path)
            if found != slots:
                raise Wrong(f"the saved file: {differences(found, slots)}")

        def doubt():
            found = in_file(book.path)
            if found == slots:
                if book.is_dirty():
                    # It may have been written and not noted; then it counts as saved when the document says so.
                    book.save()
                return True
            if found != book.saved:
                raise Wrong(f"the file is neither the old nor the new one: {differences(found, book.saved)}")
            return False

        return Op(actor, book, "save", "workspace_save_document", {"windowId": str(book.path)}, done, doubt)

    def random_op(self, actor, book):
        kinds = ["edit"] * 6 + ["stage"] * 3 + ["accept", "reject", "undo", "undo", "redo", "save"]
        what = self.random.choice(kinds)
        match what:
            case "edit":
                return self.edit(actor, book)
            case "stage":
                return self.edit(actor, book, suggest=True)
            case "accept" | "reject":
                return self.decide(actor, book, what)
            case "undo":
                return self.undo(actor, book)
            case "redo":
                return self.redo(actor, book)
            case "save":
                return self.save(actor, book)

    # How it went.

    def run(self, op):
        op.begin()
        if self.settle(op) == "unknown":
            self.counts["unknown though nothing was killed since the last answer"] += 1
            self.resolve(op)

    def settle(self, op):
        """What became of a call: `done`, `refused` or `unknown`."""
        self.counts[op.what] += 1
        self.trail.append(f"{op!r} {op.arguments.get('original') or op.arguments.get('request') or op.arguments.get('suggestionId') or ''}")
        try:
            if isinstance(op, Review):
                return self.settle_review(op)
            said = content(op.pending.wait())
        except Gone:
            return "unknown"
        except Refused as refused:
            if refused.code == UNKNOWN:
                return "unknown"
            if refused.code == NO_DESK:
                self.no_desk(refused)
                return "refused"
            if "written anew" in str(refused):
                self.counts["decisions on what became stale"] += 1
                return "refused"
            if refused.code != op.refusal:
                raise Wrong(f"{op}: {refused}") from None
            self.counts["refused, as it has to be"] += 1
            return "refused"
        if op.refusal and not (said.get("applied") is False and self.perhaps_lost(op)):
            raise Wrong(f"{op} was not refused: {brief(said)}")
        try:
            op.done(said)
        except Wrong as wrong:
            raise Wrong(f"{op}: {wrong}") from None
        return "done"

    def perhaps_lost(self, op):
        if op.what == "undo":
            return len(op.book.history) <= op.book.perhaps_lost
        return all(entry.perhaps_lost for entry in op.book.redo)

    def settle_review(self, op):
        try:
            out, said = op.pending.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            op.pending.kill()
            raise Wrong(f"{op}: review hangs") from None
        if op.pending.returncode == -9:
            return "unknown"
        if op.pending.returncode != 0:
            if UNKNOWN.encode() in out + said:
                return "unknown"
            if b"written anew" in out + said:
                self.counts["decisions on what became stale"] += 1
                return "refused"
            raise Wrong(f"{op}: review ended with {op.pending.returncode}: {out[-300:]} {said[-300:]}")
        self.trail[-1] += f" said {out[-200:]}"
        op.done()
        return "done"

    def resolve(self, op, patience=0):
        try:
            happened, until = op.doubt(), time.monotonic() + patience
            while not happened and time.monotonic() < until:
                time.sleep(0.1)
                happened = op.doubt()
        except Wrong as wrong:
            raise Wrong(f"{op}, which was in flight: {wrong}") from None
        self.counts["in flight, and had happened" if happened else "in flight, and had not happened"] += 1
        self.trail.append(f"{op!r} had {'' if happened else 'not '}happened")

    def either(self, book, after, happened):
        found = self.sees(self.reader(book), book)
        if found == after and after != book.slots:
            happened()
            return True
        if found != book.slots:
            raise Wrong(f"neither before nor after: {differences(found, book.slots)}")
        return False

    def reader(self, book):
        return next(actor for actor in self.actors if book in actor.books)

    def listed(self, book):
        found, offset = [], 0
        while True:
            page = self.again(self.reader(book).client, "suggestion_list", windowId=str(book.path), offset=offset)
            found += page["suggestions"]
            offset += len(page["suggestions"])
            if not page.get("more") or not page["suggestions"]:
                return found

    def find_suggestion(self, book, marker):
        found = [each["id"] for each in self.listed(book) if marker in json.dumps(each)]
        if len(found) > 1:
            raise Wrong(f"{marker} was staged {len(found)} times")
        return found[0] if found and found[0] not in book.suggestions else None

    def find_erasure(self, book, slot):
        new = [each for each in self.listed(book) if each["id"] not in book.suggestions]
        if len(new) > 1:
            raise Wrong(f"{len(new)} suggestions that nobody made")
        return new[0]["id"] if new else None

    def stands(self, book, ids):
        """How suggestions stand: id to (status, who)."""
        found, client = {}, self.reader(book).client
        if not self.place.has_desk:
            # A process that has not opened a document knows nothing of what is staged in it.
            self.again(client, "workspace_get_document_info", windowId=str(book.path))
        for start in range(0, len(ids), 100):
            said = self.again(client, "suggestion_wait", suggestionIds=ids[start : start + 100], seconds=0)
            found |= {each["id"]: (each["status"], each.get("detail")) for each in said["suggestions"]}
        return found

    def compare(self, book):
        """Everything about a document that the answers promised."""
        found = self.sees(self.reader(book), book)
        if found != book.slots:
            there = [n for n in found if found[n] != book.slots[n]]
            about = {id: each for id, each in book.suggestions.items() if each["slot"] in there}
            raise Wrong(f"{book}: {differences(found, book.slots)}; suggestions there: {about}, which stand {self.stands(book, list(about)) if about else ''}")
        ids = list(book.suggestions)
        stands = self.stands(book, ids) if ids else {}
        for id, each in book.suggestions.items():
            status, who = stands.get(id, ("gone", None))
            if status == "stale" and each["status"] == "pending":
                each["status"], self.lost_place = "stale", self.lost_place or f"{book}: {id} {who}"
                self.counts["suggestions that an edit elsewhere made stale"] += 1
            if each["status"] == "stale" and status == "pending":
                # What made it stale was undone.
                each["status"] = "pending"
            if each["status"] == "stale":
                continue
            by = each["by"] if each["status"] != "pending" else who
            if status != each["status"] or (by is not None and who != by):
                raise Wrong(f"{book}: {id} is {status} by {who} instead of {each['status']} by {each['by']}")
        listed = {each["id"] for each in self.listed(book) if each["status"] != "stale"}
        if listed != set(book.pending()):
            raise Wrong(f"{book}: listed {sorted(listed ^ set(book.pending()))} too many or too few")
        info = self.again(self.reader(book).client, "workspace_get_document_info", windowId=str(book.path))
        if info["isDirty"] and not book.is_dirty():
            self.counts["called dirty though it says what the file says"] += 1
        if book.is_dirty() and not info["isDirty"]:
            raise Wrong(f"{book} has unsaved changes and says it has none")
        self.verdict.checked += 4 + len(ids)

    # Ids.

    def note_ids(self):
        """What every id means at the moment."""
        notes = []
        for actor in self.actors:
            call = lambda tool, **arguments: self.again(actor.client, tool, **arguments)
            note = {"owner": actor.owner, "tabs": {}, "sessions": {}, "documents": {}, "ranges": {}, "revisions": {}}
            for tab in call("tabs_list")["result"]:
                if tab["filePath"]:
                    note["tabs"][tab["id"]] = tab["filePath"]
            for book in actor.books:
                note["revisions"][str(book.path)] = call("get_document_revision", windowId=str(book.path))
                if book.kind == "docx":
                    session = re.search(r"ses_\w+", call("read_file", file_path=str(book.path), limit=1)).group(0)
                    note["sessions"][session] = str(book.path)
                    slot = f"slot-{self.random.randrange(1, 99):03}"
                    meta = {"type": "word.op", "op": "search", "version": "1.0", "args": {"query": slot, "matchCase": True}}
                    hit = call("mcp_word__editTask", content="search", filePath=str(book.path), meta=meta)
                    note["ranges"][hit["data"]["results"][0]["rangeId"]] = (str(book.path), slot)
            for number in range(1, 12):
                path = self.try_document(actor, f"doc-{number}")
                if path:
                    note["documents"][f"doc-{number}"] = path
            notes.append(note)
        return notes

    def try_document(self, actor, id):
        try:
            return self.again(actor.client, "workspace_get_document_info", windowId=id)["filePath"]
        except Refused:
            return None

    def same_ids(self, notes, killed):
        for note in notes:
            actor = next(each for each in self.actors if each.name == note["owner"][0])
            same_caller = actor.owner == note["owner"]
            call = lambda tool, **arguments: self.again(actor.client, tool, **arguments)

            def found(kind, id, wanted, tool, read, must, **arguments):
                try:
                    seen = read(call(tool, **arguments))
                except Refused as no:
                    seen, why = None, no
                self.verdict.checked += 1
                if seen is None:
                    self.counts[f"{kind} ids refused afterwards" + (" (same caller)" if same_caller else "")] += 1
                if seen is not None and seen != wanted:
                    raise Wrong(f"{kind} {id} of {actor.name} meant {wanted} and now means {seen}")
                if seen is not None and not same_caller and kind in ("tab", "session", "range"):
                    raise Wrong(f"{kind} {id} of a caller that is gone was given to {actor.name}")
                if seen is None and must:
                    raise Wrong(f"{kind} {id} of {actor.name}, {wanted}, is unknown after {killed} was killed: {why}")

            must = same_caller and self.place.has_desk
            for id, path in note["tabs"].items():
                found("tab", id, path, "tabs_get_info", lambda said: said["filePath"], must, tabId=id)
            for id, path in note["documents"].items():
                found("document", id, path, "workspace_get_document_info", lambda said: said["filePath"], must, windowId=id)
            for id, path in note["sessions"].items():
                found("session", id, id, "read_file", lambda said: re.search(r"ses_\w+", said).group(0), must, session_id=id, limit=1)
            for id, (path, slot) in note["ranges"].items():
                meta = {"type": "word.op", "op": "setSelection", "version": "1.0", "args": {"scope": f"rangeId:{id}"}}
                found("range", id, slot, "mcp_word__editTask", lambda said: said["data"]["text"], must, content="select", filePath=path, meta=meta)

    def same_revisions(self, before, untouched, killed):
        for path, wanted in before.items():
            book = next((book for book in untouched if str(book.path) == path), None)
            if not book:
                continue
            found = self.again(self.reader(book).client, "get_document_revision", windowId=path)
            self.verdict.checked += 1
            if found["hash"] != wanted["hash"]:
                raise Wrong(f"{book}: nothing touched it, and it has another hash after {killed} was killed")
            if found["revision"] != wanted["revision"]:
                self.counts[f"revision ids that changed, {'unsaved' if book.is_dirty() else 'saved'} work"] += 1

    # Rounds.

    def round(self, number):
        everybody = [(actor, book) for actor in self.actors for book in actor.books]
        for _ in range(self.random.randrange(3, 9)):
            self.run(self.random_op(*self.random.choice(everybody)))
        if self.place.has_review and self.random.random() < 0.5:
            op = self.review(self.random.choice(self.books))
            if op:
                self.run(op)
        notes = self.note_ids()
        targets = ["ann", "desk", "ben"] + (["reviewer"] if self.place.has_review else ["desk"])
        target = targets[number % len(targets)]
        flight, used = [], set()
        for actor in self.random.sample(self.actors, self.random.randrange(0, 4)):
            rest = [book for book in actor.books if book not in used]
            book = self.random.choice(rest)
            used.add(book)
            flight.append(self.random_op(actor, book))
        if target == "reviewer":
            books = [book for book in self.books if book not in used]
            op = next(filter(None, (self.review(book) for book in books)), None)
            if op:
                flight.insert(0, op)
                used.add(op.book)
        self.spare(target)
        for op in flight:
            op.begin()
        time.sleep(self.random.choice([0, 0, 0.001, 0.003, 0.01, 0.03]))
        self.strike(target, flight)
        doubts = [op for op in flight if self.settle(op) == "unknown"]
        self.counts["calls in flight when something was killed"] += len(flight)
        self.start_again(target)
        for op in doubts:
            # Whoever called is gone, but the desk may still be at it.
            self.resolve(op, patience=0 if target == "desk" else 2)
        books = {id(book): book for actor in self.actors for book in actor.books}.values()
        for book in books:
            self.compare(book)
        untouched = [book for book in books if book not in used]
        self.same_ids(notes, target)
        for note in notes:
            self.same_revisions(note["revisions"], untouched, target)

    def spare(self, target):
        """A desk that ends again and again as soon as it began is given up by its callers, so it is let live a while."""
        if target == "desk" and self.place.has_desk:
            time.sleep(max(0.0, 1.2 - age(self.server.pid if self.serving else self.place.desk())))

    def strike(self, target, flight):
        self.counts[f"killed: {target}"] += 1
        self.trail.append(f"killed: {target}")
        if target == "reviewer":
            for op in flight:
                if isinstance(op, Review):
                    op.pending.kill()
        elif target == "desk":
            if self.serving or not self.place.has_desk:
                self.server.kill()
                self.server.wait()
            else:
                kill(self.place.desk())
            for actor in self.actors:
                for book in actor.books:
                    if self.place.has_desk or actor.over_http:
                        book.restarted()
        else:
            actor = next(each for each in self.actors if each.name == target)
            actor.client.kill()
            if not self.place.has_desk:
                for book in actor.books:
                    book.restarted()

    def start_again(self, target):
        if target == "desk" and (self.serving or not self.place.has_desk):
            self.address, self.server = self.place.serve(author="cyd")
            next(actor for actor in self.actors if actor.over_http).start()
        for actor in self.actors:
            if actor.name == target:
                actor.start()

    def end(self):
        """Everything is saved, and the files are what the answers said."""
        for actor in self.actors:
            for book in actor.books:
                self.run(self.save(actor, book))
                found = in_file(book.path)
                self.verdict.check(found == book.slots, lambda: f"{book}: {differences(found, book.slots)}")
        left = [path.name for path in self.place.root.iterdir() if path.name.startswith(".")]
        self.verdict.check(not left, f"left beside the documents: {left}")
        aside = list((self.place.state / "aside").rglob("*")) if (self.place.state / "aside").exists() else []
        if aside:
            self.counts["files put aside"] += len(aside)
        self.verdict.check(not self.lost_place, f"an edit elsewhere made a suggestion stale: {self.lost_place}")
        self.verdict.check(not self.nowhere, f"told that there is no desk: {self.nowhere}")
        for actor in self.actors:
            self.verdict.check(not actor.client.errors, f"{actor.name}: {actor.client.errors[:3]}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--rounds", type=int, default=200)
    arguments.add_argument("--seed", type=int)
    arguments.add_argument("--serve", action="store_true")
    arguments.add_argument("--keep", action="store_true")
    given = arguments.parse_args()
    verdict, random = Verdict("killed"), chance(given.seed)
    with Place(given.binary, keep=given.keep) as place:
        world = World(place, verdict, random, given.serve)
        number = 0
        try:
            for number in range(given.rounds):
                world.round(number)
            world.end()
        except (Wrong, Refused, Gone, Late, AssertionError) as error:
            verdict.fail(f"round {number}: {type(error).__name__} {error}")
            print("  " + "\n  ".join(world.trail))
        for what, count in sorted(world.counts.items()):
            print(f"{count:6} {what}")
    verdict.end()



if __name__ == "__main__":
    main()
