#!/usr/bin/env python3
"""What pictures of workbooks cost, with LibreOffice doing the same in the same run.

    cargo build --release -p docwright && python3 benches/render/run.py [BINARY]

Workbooks are made here: 20 x 12 and 50 x 30 cells with formats at dpr 1 and 2, six charts, and 200 x 50 cells with
conditional formats. `one` is a process of its own for one picture (start, opening, drawing, encoding), the best of
REPEAT (5); `each` is what a further picture of the open workbook costs in a server, over MCP, the median of CALLS (40).
CPU is user + system, memory the largest resident set. LibreOffice converts the same workbook to PNG (the sheet that is
shown on opening) in a process of its own; without `soffice` the line says so. The target is that a range takes a
hundredth of that, and 20 x 12 at dpr 1 at most 8 ms of CPU. Nothing but Python is needed.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/docwright").resolve()
REPEAT, CALLS = int(os.environ.get("REPEAT", "5")), int(os.environ.get("CALLS", "40"))
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
P = "http://schemas.openxmlformats.org/package/2006/relationships"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
X = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml"
STYLES = f"""<styleSheet xmlns="{S}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF1F4E78"/></patternFill></fill></fills>
<borders count="2"><border/><border><bottom style="thin"/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="4"><xf/><xf fontId="1" fillId="2" applyFill="1" applyFont="1"/><xf numFmtId="4" borderId="1" applyNumberFormat="1" applyBorder="1"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>"""


def letters(col):
    name = ""
    while col:
        col, rest = divmod(col - 1, 26)
        name = chr(65 + rest) + name
    return name


def cell(row, col):
    at = f"{letters(col)}{row}"
    if row == 1:
        return f'<c r="{at}" s="1" t="inlineStr"><is><t>Column {col}</t></is></c>'
    if col == 1:
        return f'<c r="{at}" t="inlineStr"><is><t>Item number {row}</t></is></c>'
    return f'<c r="{at}" s="{3 if col % 5 == 0 else 2}"><v>{45000 + row * col if col % 5 == 0 else (row * 7919 + col * 104729) % 99991 / 7}</v></c>'


def workbook(path, rows, cols, rules="", charts=0):
    data = "".join(f'<row r="{row}">' + "".join(cell(row, col) for col in range(1, cols + 1)) + "</row>" for row in range(1, rows + 1))
    drawing = '<drawing r:id="rId1"/>' if charts else ""
    link = lambda id, kind, target: f'<Relationship Id="rId{id}" Type="{R}/{kind}" Target="{target}"/>'
    links = lambda inside: f'<Relationships xmlns="{P}">{inside}</Relationships>'
    types = "".join(f'<Override PartName="/xl/charts/chart{n}.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>' for n in range(1, charts + 1))
    if charts:
        types += '<Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{MAIN}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{MAIN}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="{MAIN}.styles+xml"/>{types}</Types>',
        "_rels/.rels": links(link(1, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": links(link(1, "worksheet", "worksheets/sheet1.xml") + link(2, "styles", "styles.xml")),
        "xl/styles.xml": STYLES,
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{S}" xmlns:r="{R}"><cols><col min="1" max="1" width="18.7109375" customWidth="1"/><col min="2" max="60" width="12.7109375" customWidth="1"/></cols><sheetData>{data}</sheetData>{rules}{drawing}</worksheet>',
    }
    if charts:
        anchors = ""
        for n in range(1, charts + 1):
            at = lambda col, row: f"<xdr:col>{col}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{row}</xdr:row><xdr:rowOff>0</xdr:rowOff>"
            left, top = (n - 1) % 3 * 5, 21 + (n - 1) // 3 * 16
            anchors += f'<xdr:twoCellAnchor><xdr:from>{at(left, top)}</xdr:from><xdr:to>{at(left + 5, top + 15)}</xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="{n + 1}" name="Chart {n}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="{C}"><c:chart xmlns:c="{C}" r:id="rId{n}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>'
            kind, inside = [("bar", '<c:barDir val="col"/>'), ("line", ""), ("bar", '<c:barDir val="bar"/>'), ("area", ""), ("pie", ""), ("line", "")][(n - 1) % 6]
            series = "".join(f'<c:ser><c:idx val="{k}"/><c:order val="{k}"/><c:cat><c:strRef><c:f>Data!$A$2:$A$20</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>Data!${letters(k + 2)}$2:${letters(k + 2)}$20</c:f></c:numRef></c:val></c:ser>' for k in range(1 if kind == "pie" else 3))
            ids = "" if kind == "pie" else '<c:axId val="1"/><c:axId val="2"/>'
            axes = "" if kind == "pie" else '<c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:majorGridlines/><c:crossAx val="1"/></c:valAx>'
            parts[f"xl/charts/chart{n}.xml"] = f'<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart><c:plotArea><c:{kind}Chart>{inside}{series}{ids}</c:{kind}Chart>{axes}</c:plotArea><c:legend><c:legendPos val="r"/></c:legend><c:plotVisOnly val="1"/></c:chart></c:chartSpace>'
        parts["xl/drawings/drawing1.xml"] = f'<xdr:wsDr xmlns:xdr="{X}" xmlns:a="{A}" xmlns:r="{R}">{anchors}</xdr:wsDr>'
        parts["xl/worksheets/_rels/sheet1.xml.rels"] = links(link(1, "drawing", "../drawings/drawing1.xml"))
        parts["xl/drawings/_rels/drawing1.xml.rels"] = links("".join(link(n, "chart", f"../charts/chart{n}.xml") for n in range(1, charts + 1)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


RULES = (
    '<conditionalFormatting sqref="B2:T200"><cfRule type="colorScale" priority="1"><colorScale><cfvo type="min"/><cfvo type="percentile" val="50"/><cfvo type="max"/><color rgb="FFF8696B"/><color rgb="FFFFEB84"/><color rgb="FF63BE7B"/></colorScale></cfRule></conditionalFormatting>'
    '<conditionalFormatting sqref="U2:AI200"><cfRule type="dataBar" priority="2"><dataBar><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar></cfRule></conditionalFormatting>'
    '<conditionalFormatting sqref="AJ2:AX200"><cfRule type="iconSet" priority="3"><iconSet iconSet="3Arrows"><cfvo type="percent" val="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67"/></iconSet></cfRule><cfRule type="expression" priority="4"><formula>AJ2&gt;AVERAGE($B2:$E2)</formula></cfRule></conditionalFormatting>'
)


def used(command, state):
    """Seconds of wall and CPU, and megabytes, of a process and its children."""
    started = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "XDG_STATE_HOME": str(state)})
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if status:
        sys.exit(f"{command}: {process.stderr.read()[-500:]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Server:
    """The program over stdio, with one workbook open."""

    def __init__(self, folder):
        env = {**os.environ, "XDG_STATE_HOME": str(folder / "server")}
        self.process = subprocess.Popen([str(BINARY), "mcp", "--alone", "--root", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        self.number = 0
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "bench", "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def usage(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)


def each(folder, arguments):
    server = Server(folder)
    call = lambda: server.ask("tools/call", name="xlsx_render", arguments=arguments)
    first = call()
    if first.get("result", {}).get("isError", True):
        sys.exit(f"xlsx_render: {str(first)[:500]}")
    walls, before = [], server.usage()
    for _ in range(CALLS):
        started = time.perf_counter()
        call()
        walls.append(time.perf_counter() - started)
    cpu, peak = (server.usage() - before) / CALLS, server.peak()
    server.end()
    return statistics.median(walls), cpu, peak


def main():
    office = shutil.which("soffice")
    with tempfile.TemporaryDirectory(prefix="docwright-render") as name:
        folder = pathlib.Path(name)
        workbook(folder / "small.xlsx", 20, 12)
        workbook(folder / "large.xlsx", 50, 30)
        workbook(folder / "charts.xlsx", 20, 12, charts=6)
        workbook(folder / "rules.xlsx", 200, 50, rules=RULES)
        jobs = [
            ("20 x 12, dpr 1", "small", "Data!A1:L20", 1), ("20 x 12, dpr 2", "small", "Data!A1:L20", 2),
            ("50 x 30, dpr 1", "large", "Data!A1:AD50", 1), ("50 x 30, dpr 2", "large", "Data!A1:AD50", 2),
            ("six charts", "charts", "Data!A1:O52", 1), ("200 x 50 with rules", "rules", "Data!A1:AX200", 1),
        ]
        print(f"{'':22}{'one: ms':>9}{'CPU':>7}{'MB':>6}{'each: ms':>10}{'CPU':>7}{'MB':>6}{'LibreOffice: ms':>17}{'CPU':>8}{'MB':>6}{'times':>7}")
        for what, book, area, dpr in jobs:
            path, out = folder / f"{book}.xlsx", folder / "out.png"
            command = [BINARY, "xlsx", "render", path, "-r", area, "--dpr", dpr, "-o", out]
            one = min((used(command, folder / "state") for _ in range(REPEAT)), key=lambda line: line[0])
            wall, cpu, peak = each(folder, {"path": path.name, "range": area, "dpr": dpr})
            line = f"{what:22}{one[0] * 1e3:9.1f}{one[1] * 1e3:7.1f}{one[2]:6.0f}{wall * 1e3:10.1f}{cpu * 1e3:7.1f}{peak:6.0f}"
            if office:
                convert = [office, f"-env:UserInstallation=file://{folder}/office", "--headless", "--convert-to", "png", "--outdir", folder, path]
                theirs = min((used(convert, folder / "state") for _ in range(3)), key=lambda line: line[0])
                line += f"{theirs[0] * 1e3:17.0f}{theirs[1] * 1e3:8.0f}{theirs[2]:6.0f}{theirs[0] / one[0]:7.0f}"
            print(line if office else line + "   no soffice", flush=True)


if __name__ == "__main__":
    main()
