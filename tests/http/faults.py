#!/usr/bin/env python3
"""What is around the server fails: nothing accepted is lost or done twice, and nobody waits for somebody else.

    python3 tests/http/faults.py target/debug/docwright [slow-reader] [disk-full] [postgres]

- slow-reader: a client opens the stream of a long answer and reads nothing; the run, its other readers and other sessions
  go on.
- disk-full: the disk of state and documents fills up in the middle of changes. What is refused is refused in words, and is
  made once when it is sent again under its key. Needs root, for a small tmpfs.
- postgres: PostgreSQL is started anew three times under load. What fails is sent again under its key. Needs PostgreSQL.

A part that cannot be tried here says SKIPPED and why.
"""

import argparse
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from server import Api, Refused, serve

PIECES = 400
LONG = "A sentence of an answer that has no end in sight. " * 20


class Talker(http.server.BaseHTTPRequestHandler):
    """A model that talks for four hundred pieces."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"data":[]}')

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for _ in range(PIECES):
            piece = {"choices": [{"delta": {"content": LONG}, "finish_reason": None}]}
            self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
        done = {"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}
        self.wfile.write(f"data: {json.dumps(done)}\n\ndata: [DONE]\n\n".encode())


class Skipped(Exception):
    """It cannot be tried here."""


def begun(base, **about):
    made = Api(base)("POST", "/session/create", {"user_id": "Tester", **about})
    return Api(base, made["session_token"])


def slow_reader(binary):
    models = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Talker)
    threading.Thread(target=models.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as docs, tempfile.TemporaryDirectory() as state:
        pathlib.Path(docs, "notes.md").write_text("# Notes\n")
        url = f"http://127.0.0.1:{models.server_address[1]}/v1"
        wide = [part for kind in ("chat", "document") for part in ("--rate", f"{kind}=100000")]
        with serve(binary, docs, state, "--policy", "markdown=apply", "--provider", "openai", "--model", "m", "--model-url", url, *wide) as (base, _):
            one, other = begun(base), begun(base)
            run = one("POST", "/chat/send", {"message": "Talk", "stream": True})
            at = urllib.parse.urlsplit(base)
            slow = socket.create_connection((at.hostname, at.port))
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.sendall(f"GET {run['stream_url']} HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n".encode())
            worst = 0
            began = time.monotonic()
            while True:
                asked = time.monotonic()
                other("GET", "/document/context/notes.md")
                worst = max(worst, time.monotonic() - asked)
                events = one("GET", f"/chat/history/{run['session_id']}?limit=1")["messages"]
                if events[0]["status"] != "running":
                    break
                if time.monotonic() - began > 180:
                    raise SystemExit("slow-reader: the run waits for its slow reader")
            assert events[0]["status"] == "completed", events[0]["error"]
            whole = len(LONG) * PIECES
            assert len(events[0]["llm_response"]) == whole, len(events[0]["llm_response"])
            # The slow one gets all of it in the end.
            text = b""
            slow.settimeout(20)
            while b'"is_complete":true' not in text[-4096:]:
                piece = slow.recv(1 << 16)
                if not piece:
                    raise SystemExit("slow-reader: its stream was cut")
                text += piece
            assert text.count(b"A sentence of an answer") == whole // len(LONG) * 20
    return {"answer_bytes": whole, "run_seconds": round(time.monotonic() - began, 2), "others_worst_ms": round(worst * 1000, 1)}


@contextlib.contextmanager
def small_disk(megabytes):
    if os.name != "posix" or os.geteuid() != 0:
        raise Skipped("a small disk needs root")
    folder = tempfile.mkdtemp()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], capture_output=True, text=True)
    if mounted.returncode:
        os.rmdir(folder)
        raise Skipped(f"no tmpfs here: {mounted.stderr.strip()}")
    try:
        yield pathlib.Path(folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=False)
        os.rmdir(folder)


def answered(session, path, body, key, seconds=60):
    """Sends a request again under its key until it is answered; how often it was refused for want of something."""
    refused = 0
    until = time.monotonic() + seconds
    while True:
        try:
            return session("POST", path, body, {"Idempotency-Key": key}), refused
        except Refused as error:
            if error.status < 500 and error.status != 429:
                raise
        except OSError:
            session.connection = None
        refused += 1
        if time.monotonic() > until:
            raise SystemExit(f"{path} under {key} was refused for {seconds} seconds")
        time.sleep(0.2)


def disk_full(binary):
    with small_disk(48) as disk:
        docs, state = disk / "docs", disk / "state"
        docs.mkdir()
        state.mkdir()
        (docs / "notes.md").write_text("# Notes\n\nFirst.\n")
        with serve(binary, docs, state, "--policy", "markdown=apply", "--rate", "document=100000", "--rate", "chat=100000") as (base, _):
            session = begun(base, document_id="notes.md")
            change = lambda word: {"document_id": "notes.md", "changes": [
                {"type": "insert", "position": {"text": "First.", "place": "after"}, "content": f" {word}."}]}
            answered(session, "/document/apply-changes", change("before"), "before")
            filler = disk / "filler"
            with contextlib.suppress(OSError):
                with open(filler, "wb") as full:
                    while True:
                        full.write(b"x" * 4096)
                        full.flush()
            failed, worst = 0, 0
            for number in range(6):
                asked = time.monotonic()
                try:
                    # A change may fit into what the database has in hand: then it is made, and that is said.
                    session("POST", "/document/apply-changes", change(f"full{number}"), {"Idempotency-Key": f"full{number}"})
                except Refused as error:
                    failed += 1
                    assert "error" in error.body and error.body["error"]["message"], error.body
                try:
                    session("POST", "/chat/send", {"message": "find First"})
                except Refused as error:
                    failed += 1
                    assert error.status == 503, (error.status, error.body)
                worst = max(worst, time.monotonic() - asked)
            Api(base)("GET", "/health/mcp")
            filler.unlink()
            for number in range(6):
                done, _ = answered(session, "/document/apply-changes", change(f"full{number}"), f"full{number}")
            again = session("POST", "/document/apply-changes", change("after"))
            assert again["saved"], again
            assert session("POST", "/chat/send", {"message": "find First"})["status"] == "completed"
            text = (docs / "notes.md").read_text()
            for word in ["before", *(f"full{number}" for number in range(6)), "after"]:
                assert text.count(f" {word}.") == 1, (word, text)
    return {"refused_while_full": failed, "worst_seconds": round(worst, 2)}


class Postgres:
    def __init__(self, folder):
        programs = shutil.which("initdb") and shutil.which("pg_ctl")
        if not programs:
            raise Skipped("there is no PostgreSQL here (initdb, pg_ctl)")
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.user and subprocess.run([*self.user, "true"], capture_output=True).returncode:
            raise Skipped("PostgreSQL does not run as root, and there is no user postgres")
        os.chmod(folder, 0o755)
        self.folder = pathlib.Path(folder, "postgres")
        self.folder.mkdir()
        if self.user:
            shutil.chown(self.folder, "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.do("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "tester", "--no-sync")
        self.control("start")

    def do(self, *command):
        subprocess.run([*self.user, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def control(self, what, *more):
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -c fsync=off"
        self.do("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "-o", options, *more, what)

    url = property(lambda self: f"postgres://tester@127.0.0.1:{self.port}/postgres")


def postgres(binary):
    with tempfile.TemporaryDirectory() as docs, tempfile.TemporaryDirectory() as state:
        database = Postgres(state)
        workers, each = 4, 60
        words = {worker: [f"w{worker}x{number}" for number in range(each)] for worker in range(workers)}
        for worker in words:
            pathlib.Path(docs, f"n{worker}.md").write_text("# Notes\n\nFirst.\n")
        os.environ["DOCWRIGHT_DATABASE"] = database.url
        os.environ["DOCWRIGHT_STORE_KEY"] = "test" * 10
        try:
            with serve(binary, docs, state, "--policy", "markdown=apply", "--rate", "chat=100000", "--rate", "session=1000") as (base, _):
                failures, refusals = [], []

                def work(worker):
                    try:
                        name = f"n{worker}.md"
                        session = begun(base, document_id=name)
                        for word in words[worker]:
                            body = {"message": f"Add a paragraph at the end saying {word}"}
                            done, refused = answered(session, "/chat/send", body, word)
                            refusals.append(refused)
                            if done["status"] != "completed":
                                failures.append((word, done["status"], done["error"]))
                    except BaseException as error:  # A thread has nobody else to tell.
                        failures.append((worker, repr(error)))

                threads = [threading.Thread(target=work, args=(worker,)) for worker in words]
                for thread in threads:
                    thread.start()
                for mode in ["fast", "immediate", "fast"]:
                    time.sleep(1)
                    database.control("restart", "-m", mode)
                for thread in threads:
                    thread.join()
                texts = {worker: pathlib.Path(docs, f"n{worker}.md").read_text() for worker in words}
                twice = [word for worker in words for word in words[worker] if texts[worker].split().count(word) > 1]
                lost = [word for worker in words for word in words[worker] if word not in texts[worker].split()]
                assert not twice, f"done twice: {twice}"
                excused = {failure[0] for failure in failures}
                assert not [word for word in lost if word not in excused], f"lost {len(lost)}: {lost[:9]} {failures[:3]}"
        finally:
            for name in ("DOCWRIGHT_DATABASE", "DOCWRIGHT_STORE_KEY"):
                os.environ.pop(name, None)
            database.control("stop", "-m", "immediate")
    return {"messages": workers * each, "sent_again": sum(1 for refused in refusals if refused), "failed": failures[:5], "failed_count": len(failures)}


PARTS = {"slow-reader": slow_reader, "disk-full": disk_full, "postgres": postgres}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("binary")
    options.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    options = options.parse_args()
    for name in options.parts or PARTS:
        try:
            print(name, json.dumps(PARTS[name](options.binary)))
        except Skipped as why:
            print(f"{name} SKIPPED: {why}")


if __name__ == "__main__":
    sys.exit(main())
