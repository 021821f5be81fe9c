"""Every Markdown, editor, workspace and workbook tool through the Python SDK, which holds each answer against the shape
that the server listed for it: python every_tool.py BINARY FOLDER

Each tool is called once as it is meant and once with an argument that it does not have.
"""

import asyncio
import json
import pathlib
import shutil
import sys

from mcp import Client, StdioServerParameters

binary, folder = sys.argv[1:]
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
TABLE = "| a | b |\n|---|---|\n| 1⟦⟧ | 2 |\n"
SECTIONS = "# A\n\none⟦⟧ **two**\n\n# B\n\n- x\n- y\n"

# A document with its selection between ⟦ and ⟧, a tool, its arguments, and the text it leaves (None: not looked at).
CASES = [
    ("a ⟦b⟧ c\n", "format_toggle", {"mark": "bold"}, "a **b** c\n"),
    ("a ⟦b⟧ c\n", "format_set_link", {"href": "u"}, "a [b](u) c\n"),
    ("a [b⟦⟧](u) c\n", "format_remove_link", {}, "a b c\n"),
    ("⟦**a**⟧\n", "format_clear", {}, "a\n"),
    ("te⟦⟧xt\n", "block_set_type", {"type": "heading", "level": 3}, "### text\n"),
    ("te⟦⟧xt\n", "block_toggle", {"type": "heading", "level": 2}, "## text\n"),
    ("te⟦⟧xt\n", "block_insert_horizontal_rule", {}, "text\n\n---\n"),
    ("te⟦⟧xt\n", "list_toggle", {"type": "bullet"}, "- text\n"),
    ("- a\n- b⟦⟧\n", "list_indent", {}, "- a\n  - b\n"),
    ("- a\n  - b⟦⟧\n", "list_outdent", {}, "- a\n- b\n"),
    ("x⟦⟧\n", "table_insert", {"rows": 2, "cols": 1}, None),
    (TABLE, "table_add_row", {"position": "after"}, None),
    (TABLE, "table_add_column", {"position": "after"}, None),
    (TABLE, "table_delete_row", {}, "| a | b |\n|---|---|\n"),
    (TABLE, "table_delete_column", {}, None),
    (TABLE, "table_toggle_header_row", {}, None),
    (TABLE, "table_delete", {}, ""),
    ("a⟦⟧\n", "insert_math_inline", {"latex": "x"}, "a$x$\n"),
    ("a⟦⟧\n", "insert_math_block", {"latex": "x"}, None),
    ("a⟦⟧\n", "insert_mermaid", {"code": "graph TD"}, None),
    ("a⟦⟧\n", "insert_wiki_link", {"target": "t"}, "a[[t]]\n"),
    ("⟦⟧你好,\n", "cjk_punctuation_convert", {"direction": "to-fullwidth"}, "你好，\n"),
    ("⟦⟧用Rust写\n", "cjk_spacing_fix", {"action": "add"}, "用 Rust 写\n"),
    ("a⟦⟧\n", "document_insert_at_cursor", {"text": "b"}, "ab\n"),
    ("a⟦⟧\n", "document_insert_at_position", {"text": "b", "position": 0}, "ba\n"),
    ("a⟦⟧\n", "document_replace", {"search": "a", "replace": "b"}, "b\n"),
    ("a⟦⟧\n", "document_search", {"query": "a"}, "a\n"),
    ("a⟦⟧\n", "document_find", {"query": "a"}, "a\n"),
    ("⟦a⟧ b\n", "selection_get", {}, "a b\n"),
    ("⟦a⟧ b\n", "selection_replace", {"text": "c"}, "c b\n"),
    ("⟦a⟧ b\n", "selection_delete", {}, None),
    ("a⟦⟧\n", "cursor_get_context", {}, "a\n"),
    ("a⟦⟧\n", "cursor_set_position", {"position": 1}, "a\n"),
    ("a⟦⟧\n", "editor_focus", {}, "a\n"),
    (SECTIONS, "document_outline", {}, None),
    (SECTIONS, "document_read", {}, None),
    (SECTIONS, "get_document_ast", {}, None),
    (SECTIONS, "get_document_digest", {}, None),
    (SECTIONS, "get_document_revision", {}, None),
    (SECTIONS, "list_blocks", {}, None),
    (SECTIONS, "get_section", {"nodeId": "h-1"}, None),
    (SECTIONS, "resolve_targets", {"targets": ["h-1", "nowhere"]}, None),
    (SECTIONS, "update_section", {"nodeId": "h-1", "content": "z"}, "# A\n\none **two**\n\n# B\n\nz\n"),
    (SECTIONS, "insert_section", {"after": "h-1", "level": 1, "title": "C"}, None),
    (SECTIONS, "move_section", {"nodeId": "h-0", "after": "h-1"}, None),
    (SECTIONS, "batch_edit", {"operations": [{"type": "delete", "nodeId": "li-0"}]}, "# A\n\none **two**\n\n# B\n\n- y\n"),
    (SECTIONS, "document_edit", {"operations": [{"type": "delete", "nodeId": "li-0"}]}, None),
    (SECTIONS, "list_modify", {"nodeId": "ul-0", "operations": [{"type": "addItem", "content": "z"}]}, None),
    (TABLE, "table_modify", {"nodeId": "table-0", "operations": [{"action": "add_row", "values": ["3", "4"]}]}, None),
    ("a⟦⟧\n", "apply_diff", {"original": "a", "replacement": "b"}, "b\n"),
    ("a n⟦⟧\n", "replace_text_anchored", {"anchor": {"text": "n", "beforeContext": "a ", "afterContext": ""}, "replacement": "m"}, "a m\n"),
    ("a⟦⟧\n", "suggestion_list", {}, "a\n"),
    ("a⟦⟧\n", "suggestion_accept_all", {}, "a\n"),
    ("a⟦⟧\n", "suggestion_reject_all", {}, "a\n"),
    ("a⟦⟧\n", "workspace_get_document_info", {}, "a\n"),
    ("a⟦⟧\n", "workspace_get_focused", {}, "a\n"),
    ("a⟦⟧\n", "workspace_get_info", {}, "a\n"),
    ("a⟦⟧\n", "workspace_list_windows", {}, "a\n"),
    ("a⟦⟧\n", "workspace_list_recent_files", {}, "a\n"),
    ("a⟦⟧\n", "workspace_focus_window", {"windowId": "main"}, None),
    ("a⟦⟧\n", "workspace_save_document_as", {"path": "every-tool.md"}, "a\n"),
    ("a⟦⟧\n", "workspace_open_document", {"path": "every-tool.md"}, "a\n"),
    (None, "workspace_save_document", {}, None),
    (None, "get_capabilities", {}, None),
    (None, "tabs_create", {}, None),
    (None, "tabs_list", {}, None),
    (None, "tabs_get_active", {}, None),
    (None, "tabs_get_info", {}, None),
    (None, "tabs_close", {"force": True}, None),
    (None, "tabs_reopen_closed", {}, None),
]
# Word tools have conversations of their own; the others are called below, because they need an id.
ELSEWHERE = {
    "accept_changes", "apply_template", "ask", "batch_edit_docx", "compare_documents", "delete_paragraph",
    "docx_comments", "docx_references", "grep", "list_changes", "mcp_word__editTask", "read_file", "reject_changes",
    "save", "smart_edit", "smart_insert",
}
# Answers that are text or a picture, and so have no shape.
PLAIN = {"document_get_content", "grep", "read_file", "workspace_get_focused", "xlsx_exec", "xlsx_read", "xlsx_render"}


async def main():
    options = ["--tools", "all", "--root", folder, "--output-schemas", "always", "--agents-may-accept"]
    called = set()

    def client(*more):
        return Client(StdioServerParameters(command=binary, args=["mcp", *options, *more]), mode="auto")

    async def good(session, name, arguments):
        result = await session.call_tool(name, arguments)
        assert not result.is_error, (name, arguments, result)
        called.add(name)
        return result.structured_content

    async with client("--auto-approve") as session:
        tools = (await session.list_tools()).tools
        untold = {tool.name for tool in tools if tool.output_schema is None}
        assert untold == PLAIN, untold ^ PLAIN
        for marked, name, arguments, after in CASES:
            if marked is not None:
                await good(session, "workspace_new_document", {})
                bare = marked.replace("⟦", "").replace("⟧", "")
                await good(session, "document_set_content", {"content": bare})
                start = marked.index("⟦")
                await good(session, "selection_set", {"from": start, "to": marked.index("⟧") - 1})
            await good(session, name, arguments)
            if after is not None:
                content = await session.call_tool("document_get_content", {})
                assert content.content[0].text == after, (name, content)
                called.add("document_get_content")
        await good(session, "workspace_new_document", {})
        await good(session, "document_set_content", {"content": "a\n"})
        await good(session, "editor_undo", {})
        await good(session, "editor_redo", {})
        tab = (await good(session, "tabs_create", {}))["tabId"]
        await good(session, "tabs_switch", {"tabId": tab})
        await good(session, "workspace_close_window", {"force": True})

        shutil.copy(SAMPLES / "budget.xlsx", folder)
        seen = await session.call_tool("xlsx_render", {"path": "budget.xlsx", "range": "Inputs"})
        assert not seen.is_error, seen
        assert any(part.type == "image" and part.mime_type == "image/png" for part in seen.content), seen
        script = "return (await xlsx.listSheets(wb)).map((sheet) => sheet.sheet)"
        told = await session.call_tool("xlsx_exec", {"path": "budget.xlsx", "code": script})
        assert not told.is_error, told
        sheets = json.loads(told.content[0].text)["execution"]["result"]
        assert sheets == ["Inputs", "Model", "Summary"], told
        table = await session.call_tool("xlsx_read", {"path": "budget.xlsx", "range": "Inputs!A1:B3"})
        assert not table.is_error, table
        assert table.content[0].text.splitlines()[1:3] == ["row\tA\tB", "1\tAssumption\tValue"], table
        called.update(["xlsx_render", "xlsx_exec", "xlsx_read"])
        edits = [{"op": "set", "cell": "Inputs!H1", "value": 7}, {"op": "set", "cell": "Inputs!H2", "value": "=H1*6"}]
        edited = await good(session, "xlsx_edit", {"path": "budget.xlsx", "edits": edits})
        assert [cell["value"] for cell in edited["written"]] == ["7", "42"], edited
        verified = await good(session, "xlsx_calc", {"path": "budget.xlsx", "verify": True})
        assert verified["verified"]["different"] == 0, verified
        linted = await good(session, "xlsx_lint", {"path": "budget.xlsx", "skip": ["DW005"]})
        assert linted["total"] == len(linted["diagnostics"]), linted
        calculated = await good(session, "xlsx_calc", {"path": "budget.xlsx"})
        assert calculated["calculated"]["file"].endswith("budget.xlsx"), calculated

        for tool in tools:
            wrong = await session.call_tool(tool.name, {"noSuchArgument": 1})
            assert wrong.is_error, (tool.name, wrong)
            if tool.name == "mcp_word__editTask":
                # It answers in an envelope of its own, refusals too.
                assert wrong.structured_content["code"] == "E_INVALID_ARG", wrong
                assert "`noSuchArgument` is not a parameter" in wrong.content[0].text, wrong
            elif tool.name == "xlsx_exec":
                refused = json.loads(wrong.content[0].text)
                assert refused["error"]["code"] == "INVALID_ARGUMENT", wrong
                assert "`noSuchArgument` is not a parameter" in refused["error"]["message"], wrong
            else:
                assert wrong.content[0].text.startswith("INVALID_ARGUMENT: "), (tool.name, wrong)

    async with client() as session:
        await good(session, "workspace_open_document", {"path": "every-tool.md"})
        ids = []
        for new in ["b", "c", "d"]:
            staged = await good(session, "apply_diff", {"original": "a", "replacement": new})
            assert staged["applied"] is False, staged
            ids += staged["suggestionIds"]
        await good(session, "suggestion_reject", {"suggestionId": ids[0]})
        await good(session, "suggestion_review", {"reject": [ids[1]]})
        await good(session, "suggestion_accept", {"suggestionId": ids[2]})
        await good(session, "suggestion_wait", {"suggestionIds": ids, "seconds": 1})
        content = await session.call_tool("document_get_content", {})
        assert content.content[0].text == "d\n", content

    left = {tool.name for tool in tools} - called - ELSEWHERE
    assert not left, f"never called: {sorted(left)}"
    print(f"python: {len(called)} tools as meant, {len(tools)} refused, every answer of its shape")


asyncio.run(main())
