#!/usr/bin/env python3
"""Draws docs/demo.svg: what the commands below print when the program is run on the samples, one after the other.

    cargo xtask demo                          build, and draw it anew
    python3 docs/demo.py PROGRAM [--check]    with this program; or only tell whether the picture is still true
"""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/demo.svg"
# Each scene is one thing that somebody wants to do; seconds to read it; commands.
SCENES = [
    ("A contract: one tracked change, and nothing else", 7, [
        "docwright word edit contract.docx --old 'thirty (30) days' --new 'forty-five (45) days' --track --author 'Ann Lee'",
        "docwright word changes contract.docx",
    ]),
    ("A model: set an input, read what came of it", 7, [
        "docwright xlsx read budget.xlsx -r Summary",
        "docwright xlsx set budget.xlsx --cell 'Inputs!B3' --value 1.1",
        "docwright xlsx read budget.xlsx -r Summary",
    ]),
    ("A handbook: a plain request, and a check", 6, [
        "docwright ask handbook.md \"Replace '5 minutes' with '10 minutes'\"",
        "docwright md check handbook.md",
    ]),
    ("Take it back, to the byte; and what is not clear does not happen", 7, [
        "docwright undo contract.docx",
        "docwright undo budget.xlsx",
        "docwright word edit contract.docx --old 'thirty days' --new 'sixty days'",
    ]),
]
WIDTH, STEP, LEFT, TOP, LETTER = 112, 20, 18, 72, 8.1
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#d29922", "2": "#8b949e", "1": "#f0f6fc"}
TEXT, PROMPT, COMMAND = "#c9d1d9", "#8b949e", "#79c0ff"


def scene_rows(commands, program, work):
    rows = []
    for command in commands:
        rows.extend(folded([("$ ", PROMPT, False), (command, COMMAND, False)]))
        for line in printed(command, program, work):
            rows.extend(folded(pieces(line)))
        rows.append([])
    return rows[:-1]


def printed(command, program, work):
    """What a person sees: both streams, in colours, without the folder of this run."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(work), "XDG_STATE_HOME": str(work / "state"), "LANG": "C.UTF-8"}
    line = command.replace("docwright", f"{program} --color always", 1)
    done = subprocess.run(["bash", "-c", line], cwd=work, env=environment, capture_output=True, text=True)
    said = (done.stdout + done.stderr).replace(str(work) + "/", "").expandtabs(4)
    # The clock is not part of the picture.
    said = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", lambda found: found[0] if found[0] < "2026-03" else "2026-03-02T09:00:00Z", said)
    return said.splitlines()


def pieces(line):
    """Text with its colour, and whether it is set off, from a line with escapes."""
    out, colour, marked = [], TEXT, False
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            codes = part[2:-1].split(";")
            if codes == ["0"]:
                colour, marked = TEXT, False
            else:
                colour = next((COLOURS[code] for code in reversed(codes) if code in COLOURS), colour)
                marked = "7" in codes
        elif part:
            out.append((part, colour, marked))
    return out


def folded(line):
    """Rows that fit, broken behind a blank where there is one; further rows are indented."""
    letters = [(letter, colour, marked) for text, colour, marked in line for letter in text]
    rows = []
    while True:
        room = WIDTH - (2 if rows else 0)
        end = len(letters)
        if end > room:
            blank = next((at for at in range(room, room // 2, -1) if letters[at - 1][0] == " "), room)
            end = blank
        row = [("  ", TEXT, False)] if rows else []
        for letter, colour, marked in letters[:end]:
            if row and row[-1][1:] == (colour, marked):
                row[-1] = (row[-1][0] + letter, colour, marked)
            else:
                row.append((letter, colour, marked))
        rows.append(row)
        letters = letters[end:]
        if not letters:
            return rows


def drawn(row, y):
    out, column = [], 0
    for text, colour, marked in row:
        x = LEFT + column * LETTER
        column += len(text)
        if not text.strip():
            continue
        if marked:
            out.append(f'<rect x="{x:.1f}" y="{y - 14}" width="{len(text) * LETTER:.1f}" height="18" rx="2" fill="{colour}"/>')
        fill = "#0d1117" if marked else colour
        length = f'textLength="{len(text) * LETTER:.1f}" lengthAdjust="spacingAndGlyphs"'
        out.append(f'<text x="{x:.1f}" y="{y}" fill="{fill}" {length} xml:space="preserve">{html.escape(text)}</text>')
    return "".join(out)


def picture(scenes):
    total = sum(seconds for _, seconds, _ in scenes)
    height = TOP + STEP * max(len(rows) for _, _, rows in scenes) + 4
    styles, groups, at = [], [], 0.0
    for number, (title, seconds, rows) in enumerate(scenes):
        begin, end = 100 * at / total, 100 * (at + seconds) / total
        edge = 0.6
        first = "1" if number == 0 else "0"
        styles.append(
            f"@keyframes s{number}{{0%,{max(begin - edge, 0):.2f}%{{opacity:{first}}}{begin + (0 if number == 0 else edge):.2f}%,{end - edge:.2f}%{{opacity:1}}"
            f"{end:.2f}%,100%{{opacity:0}}}}"
            f"#s{number}{{opacity:{first};animation:s{number} {total}s linear infinite}}"
        )
        at += seconds
        body = "\n".join(filter(None, (drawn(row, TOP + STEP * index) for index, row in enumerate(rows))))
        groups.append(f'<g id="s{number}"><text x="{LEFT}" y="46" fill="#f0f6fc" font-weight="bold">{html.escape(title)}</text>\n{body}</g>')
    still = "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"
    width = LEFT * 2 + WIDTH * LETTER
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" role="img" aria-label="docwright on a terminal: it edits a contract, recalculates a budget, edits a handbook, and takes changes back">
<style>{''.join(styles)}{still}</style>
<rect width="{width:.0f}" height="{height}" rx="8" fill="#0d1117"/>
<circle cx="20" cy="16" r="5" fill="#ff5f56"/><circle cx="38" cy="16" r="5" fill="#ffbd2e"/><circle cx="56" cy="16" r="5" fill="#27c93f"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13.5">
{chr(10).join(groups)}
</g>
</svg>
"""


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    work = pathlib.Path(tempfile.mkdtemp(prefix="docwright-demo-"))
    try:
        for sample in ("contract.docx", "budget.xlsx", "handbook.md"):
            shutil.copy(ROOT / "samples" / sample, work)
        drawing = picture([(title, seconds, scene_rows(commands, program, work)) for title, seconds, commands in SCENES])
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if "--check" in sys.argv:
        sys.exit(None if PICTURE.read_text() == drawing else "docs/demo.svg is not what the commands print; run `cargo xtask demo`")
    PICTURE.write_text(drawing)


if __name__ == "__main__":
    main()
