#!/usr/bin/env python3
"""Kills `docwright serve` in the middle of runs, and looks whether anything was lost or done twice.

    python3 tests/http/kills.py target/debug/docwright [--kills 100] [--seed 1]

Each run lets a scripted model append five words to a document, one call after the other. The server is killed at some
moment of it (SIGKILL), started again, and the same request is sent again under the same Idempotency-Key. Then:

- no word stands in the document twice;
- each word whose call was answered stands there;
- each word that was not done for certain was done by the run that went on;
- a word that was not answered is told of as unknown, and at most once;
- every message that was accepted is in the history, and every stream ends with one `is_complete`.
"""

import argparse
import http.server
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

WORDS = 5


class Model(http.server.BaseHTTPRequestHandler):
    """Appends the words of the last message that no call of its has appended yet."""

    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"data":[]}')

    def do_POST(self):
        try:
            self.answer()
        except (BrokenPipeError, ConnectionResetError):
            pass  # The server was killed.

    def answer(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        messages = asked["messages"]
        last = max(index for index, message in enumerate(messages) if message["role"] == "user")
        words = messages[last]["content"].split()[1:]
        calls = [call for message in messages[last:] for call in message.get("tool_calls") or []]
        tried = [json.loads(call["function"]["arguments"])["request"].split("'")[1] for call in calls]
        results = {message["tool_call_id"]: message["content"] for message in messages[last:] if message["role"] == "tool"}
        left = []
        for word in words:
            outcomes = [results.get(call["id"], "") for call, tried_word in zip(calls, tried) if tried_word == word]
            settled = any(not out.startswith("ERROR") or "not known" in out or "may have been done" in out for out in outcomes)
            if not settled:
                left.append(word)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        if left:
            arguments = json.dumps({"request": f"Append '{left[0]}'", "file_path": "notes.md"})
            call = {"index": 0, "id": f"call_{len(calls)}_{left[0]}", "function": {"name": "ask", "arguments": arguments}}
            self.say({"tool_calls": [call]}, "tool_calls")
        else:
            for piece in ("All ", "done", "."):
                self.say({"content": piece}, None)
            self.say({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def say(self, delta, finish):
        event = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())


class Server:
    def __init__(self, program, folder, model):
        self.program, self.folder, self.model = program, folder, model
        self.process = None

    def start(self):
        environment = {**os.environ, "XDG_STATE_HOME": os.path.join(self.folder, "state")}
        self.process = subprocess.Popen(
            [self.program, "serve", "--json", "--listen", "127.0.0.1:0", "--root", os.path.join(self.folder, "docs"),
             "--policy", "markdown=apply", "--tools", "core,markdown", "--provider", "openai", "--model", "scripted",
             "--model-url", f"http://127.0.0.1:{self.model}/v1"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True)
        line = self.process.stdout.readline()
        text = line
        while not text.rstrip().endswith("}"):
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"the server did not start: {text}")
            text += line
        self.api = json.loads(text)["api"]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def ask(self, method, path, token=None, body=None, key=None):
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        if key:
            headers["idempotency-key"] = key
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.api + path, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def events(self, run, token):
        return self.ask("GET", f"/runs/{run}/events?limit=1000", token)["events"]


def outcomes(events):
    """Of each word: completed, not_done, unknown or failed."""
    words = {}
    calls = {event["data"]["operation_id"]: event["data"] for event in events if event["event"] == "tool_call"}
    for event in events:
        if event["event"] != "tool_result":
            continue
        data = event["data"]
        word = calls[data["operation_id"]]["parameters"]["request"].split("'")[1]
        error = data["error"]
        words[word] = "completed" if error is None else error["data"].get("outcome", "failed")
    return words


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--kills", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    arguments = arguments.parse_args()
    chance = random.Random(arguments.seed)
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    found, wrong = {"completed": 0, "interrupted": 0, "unknown": 0, "not_done": 0}, []
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "docs"))
        with open(os.path.join(folder, "docs", "notes.md"), "w") as file:
            file.write("# Notes\n\nBegin.\n")
        server = Server(os.path.abspath(arguments.program), folder, model.server_port)
        server.start()
        session = server.ask("POST", "/session/create", body={"user_id": "Ann", "document_id": "notes.md"})
        token, sent_runs = session["session_token"], []
        span = 0.3
        for round_number in range(arguments.kills):
            words = [f"w{round_number}x{number}" for number in range(WORDS)]
            body, key = {"message": "Append " + " ".join(words), "stream": True}, f"key-{round_number}"
            begun = time.monotonic()
            run = server.ask("POST", "/chat/send", token, body, key)["response_id"]
            sent_runs.append(run)
            time.sleep(chance.uniform(0, span))
            server.kill()
            server.start()
            first = server.events(run, token)
            if sum(event["data"].get("is_complete") is True for event in first) != 1:
                wrong.append(f"{round_number}: not one end in {first[-2:]}")
            known = outcomes(first)
            again = server.ask("POST", "/chat/send", token, {**body, "stream": True}, key)["response_id"]
            while not any(event["data"].get("is_complete") is True for event in server.events(again, token)):
                time.sleep(0.02)
            if again == run:
                found["completed"] += 1
                # It was over before it was killed: the next kill comes earlier.
                span = max(0.05, span * 0.9)
            else:
                found["interrupted"] += 1
                sent_runs.append(again)
                span = min(5.0, span * 1.1 if all(word not in known for word in words[2:]) else span)
            later = outcomes(server.events(again, token)) if again != run else known
            text = read(server, token)
            for word in words:
                times = len(re.findall(rf"\b{word}\b", text))
                before, after = known.get(word), later.get(word)
                if times > 1:
                    wrong.append(f"{word} stands there {times} times: {before}, {after}")
                if "completed" in (before, after) and times != 1:
                    wrong.append(f"{word} was answered and is there {times} times")
                if "unknown" in (before, after):
                    found["unknown"] += 1
                elif times != 1:
                    wrong.append(f"{word} was accepted and is there {times} times: {before}, {after}")
                if before == "not_done":
                    found["not_done"] += 1
        history = server.ask("GET", f"/chat/history/{session['session_id']}?limit=200", token)["messages"]
        lost = set(sent_runs[-200:]) - {message["message_id"] for message in history}
        if lost and arguments.kills <= 100:
            wrong.append(f"lost from the history: {lost}")
        server.kill()
    print(json.dumps({"kills": arguments.kills, **found, "wrong": wrong}, indent=1))
    sys.exit(1 if wrong else 0)


def read(server, token):
    """The document as the server has it, which nobody has saved."""
    server.ask("POST", "/mcp/tools/execute", token, {"tool_name": "workspace_open_document", "parameters": {"path": "notes.md"}})
    answer = server.ask("POST", "/mcp/tools/execute", token, {"tool_name": "document_get_content", "parameters": {}})
    return "\n".join(block["text"] for block in answer["result"]["content"]).replace("\\n", "\n")


if __name__ == "__main__":
    main()
