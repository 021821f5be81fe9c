"""A docwright server of one's own for a script: a folder of documents, a state folder, a free port."""

import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import time
import urllib.parse

TOP = pathlib.Path(__file__).resolve().parents[2]


class Refused(Exception):
    """An answer that is no 2xx."""

    def __init__(self, status, body, headers):
        super().__init__(f"{status}: {body}")
        self.status, self.body, self.headers = status, body, headers


class Api:
    """Requests to the API over one connection. Knows the contract, and nothing of our OpenAPI document."""

    def __init__(self, base, token=None):
        self.base, self.token = urllib.parse.urlsplit(base), token
        self.connection = None
        self.headers = {}

    def __call__(self, method, path, body=None, headers=None):
        sent = {"Accept": "application/json"}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.base.netloc, timeout=60)
            try:
                self.connection.request(method, self.base.path + path, data, sent)
                answer = self.connection.getresponse()
                text = answer.read()
                break
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # The server closed a connection that had been idle.
                self.connection = None
                if attempt:
                    raise
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        if answer.status // 100 != 2:
            raise Refused(answer.status, json.loads(text), self.headers)
        return json.loads(text) if text else None


@contextlib.contextmanager
def serve(binary, docs, state, *options):
    """Starts a server on a free port; gives the address of its API. Ends it, and looks whether it ended well."""
    environment = dict(os.environ, XDG_STATE_HOME=str(state))
    command = [str(binary), "--json", "serve", "--listen", "127.0.0.1:0", "--root", str(docs), *options]
    log = open(pathlib.Path(state) / "server.log", "w")
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        answered = json.loads(process.stdout.readline())
        yield answered.get("result", answered)["api"], process
    finally:
        process.terminate()
        try:
            ended = process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            ended = "had to be killed"
        if ended != 0:
            print((pathlib.Path(state) / "server.log").read_text()[-4000:])
            raise SystemExit(f"the server ended with {ended}")


def wait_for(what, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise SystemExit("waited in vain")
