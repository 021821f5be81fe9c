"""A FastAPI server with the same endpoints, for the figures: what such a server is usually written like.

Sessions in SQLite, an echo tool, changes of a text file that is read, changed and written, and a stream of 50 events.
"""

import json
import pathlib
import secrets
import sqlite3
import sys
import time

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
database = sqlite3.connect(folder / "peer.db", check_same_thread=False, isolation_level=None)
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA synchronous=NORMAL")
database.execute("CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, user TEXT, created REAL)")
app = FastAPI()


class Session(BaseModel):
    user_id: str | None = None


class Tool(BaseModel):
    tool_name: str
    parameters: dict = {}


class Position(BaseModel):
    paragraph: int
    character: int
    length: int = 0


class Change(BaseModel):
    type: str
    position: Position
    content: str = ""


class Changes(BaseModel):
    document_id: str
    changes: list[Change]


@app.get("/api/v1/health")
async def health():
    database.execute("SELECT 1").fetchone()
    return {"status": "healthy", "timestamp": time.time()}


@app.post("/api/v1/session/create")
async def create(session: Session):
    name = secrets.token_hex(32)
    database.execute("INSERT INTO sessions VALUES (?, ?, ?)", (name, session.user_id, time.time()))
    return {"session_id": name, "session_token": name, "status": "active"}


@app.post("/api/v1/mcp/tools/execute")
async def execute(tool: Tool):
    return {"execution_id": secrets.token_hex(8), "status": "completed",
            "result": {"content": [{"type": "text", "text": json.dumps(tool.parameters)}]}}


@app.post("/api/v1/document/apply-changes")
async def apply(changes: Changes):
    path = folder / changes.document_id
    paragraphs = path.read_text().split("\n\n")
    for change in changes.changes:
        text, at = paragraphs[change.position.paragraph], change.position.character
        paragraphs[change.position.paragraph] = text[:at] + change.content + text[at + change.position.length:]
    beside = path.with_suffix(".new")
    beside.write_text("\n\n".join(paragraphs))
    beside.replace(path)
    return {"status": "applied"}


@app.get("/api/v1/chat/stream/{response_id}")
async def stream(response_id: str):
    async def events():
        for number in range(50):
            yield f"data: {json.dumps({'chunk': f'word {number} ', 'is_complete': number == 49})}\n\n"
    return StreamingResponse(events(), media_type="text/event-stream")


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
