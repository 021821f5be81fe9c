#!/usr/bin/env python3
"""How a desk begins and ends, and what it costs.

    python3 tests/desk/first.py BINARY [--times 20]

Two first clients at once start one desk, so many times; one that left its socket behind is followed by the next; an
older desk makes way for a newer client and a newer one serves an older client, with documents and unsaved work; `--alone`
starts none; `serve` takes over and gives back; the desk ends when the last one left. Prints start to `tools/list` with a
desk, without one and alone, memory of forwarder and desk, and the round trip through the forwarder beside the direct one.
Exits with 1 if anything was wrong.
"""
import argparse
import statistics
import sys
import time

from client import Gone, Place, Refused, Verdict, eventually, kill, latency, memory, status, together

LINGER = 400


def quick_end(linger=LINGER):
    return ["--desk-linger", linger]


def both_first(place, verdict, times):
    """Two clients at once, and nobody there before."""
    (place.root / "a.md").write_text("a\n")
    for number in range(times):
        state, found = place.folder / f"state-{number}", []

        def begin(name):
            client = place.stdio(name=name, state=state, more=quick_end(5000))
            client.call("workspace_open_document", path="a.md")
            found.append(client)

        for error in together([lambda: begin("one"), lambda: begin("two")], 30):
            verdict.fail(f"two first clients: {error!r}")
        desks = place.desks(state)
        verdict.check(len(desks) == 1, f"{len(desks)} desks for two first clients")
        there = status(state) or {}
        verdict.check(len(there.get("callers", [])) == 2, f"at the desk: {there}")
        for client in found:
            verdict.check("alone" not in client.said(), f"{client.name} works alone: {client.said()}")
            client.kill()
        for pid in desks:
            kill(pid)


def stale_socket(place, verdict):
    state = place.folder / "stale"
    first = place.stdio(state=state)
    (place.root / "stale.md").write_text("x\n")
    first.call("document_insert_at_position", text="unsaved ", position=0, windowId="stale.md")
    kill(place.desks(state)[0])
    verdict.check((state / "desk" / "socket").exists(), "the killed desk left no socket, so nothing is tried")
    second = place.stdio(state=state)
    said = second.call("document_get_content", windowId="stale.md")
    verdict.check(said == "unsaved x\n", f"behind a stale socket: {said!r}")
    said = first.call("document_get_content", windowId="stale.md")
    verdict.check(said == "unsaved x\n", f"the first client goes on: {said!r}")
    verdict.check(len(place.desks(state)) == 1, "one desk follows")
    verdict.check("alone" not in second.said(), f"the second works alone: {second.said()}")
    leave(place, state, first, second)


def versions(place, verdict):
    state = place.folder / "versions"
    (place.root / "v.md").write_text("x\n")
    older = place.stdio(name="older", state=state, more=["--desk-version", "0.0.1"])
    older.call("document_insert_at_position", text="older ", position=0, windowId="v.md")
    tab = older.call("workspace_open_document", path="v.md")["tabId"]
    first = status(state)
    verdict.check(first["version"] == "0.0.1", f"the older client starts an older desk: {first}")
    newer = place.stdio(name="newer", state=state, more=["--desk-version", "9.0.0"])
    said = newer.call("document_get_content", windowId="v.md")
    second = status(state)
    verdict.check(second["version"] == "9.0.0" and second["pid"] != first["pid"], f"a newer client is at {second}")
    verdict.check(said == "older x\n", f"the newer desk has {said!r}")
    again = older.call("document_insert_at_position", text="still ", position=0, windowId="v.md")
    verdict.check(again["applied"], f"the older client is served: {again}")
    same = older.call("tabs_get_info", tabId=tab)
    verdict.check(same["filePath"].endswith("v.md"), f"its tab is {same}")
    third = place.stdio(name="third", state=state, more=["--desk-version", "0.0.2"])
    said = third.call("document_get_content", windowId="v.md")
    verdict.check(said == "still older x\n" and status(state)["pid"] == second["pid"], f"an older one who comes later: {said!r}")
    undone = older.call("editor_undo", windowId="v.md")
    verdict.check(undone["applied"], f"undo over the change of desks: {undone}")
    undone = older.call("editor_undo", windowId="v.md")
    said = newer.call("document_get_content", windowId="v.md")
    verdict.check(said == "x\n", f"what was done at the older desk is undone at the newer: {said!r}")
    leave(place, state, older, newer, third)


def on_its_own(place, verdict):
    state = place.folder / "alone"
    client = place.stdio(state=state, more=["--alone"])
    client.call("workspace_open_document", path="a.md")
    verdict.check(not place.desks(state) and not (state / "desk" / "socket").exists(), "--alone started a desk")
    client.close()


def served(place, verdict):
    """`serve` is the desk while it runs, also for those who were there before."""
    state = place.folder / "served"
    (place.root / "s.md").write_text("x\n")
    before = place.stdio(name="before", state=state)
    before.call("document_insert_at_position", text="1", position=0, windowId="s.md")
    address, server = place.serve(state=state)
    verdict.check(eventually(lambda: not place.desks(state), 10), "the desk stays beside serve")
    over_http = place.http(address)
    said = over_http.call("document_get_content", windowId="s.md")
    verdict.check(said == "1x\n", f"serve has {said!r}")
    before.call("document_insert_at_position", text="2", position=0, windowId="s.md")
    said = over_http.call("document_get_content", windowId="s.md")
    verdict.check(said == "21x\n", f"after the other's edit serve has {said!r}")
    over_http.close()
    server.terminate()
    verdict.check(server.wait(15) == 0, "serve ends badly")
    before.call("document_insert_at_position", text="3", position=0, windowId="s.md")
    said = before.call("document_get_content", windowId="s.md")
    verdict.check(said == "321x\n" and len(place.desks(state)) == 1, f"after serve ended: {said!r}")
    leave(place, state, before)


def ends(place, verdict):
    state = place.folder / "ends"
    one, two = place.stdio(state=state, more=quick_end()), place.stdio(state=state, more=quick_end())
    pid = place.desks(state)[0]
    one.close()
    time.sleep(LINGER / 1000 * 2)
    verdict.check(place.desks(state) == [pid], "the desk ended while a client was there")
    two.close()
    began = time.monotonic()
    gone = eventually(lambda: not place.desks(state), 10)
    print(f"the desk ended {time.monotonic() - began:.2f} s after the last one left (told to wait {LINGER / 1000} s)")
    verdict.check(gone, "the desk stays though nobody is there")
    verdict.check(not (state / "desk" / "socket").exists(), "its socket stays")


def leave(place, state, *clients):
    for client in clients:
        client.close()
    for pid in place.desks(state):
        kill(pid)


def to_tools(place, **options):
    began = time.monotonic()
    client = place.stdio(tools="core", **options)
    client.ask("tools/list")
    return time.monotonic() - began, client


def figures(place, verdict, times):
    times = max(times, 5)
    state = place.folder / "figures"
    cold, warm, alone = [], [], []
    for number in range(times):
        fresh = place.folder / f"cold-{number}"
        took, client = to_tools(place, state=fresh, more=quick_end(100))
        cold.append(took)
        leave(place, fresh, client)
        took, client = to_tools(place, state=place.folder / "alone-figures", more=["--alone"])
        alone.append(took)
        client.close()
    keeper = place.stdio(state=state, tools="core")
    for _ in range(times):
        took, client = to_tools(place, state=state)
        warm.append(took)
        client.close()
    middle = lambda seconds: f"{statistics.median(seconds) * 1000:.1f} ms"
    print(f"start to tools/list: {middle(warm)} with a desk, {middle(cold)} when it starts one, {middle(alone)} alone")
    (place.root / "f.md").write_text("x\n")
    direct = place.stdio(state=place.folder / "alone-figures", tools="core", more=["--alone"])
    for what, client in [("through the forwarder", keeper), ("alone", direct)]:
        client.call("workspace_open_document", path="f.md")
        for _ in range(50):
            client.call("get_document_revision")
        client.times.clear()
        for _ in range(500):
            client.call("get_document_revision")
        print(f"round trip {what}: {latency(client.times)}")
    for what, pid in [("forwarder", keeper.pid), ("desk", place.desks(state)[0]), ("alone", direct.pid)]:
        resident, private = memory(pid)
        print(f"{what}: {resident / 1024:.1f} MB resident, {private / 1024:.1f} MB private")
    leave(place, state, keeper, direct)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--times", type=int, default=20)
    given = arguments.parse_args()
    verdict = Verdict("first")
    with Place(given.binary) as place:
        if not place.has_desk:
            print("first: this binary has no desk")
            sys.exit(0)
        (place.root / "a.md").write_text("a\n")
        for part in [lambda p, v: both_first(p, v, given.times), stale_socket, versions, on_its_own, served, ends, lambda p, v: figures(p, v, given.times)]:
            try:
                part(place, verdict)
            except (Gone, Refused, OSError, IndexError, TypeError) as error:
                verdict.fail(f"{getattr(part, '__name__', 'part')}: {type(error).__name__} {error}")
        left = [pid for path in place.folder.iterdir() for pid in place.desks(path)]
        for pid in left:
            kill(pid)
    verdict.end()


if __name__ == "__main__":
    main()
