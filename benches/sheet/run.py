#!/usr/bin/env python3
"""Workbook benchmarks: the program beside openpyxl, exceljs, umya-spreadsheet and calamine, in one run.

    cargo build --release -p docwright && python3 benches/sheet/run.py [ROWS...]

Sheets of ROWS x 10 cells (100,000 and 1,000,000 unless given). Every job is a process of its own, so that what
it costs to start counts for everybody: `read` opens the workbook and prints one cell, `set` sets one cell and
saves. CPU is user + system seconds of the process, memory its largest resident set. Peers are installed below
~/.cache/docwright/bench-sheet on the first run. PEERS=openpyxl,umya chooses some of them; REPEAT=3 takes the best.
A job that takes more than LIMIT seconds (600) or MEMORY megabytes (three quarters of the machine's) is stopped, and
the line says so: its ratio is then at least the one shown.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BINARY = pathlib.Path(os.environ.get("DOCWRIGHT", ROOT / "target/release/docwright"))
CACHE = pathlib.Path(os.environ.get("DOCWRIGHT_CACHE", pathlib.Path.home() / ".cache/docwright")) / "bench-sheet"
REPEAT = int(os.environ.get("REPEAT", "1"))
LIMIT = float(os.environ.get("LIMIT", "600"))
MEMORY = float(os.environ.get("MEMORY", os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**20 * 3 / 4))
PEERS = [name for name in os.environ.get("PEERS", "openpyxl,exceljs,umya,calamine").split(",") if name]

OPENPYXL = """
import sys, openpyxl
job, path, out = sys.argv[1:4]
book = openpyxl.load_workbook(path)
if job == 'set':
    book['Data']['C500'] = 4242
    book.save(out)
else:
    print(book['Data']['C500'].value)
"""

EXCELJS = """
const ExcelJS = require('exceljs');
const [job, path, out] = process.argv.slice(2);
(async () => {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(path);
  const cell = book.getWorksheet('Data').getCell('C500');
  if (job === 'set') { cell.value = 4242; await book.xlsx.writeFile(out); } else { console.log(cell.value); }
})();
"""


def generate(rows, path):
    """A sheet of numbers with a column of texts, as programs that export write it."""
    if path.exists():
        return
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="{types}.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="{types}.styles+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="{office}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}" count="{rows}" uniqueCount="1000">' + "".join(f"<si><t>Label {n}</t></si>" for n in range(1000)) + "</sst>",
    }
    temporary = path.with_suffix(".part")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f'<worksheet xmlns="{main}"><dimension ref="A1:J{rows}"/><sheetData>'.encode())
            chunk = []
            for row in range(1, rows + 1):
                cells = "".join(f'<c r="{letter}{row}"><v>{(row * 7919 + n * 104729) % 1000003 / 8}</v></c>' for n, letter in enumerate("BCDEFGHIJ"))
                chunk.append(f'<row r="{row}"><c r="A{row}" t="s"><v>{row * 31 % 1000}</v></c>{cells}</row>')
                if len(chunk) == 5000:
                    sheet.write("".join(chunk).encode())
                    chunk = []
            sheet.write(("".join(chunk) + "</sheetData></worksheet>").encode())
    temporary.rename(path)


def install():
    CACHE.mkdir(parents=True, exist_ok=True)
    if "openpyxl" in PEERS and not (CACHE / "venv/bin/python").exists():
        venv.create(CACHE / "venv", with_pip=True)
        subprocess.run([CACHE / "venv/bin/pip", "install", "-q", "openpyxl==3.1.5", "lxml"], check=True)
    (CACHE / "openpyxl.py.txt").write_text(OPENPYXL)
    if "exceljs" in PEERS:
        if not (CACHE / "npm/node_modules/exceljs").exists():
            (CACHE / "npm").mkdir(exist_ok=True)
            # What it needs to unzip asks for a package that some registries do not have; an older version does not.
            (CACHE / "npm/package.json").write_text('{"private":true,"overrides":{"traverse":"0.3.9"}}')
            npm = ["npm", "install", "--silent", "--no-fund", "--no-audit", "exceljs@4.4.0"]
            # The others can still be compared without it.
            if subprocess.run(npm, cwd=CACHE / "npm").returncode != 0:
                print("exceljs could not be installed and is left out")
                PEERS.remove("exceljs")
        (CACHE / "npm/job.js").write_text(EXCELJS)
    if "umya" in PEERS or "calamine" in PEERS:
        subprocess.run(["cargo", "build", "-q", "--release", "--manifest-path", HERE / "peers/Cargo.toml", "--target-dir", CACHE / "peers"], check=True)


def command(peer, job, path, out):
    if peer == "docwright":
        if job == "read":
            return [BINARY, "xlsx", "read", path, "-r", "Data!C500"]
        return [BINARY, "xlsx", "set", path, "--cell", "Data!C500", "--value", "4242", "-o", out]
    if peer == "openpyxl":
        return [CACHE / "venv/bin/python", CACHE / "openpyxl.py.txt", job, path, out]
    if peer == "exceljs":
        return ["node", "--max-old-space-size=12000", CACHE / "npm/job.js", job, path, out]
    return [CACHE / "peers/release/peers", peer, job, path, "Data", out]


def measure(arguments):
    """CPU seconds, wall seconds and peak megabytes of a process, and what limit stopped it; nothing where it failed."""
    best = None
    for _ in range(REPEAT):
        started = time.perf_counter()
        process = subprocess.Popen([str(word) for word in arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended, stopped = threading.Event(), []
        watcher = threading.Thread(target=watch, args=(process.pid, ended, stopped))
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        ended.set()
        watcher.join()
        process.returncode = status
        if status != 0 and not stopped:
            return None
        found = (usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss / 1024, "".join(stopped))
        if stopped:
            return found
        best = found if best is None or found < best else best
    return best


def watch(pid, ended, stopped):
    """Ends a process that takes too long or too much memory."""
    deadline = time.monotonic() + LIMIT
    while not ended.wait(0.5):
        try:
            megabytes = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        except (OSError, IndexError):
            return
        if time.monotonic() > deadline:
            stopped.append(f"over {LIMIT:.0f} s")
        elif megabytes > MEMORY:
            stopped.append(f"over {MEMORY:.0f} MB")
        if stopped:
            os.kill(pid, signal.SIGKILL)
            return


def main():
    if not BINARY.exists():
        sys.exit(f"{BINARY} is not there: cargo build --release -p docwright")
    install()
    report = []
    for rows in [int(text) for text in sys.argv[1:]] or [100_000, 1_000_000]:
        path = CACHE / f"{rows}.xlsx"
        generate(rows, path)
        print(f"\n{rows:,} x 10 cells, {path.stat().st_size / 1e6:.1f} MB")
        print(f"  {'job':5} {'who':10} {'CPU s':>9} {'wall s':>9} {'peak MB':>9} {'CPU ratio':>10}")
        for job in ["read", "set"]:
            ours = None
            for who in ["docwright"] + PEERS:
                if who == "calamine" and job == "set":
                    continue
                found = measure(command(who, job, path, CACHE / f"out-{who}.xlsx"))
                if who == "docwright":
                    ours = found
                if found is None:
                    print(f"  {job:5} {who:10} {'failed':>9}")
                    continue
                ratio = found[0] / ours[0] if ours else float("nan")
                stopped = f"  {found[3]}, stopped" if found[3] else ""
                print(f"  {job:5} {who:10} {found[0]:9.3f} {found[1]:9.3f} {found[2]:9.0f} {ratio:9.1f}x{stopped}", flush=True)
                report.append({"rows": rows, "job": job, "who": who, "cpu": found[0], "wall": found[1], "peak_mb": found[2], "ratio": ratio, "stopped": found[3] or None})
    (CACHE / "report.json").write_text(json.dumps(report, indent=1))


main()
