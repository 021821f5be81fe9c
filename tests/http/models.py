#!/usr/bin/env python3
"""`docwright serve` with each dialect of model providers, against a mock of them (npm `@copilotkit/aimock`), with faults.

    npm install @copilotkit/aimock
    python3 tests/http/models.py target/debug/docwright --mock node_modules/.bin/llmock

For OpenAI, Azure, Ollama and Anthropic: an answer in pieces, an edit through a tool, arguments that are no JSON, a model
that never stops calling tools, and a provider that fails, answers nonsense, hangs up, or is asked too often.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

WORD = "mock-word"


def fixtures():
    call = {"name": "ask", "arguments": json.dumps({"request": f"Append '{WORD}'", "file_path": "notes.md"})}
    look = {"name": "document_outline", "arguments": "{}"}
    return {"fixtures": [
        {"match": {"userMessage": "hello"}, "response": {"content": "Good day to you, and to your documents."}},
        {"match": {"userMessage": "append it", "hasToolResult": True}, "response": {"content": "It is there."}},
        {"match": {"userMessage": "append it"}, "response": {"toolCalls": [call]}},
        {"match": {"userMessage": "write badly", "hasToolResult": True}, "response": {"content": "I gave up."}},
        {"match": {"userMessage": "write badly"}, "response": {"toolCalls": [{"name": "ask", "arguments": "[1, 2]"}]}},
        {"match": {"userMessage": "never stop"}, "response": {"toolCalls": [look]}},
    ]}


FAULTS = {"dropRate": "the provider fails", "malformedRate": "it answers nonsense", "disconnectRate": "it hangs up",
          "rateLimitRate": "it is asked too often"}

DIALECTS = {
    "openai": (["--provider", "openai", "--model", "gpt-4o"], "/v1"),
    "azure": (["--provider", "azure", "--model", "gpt-4o"], ""),
    "ollama": (["--provider", "ollama", "--model", "llama3.2"], "/v1"),
    "anthropic": (["--provider", "anthropic", "--model", "claude-sonnet-4-5"], ""),
}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def ask(address, method="GET", body=None, token=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(address, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=180) as answer:
            text = answer.read().decode()
            return answer.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read().decode())


def serve(program, folder, options, url):
    environment = {**os.environ, "XDG_STATE_HOME": os.path.join(folder, "state"), "DOCWRIGHT_MODEL_KEY": "sk-canary-91"}
    process = subprocess.Popen(
        [program, "serve", "--json", "--alone", "--listen", "127.0.0.1:0", "--root", folder, "--policy", "markdown=apply",
         *options, "--model-url", url],
        stdout=subprocess.PIPE, stderr=open(os.path.join(folder, "log"), "a"), env=environment, text=True)
    text = ""
    while not text.rstrip().endswith("}"):
        line = process.stdout.readline()
        if not line:
            sys.exit(f"the server did not start: {open(os.path.join(folder, 'log')).read()}")
        text += line
    return process, json.loads(text)["api"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--mock", default="node_modules/.bin/llmock")
    arguments = arguments.parse_args()
    if not os.path.exists(arguments.mock):
        print("SKIPPED: the mock of model providers is not installed (npm install @copilotkit/aimock)")
        return
    wrong, seen = [], []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "fixtures.json"), "w") as file:
            json.dump(fixtures(), file)
        port = free_port()
        mock = subprocess.Popen([arguments.mock, "-p", str(port), "-f", os.path.join(folder, "fixtures.json"), "-c", "5",
                                 "--log-level", "silent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        try:
            for name, (options, path) in DIALECTS.items():
                documents = os.path.join(folder, name)
                os.mkdir(documents)
                with open(os.path.join(documents, "notes.md"), "w") as file:
                    file.write("# Notes\n\nBegin.\n")
                base = f"http://127.0.0.1:{port}"
                process, api = serve(os.path.abspath(arguments.program), documents, options, base + path)
                try:
                    one_dialect(name, api, base, wrong, seen)
                finally:
                    process.terminate()
                    process.wait()
                if "sk-canary-91" in open(os.path.join(documents, "log")).read():
                    wrong.append(f"{name}: the key is in the log")
        finally:
            mock.terminate()
            mock.wait()
    print(json.dumps({"checked": len(seen), "wrong": wrong}, indent=1))
    sys.exit(1 if wrong else 0)


def one_dialect(name, api, mock, wrong, seen):
    def session():
        return ask(api + "/session/create", "POST", {"document_id": "notes.md"})[1]["session_token"]

    def check(what, fine, told):
        seen.append(what)
        if not fine:
            wrong.append(f"{name}: {what}: {json.dumps(told)[:600]}")

    send = api + "/chat/send"
    token = session()
    status, hello = ask(send, "POST", {"message": "hello"}, token)
    check("an answer", status == 200 and hello["llm_response"].startswith("Good day"), hello)
    # A session for each: the mock looks at the whole conversation.
    token = session()
    status, done = ask(send, "POST", {"message": "append it"}, token)
    execution = done.get("tool_execution") or {}
    check("an edit", status == 200 and execution.get("status") == "success" and done["llm_response"].endswith("It is there."), done)
    token = session()
    status, bad = ask(send, "POST", {"message": "write badly"}, token)
    check("bad arguments", status == 200 and bad["tool_execution"]["status"] == "error" and "gave up" in bad["llm_response"], bad)
    token = session()
    status, endless = ask(send, "POST", {"message": "never stop"}, token)
    limit = (endless.get("error") or {}).get("data", {}).get("name")
    check("endless calls", status == 200 and endless.get("status") == "error" and limit == "LIMIT_REACHED", endless)
    for fault, what in FAULTS.items():
        token = session()
        ask(mock + "/__aimock/chaos", "POST", {fault: 1})
        status, answer = ask(send, "POST", {"message": "hello"}, token)
        ask(mock + "/__aimock/chaos", "DELETE")
        told = (answer.get("error") or {}).get("data", {}).get("name")
        check(what, status == 502 and told == "LLM_ERROR" and "sk-canary-91" not in json.dumps(answer), answer)
        status, again = ask(send, "POST", {"message": "hello"}, token)
        check(f"after {what}", status == 200 and again["status"] == "completed", again)


if __name__ == "__main__":
    main()
