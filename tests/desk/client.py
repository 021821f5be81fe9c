"""A small MCP client for proofs over real processes, and a place for them to happen in.

`Stdio` talks to a process of its own, `Http` to a `docwright serve` that is there; both have the same calls. `Place` is
a temporary folder with documents, roots and a state folder; whatever was started in it is gone when it ends, a desk
that a client started for itself included. Nothing but Python 3.11 is needed.
"""
import contextlib
import http.client
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = TOP / "samples"
REVISION = "2025-11-25"
SECONDS = 60


class Gone(Exception):
    """The other side is not there any more."""


class Late(Exception):
    """No answer in time: a hang."""


class Refused(Exception):
    """A tool said no, or the protocol did."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code, self.text = code, text


class Pending:
    """A request whose answer is still to come."""

    def __init__(self, number):
        self.number, self.began, self.took = number, time.monotonic(), None
        self.answer, self.gone, self.there = None, None, threading.Event()

    def settle(self, answer=None, gone=None):
        self.took = time.monotonic() - self.began
        self.answer, self.gone = answer, gone
        self.there.set()

    def wait(self, seconds=SECONDS):
        if not self.there.wait(seconds):
            raise Late(f"request {self.number} had no answer after {seconds} s")
        if self.gone is not None:
            raise Gone(self.gone)
        if "error" in self.answer:
            error = self.answer["error"]
            raise Refused((error.get("data") or {}).get("code") or error.get("code"), error.get("message"))
        return self.answer["result"]


def content(result):
    """What a tool answered: its structured content, or its text."""
    text = "\n".join(part.get("text", "") for part in result.get("content", [])[:1])
    said = result.get("structuredContent")
    error = (result.get("_meta") or {}).get("docwright/error")
    if result.get("isError"):
        raise Refused((error or {}).get("code") or text.split(":", 1)[0], text)
    if isinstance(said, dict) and said.get("ok") is False:
        raise Refused(said.get("code") or "NOT_OK", text)
    return said if said is not None else text


class Client:
    """What both transports share. `times` has the seconds of every call that was answered."""

    name = "client"

    def __init__(self):
        self.numbers, self.times, self.errors = itertools.count(1), [], []

    def shake_hands(self):
        hello = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": self.name, "version": "1"}}
        self.server = self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method, params=None, seconds=SECONDS):
        return self.begin(method, params).wait(seconds)

    def start(self, tool, **arguments):
        """A tool's call in flight. A trailing `_` of a name goes: `from_` is `from`."""
        arguments = {key.rstrip("_"): value for key, value in arguments.items()}
        return self.begin("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool, seconds_=SECONDS, **arguments):
        pending = self.start(tool, **arguments)
        result = pending.wait(seconds_)
        self.times.append(pending.took)
        return content(result)

    def cancel(self, pending):
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": pending.number}})

    def tools(self):
        found, cursor = [], None
        while True:
            page = self.ask("tools/list", {"cursor": cursor} if cursor else {})
            found, cursor = found + page["tools"], page.get("nextCursor")
            if not cursor:
                return found


class Lines(Client):
    """A client that speaks in lines; `incoming` and `outgoing` are its streams."""

    def __init__(self, name):
        super().__init__()
        self.name, self.waiting, self.lock, self.notes = name, {}, threading.Lock(), []

    def read(self):
        with contextlib.suppress(OSError, ValueError):
            for line in self.incoming:
                self.take(line)
        with self.lock:
            left, self.waiting = list(self.waiting.values()), None
        for pending in left:
            pending.settle(gone=f"{self.name} ended: {self.said()[-300:]}")

    def take(self, line):
        message = json.loads(line)
        with self.lock:
            pending = self.waiting.pop(message.get("id"), None) if "method" not in message else None
        if pending:
            pending.settle(message)
        elif "method" in message:
            self.notes.append(message)
        else:
            self.errors.append(f"an answer that nobody waited for: {line[:200]!r}")

    def said(self):
        return ""

    def send(self, message):
        self.raw(json.dumps(message).encode() + b"\n")

    def raw(self, line):
        try:
            self.outgoing.write(line)
            self.outgoing.flush()
        except (ValueError, OSError) as error:
            raise Gone(f"{self.name}: {error}") from None

    def begin(self, method, params=None):
        pending = Pending(next(self.numbers))
        with self.lock:
            if self.waiting is None:
                raise Gone(f"{self.name} has ended: {self.said()[-300:]}")
            self.waiting[pending.number] = pending
        self.send({"jsonrpc": "2.0", "id": pending.number, "method": method, "params": params or {}})
        return pending


class Stdio(Lines):
    def __init__(self, binary, *arguments, name="stdio", hello=True, environment=None):
        super().__init__(name)
        command = [str(binary), "mcp", *map(str, arguments)]
        self.stderr = tempfile.TemporaryFile()
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.stderr}
        self.process = subprocess.Popen(command, env=environment, **pipes)
        self.pid, self.incoming, self.outgoing = self.process.pid, self.process.stdout, self.process.stdin
        threading.Thread(target=self.read, daemon=True).start()
        if hello:
            self.shake_hands()

    def said(self):
        """What it said on stderr."""
        size = os.fstat(self.stderr.fileno()).st_size
        return os.pread(self.stderr.fileno(), size, 0).decode(errors="replace")

    def close(self, seconds=15):
        with contextlib.suppress(OSError):
            self.outgoing.close()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Late(f"{self.name} did not end {seconds} s after its input did") from None

    def kill(self):
        self.process.kill()
        self.process.wait()


class Seat(Lines):
    """A connection to the desk's own socket, without a process between: what the first line says is up to the caller."""

    def __init__(self, state, name="seat", hello=True, **opening):
        super().__init__(name)
        self.socket = dial(state)
        self.incoming, self.outgoing = self.socket.makefile("rb"), self.socket.makefile("wb")
        self.answer = self.say(opening) if opening else None
        threading.Thread(target=self.read, daemon=True).start()
        if hello and self.answer and self.answer.get("answer") == "welcome":
            self.shake_hands()

    def say(self, opening):
        self.send(opening)
        return json.loads(self.incoming.readline() or b"{}")

    def close(self, seconds=15):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    kill = close


def dial(state, seconds=10):
    """The desk's socket. Its name may be too long for an address, so it is called from its folder."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(seconds)
    folder = os.open(pathlib.Path(state) / "desk", os.O_RDONLY)
    try:
        line.connect(f"/proc/self/fd/{folder}/socket")
    finally:
        os.close(folder)
    return line


def opening(roots, role="agent", author="Seat", version="0.1.0", caller=None, want="seat", approve=True, **more):
    """The first line that a forwarder says to the desk."""
    found = [(pathlib.Path(root).resolve(), os.stat(root)) for root in roots]
    policies = dict.fromkeys(["markdown", "word", "excel"], "apply") if approve else {}
    return {
        "protocol": 1, "version": version, "want": want, "role": role, "author": author, "program": "proof",
        "caller": caller or f"{random.getrandbits(128):032x}", "pid": os.getpid(), "tools": {"sets": ["all"]},
        "roots": [{"path": str(path), "device": stat.st_dev, "inode": stat.st_ino} for path, stat in found],
        "approval": policies | {"agentsMayAccept": approve}, **more,
    }


def status(state):
    """What the desk says of itself and who is there; None without one."""
    try:
        line = dial(state)
    except OSError:
        return None
    with line:
        line.sendall(json.dumps({"protocol": 1, "version": "0.1.0", "want": "status"}).encode() + b"\n")
        return json.loads(line.makefile("rb").readline() or b"null")


class Http(Client):
    """One session over Streamable HTTP. Each request in flight has a connection to itself; idle ones are used again."""

    def __init__(self, address, name="http", hello=True, token=None):
        super().__init__()
        self.address, self.name, self.session, self.idle = address, name, None, []
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        if hello:
            self.shake_hands()

    def post(self, message, seconds=180):
        """The answer to a message, None to a notification."""
        headers = dict(self.headers)
        if self.session:
            headers |= {"Mcp-Session-Id": self.session, "MCP-Protocol-Version": REVISION}
        body = json.dumps(message).encode()
        try:
            connection = self.idle.pop()
        except IndexError:
            connection = http.client.HTTPConnection(self.address, timeout=seconds)
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.request("POST", "/mcp", body, headers)
        answer = connection.getresponse()
        self.session = self.session or answer.getheader("mcp-session-id")
        text, until = b"", time.monotonic() + seconds
        # A stream is kept alive by comments, so that a silent server is not late by itself.
        while line := answer.readline():
            text += line
            if time.monotonic() > until:
                connection.close()
                raise TimeoutError(f"no answer after {seconds} s")
        text = (text + answer.read()).decode()
        self.idle.append(connection)
        if answer.status not in (200, 202):
            with contextlib.suppress(ValueError):
                return json.loads(text)
            raise Gone(f"{self.name}: {answer.status} {text[:200]}")
        if (answer.getheader("content-type") or "").startswith("text/event-stream"):
            datas = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
            messages = [json.loads(data) for data in datas if data]
            return next((each for each in messages if each.get("id") == message.get("id")), None)
        return json.loads(text) if text.strip() else None

    def send(self, message):
        try:
            self.post(message)
        except (OSError, http.client.HTTPException) as error:
            raise Gone(f"{self.name}: {error}") from None

    def begin(self, method, params=None):
        pending = Pending(next(self.numbers))
        message = {"jsonrpc": "2.0", "id": pending.number, "method": method, "params": params or {}}

        def work():
            try:
                answer = self.post(message)
                pending.settle(answer, None if answer else f"{self.name}: an empty answer")
            except (OSError, http.client.HTTPException, Gone, ValueError) as error:
                pending.settle(gone=f"{self.name}: {error!r}")

        threading.Thread(target=work, daemon=True).start()
        return pending

    def ask(self, method, params=None, seconds=SECONDS):
        # In this thread: a thread for each call would be part of what is measured.
        pending = Pending(next(self.numbers))
        message = {"jsonrpc": "2.0", "id": pending.number, "method": method, "params": params or {}}
        try:
            answer = self.post(message, seconds)
        except (OSError, http.client.HTTPException) as error:
            raise (Late if isinstance(error, TimeoutError) else Gone)(f"{self.name}: {error!r}") from None
        pending.settle(answer, None if answer else f"{self.name}: an empty answer")
        return pending.wait(0)

    def call(self, tool, seconds_=SECONDS, **arguments):
        arguments = {key.rstrip("_"): value for key, value in arguments.items()}
        began = time.monotonic()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments}, seconds_)
        self.times.append(time.monotonic() - began)
        return content(result)

    def close(self, seconds=15):
        headers = dict(self.headers) | {"Mcp-Session-Id": self.session or "", "MCP-Protocol-Version": REVISION}
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection(self.address, timeout=seconds)
            connection.request("DELETE", "/mcp", headers=headers)
            connection.getresponse().read()
            connection.close()
        while self.idle:
            self.idle.pop().close()

    kill = close


class Place:
    """A folder to prove something in: `root` for documents, `state` for the journal, and every process that was started."""

    def __init__(self, binary, keep=False):
        self.binary = pathlib.Path(binary).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="docwright-desk-"))
        self.root, self.state, self.keep = self.folder / "documents", self.folder / "state", keep
        self.root.mkdir()
        self.clients, self.servers = [], []
        self.has_desk = "--alone" in self.said("mcp", "--help")
        self.has_review = "review" in self.said("--help")

    def __enter__(self):
        # Whoever stops the script shall not leave its processes behind.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        return self

    def __exit__(self, kind, *_):
        for client in self.clients:
            if isinstance(client, Stdio):
                client.kill()
        for server in self.servers:
            server.kill()
            server.wait()
        for pid in self.desks():
            kill(pid)
        if self.keep:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    def said(self, *arguments, seconds=SECONDS):
        done = subprocess.run([self.binary, *map(str, arguments)], capture_output=True, text=True, timeout=seconds)
        return done.stdout + done.stderr

    def options(self, roots=None, author=None, tools="all", approve=True, more=(), state=None):
        options = ["--state-dir", state or self.state, "--tools", tools]
        for root in roots if roots is not None else [self.root]:
            options += ["--root", root]
        if author:
            options += ["--author", author]
        return [*options, *(["--auto-approve"] if approve else []), *more]

    def stdio(self, name="stdio", hello=True, environment=None, **options):
        client = Stdio(self.binary, *self.options(author=name, **options), name=name, hello=hello, environment=environment)
        self.clients.append(client)
        return client

    def serve(self, **options):
        """A `docwright serve` on a free port; its address, and the process."""
        command = [self.binary, "serve", "--listen", "127.0.0.1:0", "--json", *self.options(**options)]
        log = open(self.folder / f"serve-{len(self.servers)}.log", "wb")
        server = subprocess.Popen([str(each) for each in command], stdout=subprocess.PIPE, stderr=log)
        self.servers.append(server)
        line = server.stdout.readline()
        if not line:
            raise Gone(f"serve ended: {(self.folder / log.name).read_text()}")
        return json.loads(line)["address"], server

    def http(self, address, name="http", **options):
        client = Http(address, name=name, **options)
        self.clients.append(client)
        return client

    def desks(self, state=None):
        """Processes that are the desk of the state folder, or are about to be."""
        wanted, found = str((state or self.state).resolve()), []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                    if words[1:2] == ["desk"] and wanted in words and (entry / "stat").read_text().split()[2] != "Z":
                        found.append(int(entry.name))
        return found

    def desk(self):
        """The one desk process of the state folder."""
        found = self.desks()
        if len(found) != 1:
            raise AssertionError(f"{len(found)} desks instead of one: {found}")
        return found[0]

    def copy(self, sample, name):
        shutil.copy(sample, self.root / name)
        (self.root / name).chmod(0o644)
        return self.root / name

    def journal_bytes(self, but=None):
        """What the state folder has, except in folders whose name begins with `but`."""
        size = 0
        for folder, _, names in os.walk(self.state):
            for name in names if not but or not os.path.basename(folder).startswith(but) else []:
                with contextlib.suppress(OSError):
                    size += os.lstat(os.path.join(folder, name)).st_size
        return size


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 9)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def eventually(true, seconds=10, pause=0.02):
    """Whether something comes to be within the time."""
    until = time.monotonic() + seconds
    while not (found := true()):
        if time.monotonic() > until:
            return False
        time.sleep(pause)
    return found


def memory(pid):
    """Resident and private kilobytes of a process."""
    rolled = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    value = lambda name: sum(int(line.split()[1]) for line in rolled.splitlines() if line.startswith(name))
    return value("Rss:"), value("Private_Clean:") + value("Private_Dirty:")


def age(pid):
    """Seconds since a process began."""
    began = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19])
    return float(pathlib.Path("/proc/uptime").read_text().split()[0]) - began / os.sysconf("SC_CLK_TCK")


def handles(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


def quantile(times, part):
    """In milliseconds."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000 if times else float("nan")


def latency(times):
    middle = statistics.median(times) * 1000 if times else float("nan")
    return f"p50 {middle:.1f} ms, p99 {quantile(times, 0.99):.1f} ms, most {quantile(times, 1):.1f} ms"


class Verdict:
    """Counts what was checked; the first few failures are printed, and the last line says how it went."""

    def __init__(self, what):
        self.what, self.checked, self.failures, self.began = what, 0, [], time.monotonic()

    def check(self, good, why):
        self.checked += 1
        if not good:
            self.fail(why() if callable(why) else why)
        return good

    def fail(self, why):
        self.failures.append(why)
        if len(self.failures) <= 20:
            print(f"WRONG {why}", flush=True)

    def end(self):
        took = time.monotonic() - self.began
        word = f"{len(self.failures)} wrong" if self.failures else "ok"
        print(f"{self.what}: {word}, {self.checked} checks, {took:.1f} s", flush=True)
        sys.exit(1 if self.failures else 0)


def together(works, seconds):
    """Runs functions beside one another; what they raised comes back, with a `Late` for one that hangs."""
    raised = []

    def run(work):
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever it was is a finding
            raised.append(error)

    all_of_them = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for each in all_of_them:
        each.start()
    until = time.monotonic() + seconds
    for each in all_of_them:
        each.join(max(0.0, until - time.monotonic()))
        if each.is_alive():
            raised.append(Late(f"not done after {seconds} s"))
    return raised


def chance(seed=None):
    seed = seed if seed is not None else random.randrange(1 << 32)
    print(f"seed {seed}")
    return random.Random(seed)
