#!/usr/bin/env python3
"""Who waits holds nobody up, what is cancelled stops, and whoever only occupies a socket loses it.

    python3 tests/desk/waiting.py BINARY [--only agents|busy|cancel|sockets] [--agents 30] [--in big.md] [--corpus ../shared/corpus]

agents: thirty agents in `suggestion_wait`; the time of others' reads before and meanwhile, and how soon a decision ends
the wait. busy: long work in one document, and the time of others' reads and edits in another. cancel: a replace-all in
10 MB of Markdown and in 50,000 Word paragraphs, and cells of a large workbook, stopped by `notifications/cancelled` and by
a client that is killed; within a second the process is idle again, and the document can be read and edited. A dropped
HTTP connection is no cancellation, says the protocol; the document can be used all the same. sockets: HTTP heads that never end, silent sockets, a thousand of them, heads without end, sessions
without use. Exits with 1 if anything was wrong.
"""
import argparse
import contextlib
import http.client
import json
import pathlib
import shutil
import socket
import threading
import time

from client import SECONDS, TOP, Gone, Http, Late, Place, Refused, Verdict, content, eventually, handles, kill, latency, quantile, threads, together
from model import package

SOON = 1.0


def reads(client, seconds, **arguments):
    """Times of a small read, over and over."""
    client.times.clear()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        client.call("get_document_revision", **arguments)
    return list(client.times)


def agents(place, verdict, count):
    address, server = place.serve(approve=False, more=["--agents-may-accept"])
    (place.root / "read.md").write_text("to be read\n")
    waiters = []
    for number in range(count):
        (place.root / f"wait{number}.md").write_text("old\n")
        name = f"waiter{number}"
        # Where there is a desk half of them come through a process of their own.
        over_stdio = place.has_desk and number % 2
        client = place.stdio(name=name, approve=False, more=["--agents-may-accept"]) if over_stdio else place.http(address, name=name)
        client.call("workspace_open_document", path=f"wait{number}.md")
        staged = client.call("apply_diff", original="old", replacement="new", mode="suggest")
        waiters.append((client, staged["suggestionIds"][0]))
    honest = place.http(address, name="honest")
    honest.call("workspace_open_document", path="read.md")
    reads(honest, 0.5)
    before = reads(honest, 3)
    waits = [(client, id, client.start("suggestion_wait", suggestionIds=[id], seconds=60)) for client, id in waiters]
    time.sleep(0.5)
    meanwhile = reads(honest, 3)
    print(f"reads before: {latency(before)}; with {count} agents waiting: {latency(meanwhile)}; {threads(server.pid)} threads")
    slower = quantile(meanwhile, 0.99) - quantile(before, 0.99)
    verdict.check(slower < max(20, quantile(before, 0.99)), f"reads are {slower:.0f} ms slower while others wait")
    verdict.check(not any(pending.there.is_set() for _, _, pending in waits), "a wait ended without a decision")
    worst = 0.0
    for client, id, pending in waits:
        client.call("suggestion_accept", suggestionId=id)
        decided = time.monotonic()
        said = content(pending.wait(10))
        worst = max(worst, time.monotonic() - decided)
        verdict.check(said["suggestions"][0]["status"] == "accepted", f"{id}: {said}")
    print(f"a decision ended the wait after {worst * 1000:.0f} ms at most")
    verdict.check(worst < SOON, f"a wait ended {worst:.1f} s after the decision")
    for client, _ in waiters:
        client.close()


def big_markdown(path, lines=130_000):
    path.write_text("".join(f"the quick brown fox jumps over the lazy dog number {n} and the end of it.\n\n" for n in range(lines)))


def big_word(path, paragraphs=50_000):
    inner = "".join(f"<w:p><w:r><w:t>paragraph {n} speaks of the fox</w:t></w:r></w:p>" for n in range(paragraphs))
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    text = f'<w:document xmlns:w="{word}"><w:body>{inner}<w:sectPr/></w:body></w:document>'
    package(path, "word/document.xml", kind, {"word/document.xml": text})


def largest(corpus):
    """The largest workbook that is no bigger than 8 MB."""
    files = [path for path in (pathlib.Path(corpus) / "xlsx").rglob("*.xlsx") if path.stat().st_size < 8 << 20]
    return max(files, key=lambda path: path.stat().st_size, default=None)


def busy(place, verdict):
    """One works for long in one document; others go on in theirs."""
    address, server = place.serve()
    big_markdown(place.root / "big.md")
    (place.root / "small.md").write_text("small\n")
    worker, honest = place.http(address, name="worker"), place.http(address, name="honest")
    honest.call("workspace_open_document", path="small.md")
    worker.call("workspace_open_document", path="big.md")
    before = reads(honest, 2)
    pending = worker.start("document_replace", search="the", replace="a", all=True)
    time.sleep(0.5)
    honest.times.clear()
    until, edits = time.monotonic() + 5, 0
    try:
        while time.monotonic() < until and not pending.there.is_set():
            honest.call("document_insert_at_position", text="x", position=0, seconds_=20)
            honest.call("document_get_content", seconds_=20)
            edits += 1
    except Late as late:
        verdict.fail(f"an edit elsewhere had to wait for a long replace-all: {late}")
    print(f"reads before: {latency(before)}; edits and reads beside a long replace-all: {edits}, {latency(honest.times)}")
    verdict.check(quantile(honest.times, 0.99) < 1000, "others are held up by one who works for long")
    server.kill()


def processor(pid):
    """Seconds of work of a process so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def idle_after(pid, seconds):
    """When the process stopped working, in seconds from now; None if it never did."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        work, at = processor(pid), time.monotonic()
        time.sleep(0.1)
        if processor(pid) - work < 0.02:
            return at - began
    return None


def cancel(place, verdict, corpus, inside=None):
    big_markdown(place.root / "big.md")
    big_word(place.root / "big.docx")
    replace = {"query": "fox", "replacement": "wolf", "all": True, "scope": "document"}
    meta = {"type": "word.op", "op": "replace", "version": "1.0", "args": replace}
    cases = [
        ("big.md", "document_replace", {"search": "the", "replace": "a", "all": True, "windowId": "big.md"}),
        ("big.docx", "ask", {"request": "Replace all fox with wolf", "file_path": "big.docx"}),
        ("big.docx", "mcp_word__editTask", {"content": "r", "filePath": "big.docx", "meta": meta}),
    ]
    workbook = largest(corpus)
    if workbook:
        shutil.copy(workbook, place.root / "big.xlsx")
        (place.root / "big.xlsx").chmod(0o644)
        cases.append(("big.xlsx", "ask", {"request": "Set Z99 to 5", "file_path": "big.xlsx"}))
    else:
        print("there is no corpus, so no large workbook is looked at")
    for name, tool, arguments in cases:
        if inside not in (None, name):
            continue
        for how in ["cancelled over stdio", "cancelled over HTTP", "dropped over HTTP"] + ["killed"] * place.has_desk:
            stop(place, verdict, name, tool, arguments, how)


def stop(place, verdict, name, tool, arguments, how):
    what = f"{tool} in {name}, {how}"
    if "HTTP" in how:
        address, server = place.serve()
        client, pid = place.http(address), server.pid
        other = lambda: place.http(address)
    else:
        client = place.stdio()
        pid = place.desk() if place.has_desk else client.pid
        other = lambda: place.stdio() if place.has_desk else client
    # Read first, so that it is the edit that is stopped and not the opening.
    began = client.call("get_document_revision", windowId=name, seconds_=180)
    idle_after(pid, 10)
    if "dropped" in how:
        stuck = drop(client, {"name": tool, "arguments": arguments})
        pending = None
    else:
        pending = client.start(tool, **arguments)
    time.sleep(0.7)
    if pending and pending.there.is_set():
        print(f"  {what}: done in {pending.took:.2f} s, before it could be stopped")
        with contextlib.suppress(Refused):
            client.call("editor_undo", windowId=name)
    else:
        at = time.monotonic()
        if how == "killed":
            client.kill()
        elif pending:
            client.cancel(pending)
        else:
            stuck.close()
        quiet = idle_after(pid, 6)
        reader = other() if how != "cancelled over stdio" else client
        try:
            after = reader.call("get_document_revision", windowId=name, seconds_=10)
            answered = time.monotonic() - at
            said = f"idle after {'more than 6' if quiet is None else f'{quiet:.1f}'} s, answers again after {answered:.1f} s"
            if "dropped" not in how:
                verdict.check(quiet is not None and quiet < SOON, f"{what}: {said}")
                verdict.check(after["hash"] == began["hash"], f"{what}: it was changed all the same")
            usable(reader, name, what, verdict)
            print(f"  {what}: {said}", flush=True)
        except (Late, Gone, Refused) as error:
            verdict.fail(f"{what}: the document is not usable: {error}")
    if "HTTP" in how:
        server.kill()
        server.wait()
    for each in place.clients:
        each.kill()
    place.clients.clear()
    for desk in place.desks():
        kill(desk)
    shutil.rmtree(place.state, ignore_errors=True)


def drop(client, params):
    """A call over a connection that can be cut."""
    body = json.dumps({"jsonrpc": "2.0", "id": "dropped", "method": "tools/call", "params": params})
    head = {**client.headers, "Mcp-Session-Id": client.session, "Host": client.address, "Content-Length": str(len(body))}
    host, port = client.address.rsplit(":", 1)
    line = socket.create_connection((host, int(port)))
    line.sendall(("POST /mcp HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in head.items()) + "\r\n" + body).encode())
    return line


def usable(client, name, what, verdict):
    if name.endswith(".md"):
        client.call("document_insert_at_position", text="x", position=0, windowId=name, seconds_=60)
    elif name.endswith(".docx"):
        client.call("ask", request="Replace 'paragraph 7 speaks' with 'paragraph 7 sings'", file_path=name, seconds_=60)
    else:
        client.call("ask", request="What is A1", file_path=name, seconds_=60)
    with contextlib.suppress(Refused):
        client.call("editor_undo", windowId=name, seconds_=60)
    verdict.checked += 1


def closed_after(line, seconds, drip=None):
    """Seconds until the other side hung up; None if it never did."""
    began = time.monotonic()
    line.settimeout(0.5)
    while time.monotonic() - began < seconds:
        try:
            if drip:
                line.sendall(drip)
            if not line.recv(4096):
                return time.monotonic() - began
        except TimeoutError:
            continue
        except OSError:
            return time.monotonic() - began
    return None


def sockets(place, verdict, patience=85):
    address, server = place.serve()
    host, port = address.rsplit(":", 1)
    dial = lambda: socket.create_connection((host, int(port)))
    (place.root / "read.md").write_text("to be read\n")
    honest = place.http(address)
    honest.call("workspace_open_document", path="read.md")
    before = reads(honest, 2)
    at_rest = handles(server.pid)
    head = f"POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    kinds = {
        "nothing said": (b"", None),
        "half a head": (head.encode(), None),
        "a head that never ends": (head.encode(), b"X-A: b\r\n"),
        "half a body": ((head + "Content-Length: 100\r\n\r\n{").encode(), None),
        "a body byte by byte": ((head + "Content-Length: 100000\r\n\r\n{").encode(), b" "),
        "quiet after an answer": (f"GET /nothing HTTP/1.1\r\nHost: {address}\r\n\r\n".encode(), None),
    }
    found = {}

    def watch(kind, first, drip):
        line = dial()
        line.sendall(first)
        found[kind] = closed_after(line, patience, drip)

    watching = [threading.Thread(target=watch, args=(kind, *how), daemon=True) for kind, how in kinds.items()]
    for each in watching:
        each.start()
    for each in watching:
        each.join(patience + 10)
    for kind in kinds:
        after = found.get(kind)
        print(f"  {kind}: {'open after ' + str(patience) if after is None else f'closed after {after:.1f}'} s", flush=True)
        verdict.check(after is not None, f"{kind}: the socket stays open for more than {patience} s")
    line = dial()
    with contextlib.suppress(OSError):
        line.sendall(head.encode() + b"X-Long: " + b"a" * (4 << 20))
    verdict.check(closed_after(line, 10) is not None, "a head of 4 MB is read")
    # A connection that rests is closed by the server, too; the session goes on over the next one.
    honest.idle.clear()
    lines = []
    with contextlib.suppress(OSError):
        for _ in range(1000):
            lines.append(dial())
    held = handles(server.pid)
    try:
        late = place.http(address, name="late")
        late.call("workspace_open_document", path="read.md", seconds_=10)
        meanwhile = reads(honest, 2)
        print(f"1,000 sockets: {held - at_rest} held, reads {latency(meanwhile)} (before {latency(before)})", flush=True)
    except (Gone, Late) as error:
        verdict.fail(f"with 1,000 silent sockets nobody is served: {error}")
    freed = eventually(lambda: handles(server.pid) < at_rest + 50, patience)
    verdict.check(held - at_rest <= 600 or freed, f"{held - at_rest} silent sockets are held, {handles(server.pid)} handles {patience} s later")
    for line in lines:
        line.close()
    eventually(lambda: handles(server.pid) < at_rest + 50, 10)
    sessions, refused = [], None
    for number in range(400):
        try:
            sessions.append(Http(address, name=f"idle{number}"))
        except (Gone, Refused) as error:
            refused = error
            break
    print(f"sessions: {len(sessions)} taken, then {refused}; {handles(server.pid)} handles", flush=True)
    verdict.check(refused is not None, "400 sessions are taken")
    honest.idle.clear()
    honest.call("get_document_revision")
    for session in sessions:
        session.close()
    verdict.check(eventually(lambda: not raises(lambda: Http(address).close()), 10), "there is no room after sessions were given back")
    verdict.check(server.poll() is None, "the server ended")


def raises(work):
    try:
        work()
    except (Gone, Refused):
        return True
    return False


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--only", choices=["agents", "busy", "cancel", "sockets"])
    arguments.add_argument("--in", dest="inside", help="cancel only what is done in this document, such as big.docx")
    arguments.add_argument("--agents", type=int, default=30)
    arguments.add_argument("--corpus", default=TOP.parent / "shared" / "corpus")
    given = arguments.parse_args()
    verdict = Verdict("waiting")
    parts = {
        "agents": lambda place: agents(place, verdict, given.agents),
        "busy": lambda place: busy(place, verdict),
        "cancel": lambda place: cancel(place, verdict, given.corpus, given.inside),
        "sockets": lambda place: sockets(place, verdict),
    }
    for name, part in parts.items():
        if given.only in (None, name):
            print(f"{name}:", flush=True)
            with Place(given.binary) as place:
                try:
                    part(place)
                except (Gone, Late, Refused, OSError) as error:
                    verdict.fail(f"{name}: {type(error).__name__} {error}")
    verdict.end()


if __name__ == "__main__":
    main()
