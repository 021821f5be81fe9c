#!/usr/bin/env python3
"""Draws docs/demo.svg: what the commands below really print, run by the binary given as the argument."""
import html
import pathlib
import subprocess
import sys
import tempfile

binary = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parent.parent
work = pathlib.Path(tempfile.mkdtemp())
for sample in ("contract.docx", "budget.xlsx"):
    (work / sample).write_bytes((root / "samples" / sample).read_bytes())

COMMANDS = [
    "docwright word read contract.docx --format simple --offset 7 --limit 3",
    "docwright word edit contract.docx --old 'thirty (30) days' --new 'forty-five (45) days' --track --author 'Ann Lee'",
    "docwright word changes contract.docx",
    "docwright word check contract.docx",
    "docwright xlsx set budget.xlsx --cell 'Inputs!B3' --value 1.1",
    "docwright xlsx read budget.xlsx -r Summary",
]
WIDTH = 110
lines = []
for command in COMMANDS:
    lines.append(("command", "$ " + command))
    ran = subprocess.run(
        ["bash", "-c", command.replace("docwright", str(binary), 1)], cwd=work, capture_output=True, text=True, check=True
    )
    for line in ran.stdout.replace(str(work) + "/", "").expandtabs(4).splitlines():
        while line:
            lines.append(("output", line[:WIDTH]))
            line = line[WIDTH:]
    lines.append(("output", ""))
lines.pop()

STEP, LEFT, TOP = 19, 18, 44
height = TOP + STEP * len(lines) + 14
rows = []
for index, (kind, text) in enumerate(lines):
    colour = {"command": "#7ee787"}.get(kind, "#c9d1d9")
    if kind == "output" and text.startswith("+ "):
        colour = "#79c0ff"
    if kind == "output" and text.startswith("- "):
        colour = "#ff7b72"
    y = TOP + STEP * index
    rows.append(f'<text x="{LEFT}" y="{y}" fill="{colour}" xml:space="preserve">{html.escape(text)}</text>')
svg = f"""<svg xmlns="http://www.w3.org/2000/svg" width="960" height="{height}" viewBox="0 0 960 {height}" role="img" aria-label="docwright on a terminal">
<rect width="960" height="{height}" rx="8" fill="#0d1117"/>
<circle cx="20" cy="16" r="5" fill="#ff5f56"/><circle cx="38" cy="16" r="5" fill="#ffbd2e"/><circle cx="56" cy="16" r="5" fill="#27c93f"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13.5">
{chr(10).join(rows)}
</g>
</svg>
"""
(root / "docs" / "demo.svg").write_text(svg)
