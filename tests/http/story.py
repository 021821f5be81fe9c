#!/usr/bin/env python3
"""A client written from the contract alone, without our OpenAPI document, runs the whole story.

    tests/http/story.py [PATH/TO/docwright]

Session, tools, a tool call and its status, document context and changes, chat with an edit if the server has chat, its
stream and history, health, and the end. Afterwards: what no client may do, and whether the log kept its secrets.
"""

import http.client
import json
import pathlib
import shutil
import socket
import sys
import tempfile
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from server import TOP, Api, Refused, serve

CANARY = "canary-7f3a9c1e55d24b"


def same(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"{what}: expected {wanted!r}, found {found!r}")


def refused(status, call):
    try:
        answer = call()
    except Refused as refusal:
        error = refusal.body["error"]
        same(refusal.status, status, "status of a refusal")
        for name, kind in [("code", int), ("message", str), ("data", dict), ("timestamp", str)]:
            assert isinstance(error[name], kind), error
        assert isinstance(error["data"]["details"], str), error
        return error
    raise SystemExit(f"expected {status}, was answered {answer}")


def story(base, docs):
    api = Api(base)
    health = api("GET", "/health")
    assert health["status"] in ("healthy", "degraded"), health
    assert {"langchain_agent", "mcp_client", "azure_openai"} <= health["services"].keys()
    assert {"connection_status", "protocol_version", "response_time"} <= api("GET", "/health/mcp").keys()

    created = api("POST", "/session/create", {
        "user_id": "ada",
        "document_id": "contract.docx",
        "mcp_server_config": {"server_url": "", "auth_token": "", "protocol_version": "2024-11-05"},
    })
    same(created["status"], "active", "a new session")
    same(created["mcp_capabilities"]["tools"]["listChanged"], True, "its capabilities")
    session = created["session_id"]
    # All that the contract knows of a session is its id.
    api.token = session
    same(api("GET", f"/session/{session}/status")["status"], "active", "the session")

    tools = api("GET", "/mcp/tools")
    same(tools["connection_status"], "connected", "the tools")
    assert all({"name", "description", "inputSchema", "server_info"} <= tool.keys() for tool in tools["tools"])
    assert "last_heartbeat" in api("GET", "/mcp/status")
    for header in ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"):
        int(api.headers[header])
    run = api("POST", "/mcp/tools/execute", {
        "tool_name": "read_file", "parameters": {"file_path": "contract.docx"}, "session_id": session,
    })
    same(run["status"], "completed", "a tool call")
    same(run["result"]["content"][0]["type"], "text", "its content")
    same(api("GET", f"/mcp/tools/status/{run['execution_id']}")["status"], "completed", "its status")

    before = api("GET", "/document/context/contract.docx")
    assert before["document_stats"]["word_count"] > 0
    # A place as a cursor has it: paragraph and character.
    applied = api("POST", "/document/apply-changes", {
        "document_id": "contract.docx",
        "changes": [{"type": "insert", "position": {"paragraph": 0, "character": 0}, "content": "Ada wrote this. "}],
        "session_id": session,
    })
    same((applied["status"], applied["saved"]), ("applied", True), "a change")
    after = api("GET", "/document/context/contract.docx")
    same(after["document_stats"]["word_count"], before["document_stats"]["word_count"] + 3, "words after it")
    chat(api, base, session)

    same(api("DELETE", f"/session/{session}")["status"], "ended", "the end")
    refused(401, lambda: api("GET", "/mcp/tools"))
    same(api("GET", f"/session/{session}/status")["status"], "ended", "the session after its end")


def chat(api, base, session):
    message = {
        "message": "Replace 'Ada wrote this.' with 'Ada wrote that.'", "session_id": session,
        "document_context": {"document_id": "contract.docx", "selection_text": "", "cursor_position": {"paragraph": 0, "character": 0}},
    }
    try:
        answer = api("POST", "/chat/send", message)
    except Refused as refusal:
        if refusal.status == 404:
            print("  SKIPPED chat: this server has none")
            return
        raise
    assert {"response_id", "message", "llm_response", "tool_execution", "session_id", "timestamp"} <= answer.keys()
    same(answer["message"], message["message"], "the message")
    text = stream(base, answer["response_id"])
    assert text.strip(), "an empty stream"
    history = api("GET", f"/chat/history/{session}")
    same([entry["user_message"] for entry in history["messages"]], [message["message"]], "the history")
    said = api("GET", "/document/context/contract.docx?from=0&count=1")["paragraphs"][0]["text"]
    assert said.startswith("Ada wrote that. "), said


def stream(base, response_id):
    """What a browser's EventSource would be told: it sends no headers."""
    address = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(address.netloc, timeout=30)
    connection.request("GET", f"{address.path}/chat/stream/{response_id}")
    answer = connection.getresponse()
    same(answer.status, 200, "a stream")
    text, event, complete = "", "message", 0
    while line := answer.readline():
        line = line.decode().rstrip("\n")
        if line.startswith("event: "):
            event = line[7:]
        elif line.startswith("data: ") and event == "message":
            data = json.loads(line[6:])
            text += data["chunk"]
            complete += data["is_complete"]
            if data["is_complete"]:
                break
        elif not line:
            event = "message"
    same(complete, 1, "ends of the stream")
    return text


def hostile(base):
    """What no client may do, on every endpoint that takes an id."""
    mine, theirs = Api(base), Api(base)
    ids = {}
    for api in (mine, theirs):
        created = api("POST", "/session/create", {"user_id": "x"})
        api.token = created["session_token"]
        ids[api] = created["session_id"]
    run = theirs("POST", "/mcp/tools/execute", {"tool_name": "read_file", "parameters": {"file_path": "contract.docx"}})
    other = ids[theirs]
    for method, path, body in [
        ("GET", f"/session/{other}/status", None),
        ("DELETE", f"/session/{other}", None),
        ("POST", f"/session/{other}/rename", {"title": "mine now"}),
        ("GET", f"/mcp/tools/status/{run['execution_id']}", None),
        ("POST", "/mcp/tools/execute", {"tool_name": "read_file", "parameters": {}, "session_id": other}),
        ("POST", "/document/apply-changes", {"document_id": "contract.docx", "session_id": other,
                                             "changes": [{"type": "delete", "position": {"paragraph": 0}}]}),
        ("GET", f"/chat/history/{other}", None),
        ("GET", "/document/context/..%2F..%2Fetc%2Fpasswd", None),
        ("GET", "/document/context/%2Fetc%2Fpasswd", None),
        ("GET", "/document/context/doc-4000000000", None),
    ]:
        foreign = refused(404, lambda: mine(method, path, body))
        unknown = path.replace(other, "ses_" + "0" * 64).replace(run["execution_id"], "exe_" + "0" * 64)
        if unknown != path:
            nobody = refused(404, lambda: mine(method, unknown, body))
            same(foreign["code"], nobody["code"], "code for a foreign and an unknown id")
    for token in ["", "x", mine.token[:-1], mine.token + "0", CANARY, "ses_" + "0" * 64, "Bearer", "'; DROP TABLE sessions; --"]:
        forged = Api(base, token)
        for method, path, body in [("GET", "/mcp/tools", None), ("GET", "/document/context/contract.docx", None),
                                   ("POST", "/document/apply-changes", {"changes": []}), ("GET", "/sessions", None)]:
            refused(401, lambda: forged(method, path, body))
    for body, status in [("[" * 100_000, 400), ('{"user_id": "' + "x" * 17_000_000 + '"}', 413), ('{"a":' * 500 + "1" + "}" * 500, 400),
                         ('{"user_id": "\\ud800"}', 400), ("\x00", 400), ("", 400), ('"x"', 400), ("null", 400)]:
        same(raw(base, "POST", "/session/create", {"Content-Type": "application/json"}, body), status, f"a bad body {body[:20]!r}")
    for headers, status in [({"Host": "evil.example"}, 403), ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403),
                            ({"Host": "a b"}, 400), ({"X": "y" * 70_000}, 431), ({"Idempotency-Key": "k" * 300}, 200)]:
        same(raw(base, "GET", "/health", headers), status, f"a bad head {str(headers)[:60]}")
    # What would be two answers, or a header of its own, if a name or a value got into a head.
    split = raw_text(base, "GET", "/session/x%0d%0aSet-Cookie:%20a=b/status", {"Authorization": f"Bearer {mine.token}"})
    assert "\nSet-Cookie" not in split.split("\r\n\r\n")[0], split
    smuggled = raw_text(base, "GET", "/health", {"X-Request-Id": f"a {CANARY}"})
    assert CANARY not in smuggled, smuggled


def raw(base, method, path, headers, body=""):
    return int(raw_text(base, method, path, headers, body).split(" ", 2)[1])


def raw_text(base, method, path, headers, body=""):
    address = urllib.parse.urlsplit(base)
    head = {"Host": address.netloc, "Connection": "close", "Content-Length": str(len(body.encode()))} | headers
    text = f"{method} {address.path}{path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in head.items())
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        try:
            connection.sendall((text + "\r\n" + body).encode())
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
    return answer.decode(errors="replace")


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else TOP / "target/debug/docwright"
    wide = ["chat", "execute", "document", "mcp", "session"]
    with tempfile.TemporaryDirectory() as folder:
        docs, state = pathlib.Path(folder) / "docs", pathlib.Path(folder) / "state"
        docs.mkdir()
        state.mkdir()
        shutil.copy(TOP / "samples/contract.docx", docs)
        rates = [option for kind in wide for option in ("--rate", f"{kind}=1000")]
        with serve(binary, docs, state, "--log-json", "--auto-approve", *rates) as (base, _):
            story(base, docs)
            print("ok  a client that knows the contract alone")
            hostile(base)
            print("ok  foreign ids, forged tokens, bad bodies, heads and addresses")
            secret = Api(base, CANARY)
            refused(401, lambda: secret("GET", "/mcp/tools"))
            secret("POST", "/session/create", {"user_id": "x", "title": "y", "secret": CANARY, "mcp_server_config": {"auth_token": ""}})
            tokens = secret("POST", "/session/create", {"user_id": "x"})
        log = (state / "server.log").read_text()
        lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
        assert any(line.get("span", {}).get("id") for line in lines), log[:2000]
        for hidden in (CANARY, tokens["session_token"], tokens["session_id"]):
            assert hidden not in log, "a secret is in the log"
        print(f"ok  {len(lines)} log lines with request ids, and no secret in them")


if __name__ == "__main__":
    main()
