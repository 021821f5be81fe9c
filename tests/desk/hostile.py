#!/usr/bin/env python3
"""A client that tries what is not its own, and junk where the desk listens: nothing leaks, nothing changes.

    python3 tests/desk/hostile.py BINARY [--only ids|socket|folder] [--quick]

ids: a stranger with other roots and a neighbour with the same ones try the window labels, documents, tabs, sessions,
suggestions, ranges and paths of an honest client with every tool that takes such a thing. What the honest client has is
the same afterwards, and nothing that it keeps to itself is in any answer. socket: wrong, huge, slow and missing first
lines, 300 connections, a call to step down. folder: links, files and pipes where the socket, the lock or the folder
should be, and folders that are open to others or belong to somebody else. The honest client works on. Without a desk
only sessions of one `serve` are tried. Exits with 1 if anything was wrong.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import socket
import stat
import time

from arguments import Known, plausible
from client import SAMPLES, Gone, Late, Place, Refused, Seat, Verdict, chance, content, dial, eventually, handles, kill, opening, status, together

SECRET = "SECRET-4711"


class Honest:
    """A client with one of everything, and how all of it stands."""

    def __init__(self, place, client):
        self.place, self.client = place, client
        (place.root / "prose.md").write_text(f"# Prose\n\nfirst {SECRET}-prose\n\nsecond words\n")
        place.copy(SAMPLES / "contract.docx", "contract.docx")
        place.copy(SAMPLES / "budget.xlsx", "budget.xlsx")
        call = client.call
        self.tabs = [call("workspace_open_document", path="prose.md")["tabId"]]
        staged = call("apply_diff", original="second", replacement=f"{SECRET}-staged", mode="suggest", windowId="prose.md")
        self.suggestions = staged["suggestionIds"]
        call("document_insert_at_position", text="edited ", position=9, windowId="prose.md")
        page = call("read_file", file_path="contract.docx")
        self.session = re.search(r"ses_\w+", page).group(0)
        self.paragraphs = re.findall(r"jr_para_\w+", page)
        meta = {"type": "word.op", "op": "search", "version": "1.0", "args": {"query": "Supplier", "matchCase": True}}
        hit = call("mcp_word__editTask", content="search", filePath="contract.docx", meta=meta)
        self.range = hit["data"]["results"][0]["rangeId"]
        untitled = call("workspace_new_document", title="mine")
        call("document_set_content", content=f"{SECRET}-untitled\n", windowId=untitled.get("windowId", "main"))
        self.tabs = [tab["id"] for tab in call("tabs_list")["result"]]
        self.untitled = untitled.get("tabId") or self.tabs[-1]
        call("tabs_switch", tabId=self.tabs[0])
        call("selection_set", from_=2, to=5)
        self.documents = {}
        for number in range(1, 40):
            with contextlib.suppress(Refused):
                self.documents[f"doc-{number}"] = call("workspace_get_document_info", windowId=f"doc-{number}")["filePath"]

    def stands(self):
        """All of it, to be compared."""
        call = self.client.call
        seen = {"tabs": call("tabs_list"), "windows": call("workspace_list_windows"), "focused": call("workspace_get_focused")}
        seen["selection"] = call("selection_get")
        for name in ["prose.md", "contract.docx", "budget.xlsx"]:
            seen[name] = call("get_document_revision", windowId=name)["revision"], call("suggestion_list", windowId=name)["suggestions"]
        seen["prose"] = call("document_get_content", windowId="prose.md")
        seen["session"] = call("read_file", session_id=self.session)
        meta = {"type": "word.op", "op": "setSelection", "version": "1.0", "args": {"scope": f"rangeId:{self.range}"}}
        seen["range"] = call("mcp_word__editTask", content="select", sessionId=self.session, meta=meta)["data"]["text"]
        untitled = next((id for id, path in self.documents.items() if path is None), None)
        if untitled:
            seen["untitled"] = call("document_get_content", windowId=untitled)
        seen["decisions"] = call("suggestion_wait", suggestionIds=self.suggestions, seconds=0)
        for each in seen.values():
            if isinstance(each, dict):
                each.pop("notices", None)
        return seen

    def files(self):
        return {path.name: path.read_bytes() for path in self.place.root.iterdir() if path.is_file()}


def attack(verdict, attacker, honest, ids, forbidden, luck):
    """Every tool with every id in every place that takes one. `forbidden` may be in no answer."""
    tools, tried, refused = attacker.tools(), 0, 0
    places = {
        "windowId": ids["windows"], "tabId": ids["tabs"], "session_id": ids["sessions"], "sessionId": ids["sessions"],
        "suggestionId": ids["suggestions"], "suggestionIds": ids["suggestions"], "accept": ids["suggestions"], "reject": ids["suggestions"],
        "path": ids["paths"], "file_path": ids["paths"], "filePath": ids["paths"], "revised_path": ids["paths"], "meta": ids["ranges"],
    }
    for tool in tools:
        for name in tool["inputSchema"].get("properties", {}).keys() & places.keys():
            for id in places[name]:
                known = Known()
                known.windows, known.paragraphs, known.suggestions = [], honest.paragraphs[:3], list(honest.suggestions)
                arguments = plausible(tool, known, luck)
                for other in ["windowId", "session_id", "sessionId", "file_path", "filePath", "path", "tabId"]:
                    if other not in tool["inputSchema"].get("required", []):
                        arguments.pop(other, None)
                if name == "meta":
                    # Some scope of somebody else, in a document that the attacker may name.
                    args = {"scope": f"rangeId:{id}", "text": "hostile", "location": "after"}
                    arguments |= {"meta": {"type": "word.op", "op": luck.choice(["insertText", "setSelection"]), "version": "1.0", "args": args}}
                    arguments["filePath"] = honest.place.root / "contract.docx"
                    arguments["filePath"] = str(arguments["filePath"])
                else:
                    arguments[name] = [id] if name in ("suggestionIds", "accept", "reject") else id
                if "seconds" in tool["inputSchema"]["properties"]:
                    arguments["seconds"] = 0
                tried += 1
                try:
                    said = json.dumps(attacker.call(tool["name"], seconds_=20, **arguments), ensure_ascii=False)
                except Refused as no:
                    refused += 1
                    said = str(no)
                except (Late, Gone) as error:
                    verdict.fail(f"{tool['name']} {arguments}: {error!r}")
                    continue
                # What was asked for may be repeated in the refusal.
                for secret in forbidden:
                    if secret in said and secret not in json.dumps(arguments, ensure_ascii=False):
                        verdict.fail(f"{attacker.name}: {tool['name']} {json.dumps(arguments)[:200]} tells {secret}: {said[:300]}")
    verdict.checked += tried
    print(f"{attacker.name}: {tried} tries with {len(tools)} tools, {refused} refused", flush=True)


def ids(place, verdict, luck):
    elsewhere = place.folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "own.md").write_text("own\n")
    if place.has_desk:
        client = place.stdio(name="honest")
        others = [
            place.stdio(name="stranger", roots=[elsewhere]),
            place.stdio(name="stranger-with-a-say", roots=[elsewhere], approve=False, more=["--agents-may-accept"]),
            place.stdio(name="neighbour"),
        ]
    else:
        address, _ = place.serve()
        client, others = place.http(address, name="honest"), [place.http(address, name="neighbour")]
    honest = Honest(place, client)
    untitled = [id for id, path in honest.documents.items() if path is None]
    private = {
        "tabs": honest.tabs, "sessions": [honest.session], "suggestions": honest.suggestions,
        "ranges": [honest.range], "windows": [*untitled, *honest.tabs, honest.session], "paths": untitled,
    }
    honest.stands()
    before, files = honest.stands(), honest.files()
    for attacker in others:
        stranger = "stranger" in attacker.name
        of_others = dict(private)
        if stranger:
            paths = [str(place.root / name) for name in files] + [str(place.root), "prose.md", "../documents/prose.md"]
            links = elsewhere / "link.md"
            if not links.exists():
                links.symlink_to(place.root / "prose.md")
            of_others |= {"windows": [*private["windows"], *honest.documents, *paths], "paths": [*paths, *honest.documents, str(links)]}
        # A neighbour may read the documents in its roots, but not what is nobody's business.
        forbidden = [SECRET, "Northwind", "prose.md"] if stranger else [f"{SECRET}-untitled"]
        if stranger:
            of_others["paths"] = [path for path in of_others["paths"] if not str(path).startswith(("prose", ".."))]
        attack(verdict, attacker, honest, of_others, forbidden, luck)
        after = honest.stands()
        for what in before:
            verdict.check(after[what] == before[what], lambda: f"after {attacker.name}: {what} was {before[what]} and is {after[what]}"[:600])
        verdict.check(honest.files() == files, f"after {attacker.name}: files are not what they were")
        before = after
    # Deciding is for its owner and for people.
    neighbour = others[-1]
    for tool in ["suggestion_accept", "suggestion_reject"]:
        try:
            neighbour.call(tool, suggestionId=honest.suggestions[0], windowId=str(place.root / "prose.md"))
            verdict.fail(f"a neighbour decided with {tool}")
        except Refused as no:
            verdict.check(no.code in ("PERMISSION_DENIED", "permission_denied"), f"{tool}: {no}")
    for tool in ["suggestion_accept_all", "suggestion_reject_all"]:
        with contextlib.suppress(Refused):
            said = neighbour.call(tool, windowId=str(place.root / "prose.md"))
            verdict.check(said["count"] == 0, f"{tool} of a neighbour: {said}")
    with contextlib.suppress(Refused):
        said = neighbour.call("editor_undo", windowId=str(place.root / "prose.md"))
        verdict.check(not said["applied"], f"a neighbour undid: {said}")
    neighbour.call("workspace_open_document", path=str(place.root / "prose.md"))
    with contextlib.suppress(Refused):
        neighbour.call("tabs_close", force=True)
    with contextlib.suppress(Refused):
        neighbour.call("workspace_close_window", force=True)
    after = honest.stands()
    verdict.check(after["prose"] == before["prose"], "a neighbour closed the unsaved work of the honest client")
    verdict.check(after["decisions"] == before["decisions"], "a neighbour decided")
    honest.client.call("workspace_save_document", windowId="prose.md")


def junk(place, verdict, quick):
    """Whatever comes to the socket, the honest client works on."""
    client = place.stdio(name="honest")
    (place.root / "j.md").write_text("x\n")
    client.call("workspace_open_document", path="j.md")
    pid, at_rest = place.desk(), handles(place.desk())
    good = opening([place.root])
    caller = good["caller"]
    seat = Seat(place.state, **good)
    verdict.check(seat.answer.get("answer") == "welcome", f"a good hello: {seat.answer}")
    told = json.dumps(status(place.state))
    verdict.check(caller not in told, "the status tells the name of a caller, which is a key")
    firsts = {
        "no JSON": b"hello\n", "an empty line": b"\n", "an array": b"[]\n", "null": b"null\n", "not UTF-8": b"\xff\xfe{\n",
        "no fields": b"{}\n", "MCP at once": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n",
        "no roots": json.dumps({**good, "roots": None}).encode() + b"\n",
        "a wish": json.dumps({**good, "want": "everything"}).encode() + b"\n",
        "a role": json.dumps({**good, "role": "god"}).encode() + b"\n",
        "a protocol": json.dumps({**good, "protocol": -1}).encode() + b"\n",
        "other folders": json.dumps({**good, "roots": [{"path": str(place.root), "device": 1, "inode": 1}]}).encode() + b"\n",
        "no folder": json.dumps({**good, "roots": [{"path": "/no/such/folder"}]}).encode() + b"\n",
        "a relative one": json.dumps({**good, "roots": [{"path": "."}]}).encode() + b"\n",
        "nested": b"[" * 60_000 + b"\n", "half a line": b'{"protocol":1', "10 MB without end": b"x" * (10 << 20),
    }
    for what, first in firsts.items():
        line = dial(place.state)
        line.settimeout(12)
        with contextlib.suppress(OSError):
            line.sendall(first)
        try:
            said = line.recv(65536)
            verdict.check(b"welcome" not in said, f"{what}: {said[:200]}")
        except TimeoutError:
            verdict.fail(f"{what}: neither answered nor closed after 12 s")
        except OSError:
            pass
        line.close()
        verdict.check(client.call("get_document_revision")["revision"], "the honest client")
    if not quick:
        slowly(place, verdict)
    many(place, verdict, client, pid, at_rest)
    # A seat that does not speak MCP.
    for what in [b"x" * 100 + b"\n", b"\0\n", b"[" * 1000 + b"\n", b"x" * (20 << 20) + b"\n"]:
        with contextlib.suppress(OSError, Gone):
            rough = Seat(place.state, hello=False, **opening([place.root]))
            rough.raw(what)
            time.sleep(0.05)
            rough.close()
    client.call("document_insert_at_position", text="still here ", position=0)
    verdict.check(place.desks() == [pid], "the desk is another one")
    # Somebody of the same user may ask it to end; then the next one goes on with everything.
    line = dial(place.state)
    line.sendall(json.dumps({"protocol": 1, "version": "0.1.0", "want": "stepDown"}).encode() + b"\n")
    verdict.check(b"steppingDown" in line.recv(1000), "it does not step down")
    said = client.call("document_get_content")
    verdict.check(said == "still here x\n", f"after it stepped down: {said!r}")
    seat.close()
    client.close()


def slowly(place, verdict):
    """A byte at a time, and nothing at all."""
    slow, silent = dial(place.state), dial(place.state)
    began = time.monotonic()

    def closed(line, drip=None):
        line.settimeout(0.3)
        while time.monotonic() - began < 20:
            try:
                if drip:
                    line.sendall(drip)
                if not line.recv(100):
                    return time.monotonic() - began
            except TimeoutError:
                continue
            except OSError:
                return time.monotonic() - began
        return None

    found = {}
    for error in together([lambda: found.update(slow=closed(slow, b" ")), lambda: found.update(silent=closed(silent))], 30):
        verdict.fail(repr(error))
    for what in ("slow", "silent"):
        verdict.check(found.get(what) is not None, f"a {what} first line is waited for without end")
        print(f"a {what} first line: closed after {found.get(what) or float('nan'):.1f} s")

def many(place, verdict, client, pid, at_rest):
    """300 connections that say nothing."""
    lines = []
    with contextlib.suppress(OSError):
        for _ in range(300):
            lines.append(dial(place.state))
    began = time.monotonic()
    try:
        client.call("get_document_revision", seconds_=10)
        at_once = time.monotonic() - began
        late = place.stdio(name="late")
        took = time.monotonic() - began - at_once
        late.call("workspace_open_document", path="j.md")
        alone = "alone" in late.said()
        print(f"300 silent connections: {len(lines)} taken, the honest client is answered after {at_once * 1000:.0f} ms, a new one after {took:.1f} s{' and works alone' if alone else ''}")
        late.close()
    except (Late, Gone) as error:
        verdict.fail(f"with 300 silent connections: {error!r}")
    for line in lines:
        line.close()
    verdict.check(eventually(lambda: handles(pid) < at_rest + 30, 15), f"{handles(pid)} handles instead of {at_rest}")


def folder(place, verdict, quick):
    """Something else where the socket, the lock or the folder should be."""
    victim = place.folder / "victim"
    (place.root / "f.md").write_text("x\n")

    def link(path):
        victim.write_text("precious\n")
        path.symlink_to(victim)

    def listener(path):
        # Somebody who listens and never answers.
        line = socket.socket(socket.AF_UNIX)
        line.bind(str(path))
        line.listen(5)
        keep.append(line)

    keep = []
    traps = {
        "a link": link, "a file": lambda path: path.write_text("junk\n"), "a pipe": os.mkfifo, "a folder": lambda path: path.mkdir(),
        "a link to nothing": lambda path: path.symlink_to("/no/such/thing"),
    }
    if quick:
        traps = {what: traps[what] for what in ["a link", "a pipe"]}
    for number, (what, trap) in enumerate(traps.items()):
        for name in ["socket", "lock", "starting", "log"]:
            state = place.folder / f"trap-{number}-{name}"
            (state / "desk").mkdir(parents=True)
            (state / "desk").chmod(0o700)
            trap(state / "desk" / name)
            tried(place, verdict, state, f"{what} in place of the {name}")
            if what == "a link":
                verdict.check(victim.read_text() == "precious\n", f"a link in place of the {name}: what it leads to was written")
    state = place.folder / "trap-silent"
    (state / "desk").mkdir(parents=True)
    (state / "desk").chmod(0o700)
    if not quick:
        listener(state / "desk" / "socket")
        tried(place, verdict, state, "somebody who listens and never answers")
    other = place.folder / "other"
    other.mkdir()
    whole = {
        "the desk's folder is a link": lambda state: (state.mkdir(), (state / "desk").symlink_to(other)),
        "the desk's folder is a file": lambda state: (state.mkdir(), (state / "desk").write_text("")),
        "the desk's folder is open": lambda state: ((state / "desk").mkdir(parents=True), (state / "desk").chmod(0o777)),
        "the state folder is open": lambda state: (state.mkdir(), state.chmod(0o777)),
        "the state folder is a file": lambda state: state.write_text(""),
        "the state folder is a link": lambda state: ((place.folder / "real-state").mkdir(), state.symlink_to(place.folder / "real-state")),
        "the state folder is closed": lambda state: (state.mkdir(), state.chmod(0)),
    }
    if os.geteuid() == 0:
        whole["the desk's folder is somebody else's"] = lambda state: (
            (state / "desk").mkdir(parents=True), (state / "desk").chmod(0o700), os.chown(state / "desk", 65534, 65534))
        whole["the state folder is somebody else's"] = lambda state: (state.mkdir(), os.chown(state, 65534, 65534))
    for number, (what, make) in enumerate(whole.items()):
        state = place.folder / f"whole-{number}"
        make(state)
        tried(place, verdict, state, what)
    verdict.check(not list(other.iterdir()), f"a linked folder was written to: {list(other.iterdir())}")
    # What the desk itself makes is closed to others.
    state = place.folder / "modes"
    client = place.stdio(state=state)
    client.call("document_insert_at_position", text="a", position=0, windowId="f.md")
    for path in [state, *state.rglob("*")]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        if stat.S_ISSOCK(path.lstat().st_mode):
            # Whoever cannot enter its folder cannot call it either.
            continue
        verdict.check(not mode & 0o077, f"{path.relative_to(place.folder)} has mode {mode:o}")
    client.close()
    for path in place.folder.iterdir():
        for pid in place.desks(path):
            kill(pid)


def tried(place, verdict, state, what):
    """The client works, at a desk or alone, and does not hang."""
    began, client = time.monotonic(), None
    try:
        client = place.stdio(state=state, hello=False, more=["--desk-linger", "300"])
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        client.ask("initialize", hello, seconds=9)
        said = content(client.ask("tools/call", {"name": "document_get_content", "arguments": {"windowId": "f.md"}}, seconds=9))
        took = time.monotonic() - began
        how = "alone" if "alone" in client.said() else "at a desk"
        verdict.check(said == "x\n", f"{what}: {said!r}")
        if took > 3:
            print(f"  {what}: {how} only after {took:.1f} s")
        TOLD.append((what, how))
        client.close()
        verdict.check(eventually(lambda: not place.desks(state), 8), f"{what}: a desk stays behind for ever")
    except (Late, Gone, Refused) as error:
        verdict.fail(f"{what}: {type(error).__name__} {str(error)[:300]}")
        if client:
            client.kill()
    with contextlib.suppress(OSError):
        for pid in place.desks(state):
            kill(pid)


TOLD = []


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--only", choices=["ids", "socket", "folder"])
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--seed", type=int)
    given = arguments.parse_args()
    verdict, luck = Verdict("hostile"), chance(given.seed)
    parts = {
        "ids": lambda place: ids(place, verdict, luck),
        "socket": lambda place: junk(place, verdict, given.quick),
        "folder": lambda place: folder(place, verdict, given.quick),
    }
    for name, part in parts.items():
        if given.only in (None, name):
            with Place(given.binary) as place:
                if name != "ids" and not place.has_desk:
                    print(f"{name}: this binary has no desk")
                    continue
                try:
                    part(place)
                except (Gone, Late, Refused, OSError, AssertionError) as error:
                    verdict.fail(f"{name}: {type(error).__name__} {error}")
    for how in ["alone", "at a desk"]:
        names = [what for what, found in TOLD if found == how]
        if names:
            print(f"{how}: {'; '.join(names)}")
    verdict.end()


if __name__ == "__main__":
    main()
