"""Arguments for every tool, made from the schema that the server lists: plausible ones, and wrong ones."""
import random
import re

WORDS = ["the", "Fees", "agreement", "Scope", "handbook", "days", "2026", "alpha", "Ω", "用Rust写", "a|b", "x" * 50]
WINDOWS, TABS, SESSIONS, SUGGESTIONS = "windows", "tabs", "sessions", "suggestions"
OPERATIONS = {
    "document_edit": [
        {"type": "replaceText", "find": "the", "with": "that"}, {"type": "delete", "nodeId": "p-1"},
        {"type": "insert", "after": "p-0", "content": "inserted"}, {"type": "insertSection", "after": "h-0", "level": 2, "title": "New"},
    ],
    "batch_edit": [{"type": "delete", "nodeId": "p-2"}, {"type": "update", "nodeId": "p-0", "content": "updated"}],
    "list_modify": [{"type": "addItem", "content": "item"}, {"type": "deleteItem", "index": 0}],
    "table_modify": [{"type": "addRow", "cells": ["1", "2"]}, {"type": "setCellContent", "row": 0, "col": 0, "content": "c"}],
    "batch_edit_docx": [
        {"op": "replace", "old_string": "the", "new_string": "that"}, {"op": "insert", "new_string": "A new one.", "position": "AFTER"},
    ],
}
WORD_OPS = [
    ("search", {"query": "the"}), ("getSelection", {}), ("listStyles", {}), ("insertText", {"text": "word ", "scope": "document", "location": "end"}),
    ("replace", {"query": "the", "replacement": "that", "scope": "document"}), ("setSelection", {"scope": "document"}),
    ("table.create", {"rows": 2, "cols": 2, "scope": "document", "location": "end"}),
]
REQUESTS = [
    "Replace the with that", "What is A1", "Set B2 to 7", "Add a section Risks after Scope", "Make the heading Fees italic",
    "Replace all 2026 with 2027", "Delete everything and dance",
]


class Known:
    """What a client has been told of, to be used in later calls."""

    def __init__(self, paths=()):
        self.paths = list(paths)
        self.windows, self.tabs, self.sessions, self.suggestions, self.paragraphs = ["main"], [], [], [], []

    def learn(self, said):
        """Takes ids out of whatever came back."""
        text = said if isinstance(said, str) else str(said)
        for kind, pattern in [
            (self.tabs, r"tab-\d+"), (self.sessions, r"ses_\w+"), (self.suggestions, r"sug_\w+"), (self.paragraphs, r"jr_para_\w+"),
        ]:
            kind.extend(re.findall(pattern, text)[:20])
            del kind[:-60]


def plausible(tool, known, chance=random, all_of_it=False):
    """Arguments that the tool can do something with, as far as its schema tells."""
    properties = tool["inputSchema"].get("properties", {})
    required = set(tool["inputSchema"].get("required", []))
    found = {}
    for name, schema in properties.items():
        # Left out it would be a wait of 20 seconds.
        if name in required or all_of_it or name == "seconds" or chance.random() < 0.4:
            value = one(tool["name"], name, schema, known, chance)
            if value is not None:
                found[name] = value
    word = "file_path" in properties or "filePath" in properties
    if word and not {"session_id", "sessionId", "file_path", "filePath"} & found.keys():
        found["filePath" if "filePath" in properties else "file_path"] = some(known.paths, chance)
    if {"session_id", "file_path"} <= found.keys():
        del found["session_id"]
    if {"sessionId", "filePath"} <= found.keys():
        del found["sessionId"]
    return found


def one(tool, name, schema, known, chance):
    pick = lambda values: some(values, chance)
    match name:
        case "windowId":
            return pick(known.windows + known.paths)
        case "tabId":
            return pick(known.tabs)
        case "session_id" | "sessionId":
            return pick(known.sessions)
        case "suggestionId":
            return pick(known.suggestions) or "sug_0"
        case "suggestionIds":
            return [pick(known.suggestions) or "sug_0"]
        case "accept" | "reject":
            return [each for each in [pick(known.suggestions)] if each]
        case "seconds":
            return chance.choice([0, 0, 1])
        case "path" | "file_path" | "filePath" | "revised_path":
            if tool == "workspace_save_document_as":
                return f"copy-{chance.randrange(5)}.md"
            return pick(known.paths)
        case "output_path":
            return None
        case "target_paragraph_id" | "positional_anchor_node_id" | "paragraph_id":
            return pick(known.paragraphs) or "jr_para_000000000000"
        case "nodeId" | "after" | "heading":
            return chance.choice(["h-0", "h-1", "p-0", "p-1", "ul-0", "table-0", "Scope"])
        case "baseRevision" | "expect_revision" | "requestId" | "expect" | "expect_text_hash" | "style_source_id":
            return None
        case "operations" | "edits":
            chosen = dict(chance.choice(OPERATIONS.get(tool, OPERATIONS["batch_edit"])))
            return [chosen | ({"paragraph_id": pick(known.paragraphs) or "jr_para_0"} if "op" in chosen else {})]
        case "request":
            return chance.choice(REQUESTS)
        case "meta":
            op, args = chance.choice(WORD_OPS)
            return {"type": "word.op", "op": op, "version": "1.0", "args": args}
        case "anchor":
            return {"text": "the", "beforeContext": "", "afterContext": ""}
        case "target" if tool == "update_section":
            return {"heading": "Scope"}
        case "query" if tool == "resolve_targets":
            return {"type": "heading"}
        case "values":
            return {"name": "Northwind", "date": "1 March"}
        case "position" if schema.get("type") in ("integer", ["integer", "null"]):
            return chance.randrange(0, 40)
        case "level" | "rows" | "cols":
            return chance.randrange(1, 4)
        case "syntax":
            return "literal"
        case "force" | "overwrite":
            return True
        case "nth" | "offset":
            return 0
    return by_schema(schema, chance)


def by_schema(schema, chance):
    for each in schema.get("anyOf", []) + schema.get("oneOf", []):
        if each.get("type") != "null":
            return by_schema(each, chance)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return chance.choice([value for value in schema["enum"] if value is not None])
    kind = schema.get("type")
    kind = next((each for each in kind if each != "null"), None) if isinstance(kind, list) else kind
    if kind == "boolean":
        return chance.random() < 0.5
    if kind in ("integer", "number"):
        low = schema.get("minimum", 0)
        return chance.randrange(int(low), int(min(schema.get("maximum", low + 20), low + 20)) + 1)
    if kind == "array":
        return [value for value in [by_schema(schema.get("items", {"type": "string"}), chance)] if value is not None]
    if kind == "object":
        return {}
    return chance.choice(WORDS)


def wrong(tool, known, chance=random):
    """Arguments that no tool should take; they are refused or harmless, and never break anything."""
    found = plausible(tool, known, chance)
    junk = [None, -1, 1 << 62, "", "\0", "x" * 10_000, [], {}, [[[]]], True, 3.5, "../../etc/passwd", "sug_ffffffffff", "tab-999999", "🦀"]
    names = [name for name in tool["inputSchema"].get("properties", {}) if name != "seconds"] or ["windowId"]
    for _ in range(chance.randrange(1, 3)):
        found[chance.choice([*names, "noSuchArgument"])] = chance.choice(junk)
    return found


def some(values, chance):
    return chance.choice(values) if values else None
