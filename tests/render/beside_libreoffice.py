#!/usr/bin/python3
"""Pictures of workbooks beside those that LibreOffice makes: a range with content of every sheet, and every chart.

    /usr/bin/python3 tests/render/beside_libreoffice.py BINARY CORPUS OUT [PART/PARTS]

OUT gets `ours` and `theirs` (one PNG each for a sheet or chart), `contact-NN.png` with both side by side, the least
alike first, and `report.json` with a line for each pair. Pictures of LibreOffice are kept between runs; delete
OUT/theirs to have them made again. `--only TEXT` takes files whose path has the text, `--sheets N` so many sheets of a
workbook (3), `--charts` and `--ranges` one half of the work. With PART/PARTS every so many-th file is taken.

**Likeness.** Two programs never agree on a pixel: letters are smoothed differently and widths are rounded elsewhere, so
counting equal pixels or SSIM measures mostly anti-aliasing. What a reader asks is whether something is missing, whether
something is there that should not be, and whether colours are right. So three parts of 0 to 1 are told and multiplied:

- *found*: of the edges (letters, lines, rims of fills) in their picture, the share that has one of ours within
  5 pixels. What we do not draw lowers it.
- *true*: the same the other way round. What we draw and they do not lowers it.
- *color*: the share of squares of 16 pixels whose mean colours are close (the distance in RGB below 40 of 441).

Theirs is stretched to our size first; by how much is told as `stretch`, because wrong widths of columns show there.
Needs LibreOffice with python3-uno, python3-numpy, python3-pil, poppler-utils, and the fonts Carlito, Caladea and
Liberation (Debian: fonts-crosextra-carlito fonts-crosextra-caladea fonts-liberation2).
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Image.MAX_IMAGE_PIXELS = None
WIDE, PAIRS = 1400, 8
CHART_PIXELS = 2000


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("part", nargs="?", default="0/1")
    parser.add_argument("--only", default="")
    parser.add_argument("--sheets", type=int, default=3)
    parser.add_argument("--charts", action="store_true")
    parser.add_argument("--ranges", action="store_true")
    return parser.parse_args()


class Office:
    """LibreOffice without a window; started again when it hangs or dies."""

    def __init__(self):
        self.process = None

    def start(self):
        import uno

        self.stop()
        self.profile = tempfile.TemporaryDirectory(prefix="office")
        pipe = f"render{os.getpid()}x{time.time_ns()}"
        profile = pathlib.Path(self.profile.name).as_uri()
        self.process = subprocess.Popen(
            ["soffice", f"-env:UserInstallation={profile}", "--headless", "--norestore", "--nologo", f"--accept=pipe,name={pipe};urp;"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for _ in range(300):
            try:
                self.context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.2)
        self.desktop = self.service("com.sun.star.frame.Desktop")

    def service(self, name):
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def stop(self):
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def open(self, path):
        if not self.process or self.process.poll() is not None:
            self.start()
        return self.desktop.loadComponentFromURL(path.resolve().as_uri(), "_blank", 0, values(Hidden=True, ReadOnly=True))


def values(**named):
    from com.sun.star.beans import PropertyValue

    return tuple(PropertyValue(Name=name, Value=value) for name, value in named.items())


def theirs_of_range(book, area, sheet_name, target):
    """One page as large as the range, printed without margins."""
    sheet = book.Sheets.getByName(sheet_name)
    cells = sheet.getCellRangeByName(area)
    for other in book.Sheets.ElementNames:
        book.Sheets.getByName(other).setPrintAreas(())
    sheet.setPrintAreas((cells.RangeAddress,))
    sheet.removeAllManualPageBreaks()
    sheet.setPrintTitleRows(False)
    sheet.setPrintTitleColumns(False)
    style = book.StyleFamilies.getByName("PageStyles").getByName(sheet.PageStyle)
    for name, value in dict(
        IsLandscape=False, LeftMargin=0, RightMargin=0, TopMargin=0, BottomMargin=0, HeaderIsOn=False, FooterIsOn=False,
        PageScale=100, CenterHorizontally=False, CenterVertically=False, PrintHeaders=False, PrintGrid=False,
        PrintCharts=True, PrintObjects=True, PrintDrawing=True, BackTransparent=True,
        LeftBorderDistance=0, RightBorderDistance=0, TopBorderDistance=0, BottomBorderDistance=0,
        Width=cells.Size.Width + 40, Height=cells.Size.Height + 40,
    ).items():
        try:
            style.setPropertyValue(name, value)
        except Exception:
            pass
    pdf = target.with_suffix(".pdf")
    book.storeToURL(pdf.resolve().as_uri(), values(FilterName="calc_pdf_Export"))
    subprocess.run(["pdftoppm", "-r", "96", "-f", "1", "-l", "1", "-singlefile", "-png", pdf, target.with_suffix("")], check=True)
    pdf.unlink()
    # The page is a little larger than its cells.
    width, height = round(cells.Size.Width * 96 / 2540), round(cells.Size.Height * 96 / 2540)
    image = Image.open(target).convert("RGB")
    image.crop((0, 0, min(width, image.width), min(height, image.height))).save(target)


def charts_of(sheet):
    """The shapes of a sheet that are charts, lowest first."""
    chart = "12dcae26-281f-416f-a234-c3086127382e"
    page = sheet.DrawPage
    shapes = [page.getByIndex(index) for index in range(page.Count)]
    return [one for one in shapes if getattr(one, "CLSID", "").lower() == chart]


def theirs_of_chart(office, shape, size, target):
    exporter = office.service("com.sun.star.drawing.GraphicExportFilter")
    exporter.setSourceDocument(shape)
    import uno

    data = uno.Any("[]com.sun.star.beans.PropertyValue", values(PixelWidth=size[0], PixelHeight=size[1]))
    exporter.filter(values(URL=target.resolve().as_uri(), MediaType="image/png", FilterData=data))
    Image.open(target).convert("RGB").save(target)


def ours(binary, path, target, *more):
    state = {**os.environ, "XDG_STATE_HOME": str(target.parent.parent / "state")}
    command = [binary, "xlsx", "render", path, "-o", target, "--json", "--no-gridlines", *more]
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, timeout=120, env=state)
    except subprocess.TimeoutExpired:
        return None, "took more than 120 s"
    text = done.stdout or done.stderr
    try:
        answer = json.loads(text)
    except ValueError:
        return None, f"no JSON: {text[-300:]}"
    if done.returncode not in (0, 2) or "error" in answer:
        return None, answer.get("error", {}).get("message", str(answer))
    return answer, None


def edges(image):
    pixels = numpy.asarray(image, dtype=numpy.int16)
    found = numpy.zeros(pixels.shape[:2], dtype=bool)
    across = numpy.abs(numpy.diff(pixels, axis=1)).max(axis=2) > 36
    down = numpy.abs(numpy.diff(pixels, axis=0)).max(axis=2) > 36
    found[:, 1:] |= across
    found[1:, :] |= down
    return found


def near(mask, reach):
    return numpy.asarray(Image.fromarray(mask.astype(numpy.uint8) * 255).filter(ImageFilter.MaxFilter(2 * reach + 1))) > 0


def likeness(one, other):
    if one.size != other.size:
        other = other.resize(one.size, Image.BILINEAR)
    a, b = edges(one), edges(other)
    share = lambda inside, of: float((inside & of).sum() / of.sum()) if of.sum() else 1.0
    found, true = share(near(a, 5), b), share(near(b, 5), a)
    shape = (max(1, one.width // 16), max(1, one.height // 16))
    means = [numpy.asarray(image.resize(shape, Image.BOX), dtype=float) for image in (one, other)]
    color = float((numpy.sqrt(((means[0] - means[1]) ** 2).sum(axis=2)) < 40).mean())
    return {"found": found, "true": true, "color": color, "likeness": found * true * color}


def contact_sheets(pairs, out):
    font = ImageFont.truetype("/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf", 13)
    for old in out.glob("contact-*.png"):
        old.unlink()
    for number in range(0, len(pairs), PAIRS):
        rows = []
        for pair in pairs[number:number + PAIRS]:
            images = [Image.open(out / side / pair["picture"]).convert("RGB") for side in ("ours", "theirs")]
            scale = min(1.0, (WIDE // 2 - 10) / max(image.width for image in images), 420 / max(image.height for image in images))
            images = [image.resize((max(1, int(image.width * scale)), max(1, int(image.height * scale))), Image.LANCZOS) for image in images]
            rows.append((pair, images, max(image.height for image in images) + 24))
        sheet = Image.new("RGB", (WIDE, sum(height for _, _, height in rows)), (225, 232, 240))
        draw, y = ImageDraw.Draw(sheet), 0
        for pair, images, height in rows:
            told = " ".join(f"{key} {pair[key]:.2f}" for key in ("likeness", "found", "true", "color", "stretch"))
            draw.text((4, y + 3), f"{pair['picture']} {told}  {pair['file']} {pair['what']}", fill=(0, 0, 0), font=font)
            sheet.paste(images[0], (4, y + 20))
            sheet.paste(images[1], (WIDE // 2 + 4, y + 20))
            y += height
        sheet.save(out / f"contact-{number // PAIRS:02}.png")


def work(office, options, path, report):
    name = str(path.relative_to(options.corpus))
    key = hashlib.sha1(name.encode()).hexdigest()[:6]
    stem = f"{re.sub(r'[^A-Za-z0-9]+', '_', path.stem)[:30]}-{key}"
    both = options.charts == options.ranges
    jobs = []
    memory = options.out / "theirs" / f"{stem}.json"
    book = None
    known = json.loads(memory.read_text()) if memory.exists() else None
    if known is None:
        try:
            book = office.open(path)
            known = {"sheets": [[sheet, len(charts_of(book.Sheets.getByName(sheet)))] for sheet in book.Sheets.ElementNames]}
        except Exception as error:
            office.stop()
            known = {"sheets": [], "failed": str(error)[:200]}
        memory.write_text(json.dumps(known))
    if known.get("failed"):
        report.append({"file": name, "what": "", "failed": f"LibreOffice: {known['failed']}"})
    total = 0
    for index, (sheet, charts) in enumerate(known["sheets"]):
        quoted = sheet
        if (both or options.ranges) and index < options.sheets:
            jobs.append((f"{stem}-{index}.png", sheet, None, ["-r", quoted]))
        if both or options.charts:
            jobs += [(f"{stem}-{index}-chart{place}.png", sheet, place, ["-r", quoted, "--chart", f"#{place + 1}"]) for place in range(charts)]
        total += charts
    for picture, sheet, place, more in jobs:
        line = {"file": name, "what": sheet if place is None else f"{sheet} chart {place + 1}", "picture": picture}
        report.append(line)
        started = time.time()
        answer, wrong = ours(options.binary, path, options.out / "ours" / picture, *more)
        line["seconds"] = round(time.time() - started, 2)
        if wrong:
            line["failed"] = wrong
            continue
        line["notes"] = answer["notes"]
        target = options.out / "theirs" / picture
        if not target.exists():
            try:
                book = book or office.open(path)
                if place is None:
                    theirs_of_range(book, answer["range"], sheet, target)
                else:
                    size = (answer["width"], answer["height"])
                    theirs_of_chart(office, charts_of(book.Sheets.getByName(sheet))[place], size, target)
            except Exception as error:
                line["failed"] = f"LibreOffice: {str(error)[:200]}"
                book = None
                office.stop()
                continue
        one, other = (Image.open(options.out / side / picture).convert("RGB") for side in ("ours", "theirs"))
        line["stretch"] = round((one.width / other.width) * (one.height / other.height), 3)
        line.update(likeness(one, other))
    if book is not None:
        try:
            book.close(True)
        except Exception:
            office.stop()


def main():
    options = arguments()
    for side in ("ours", "theirs"):
        (options.out / side).mkdir(parents=True, exist_ok=True)
    part, of = map(int, options.part.split("/"))
    files = sorted(path for path in options.corpus.rglob("*") if path.suffix.lower() in (".xlsx", ".xlsm") and options.only in str(path))
    office, report = Office(), []
    for path in files[part::of]:
        def late(*_):
            raise TimeoutError("LibreOffice took more than 90 s")
        signal.signal(signal.SIGALRM, late)
        signal.alarm(240)
        try:
            work(office, options, path, report)
        except Exception as error:
            report.append({"file": str(path), "what": "", "failed": str(error)[:300]})
            office.stop()
        signal.alarm(0)
    office.stop()
    pairs = sorted((line for line in report if "likeness" in line), key=lambda line: line["likeness"])
    contact_sheets(pairs, options.out)
    (options.out / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False))
    for what, chosen in (("ranges", [p for p in pairs if "-chart" not in p["picture"]]), ("charts", [p for p in pairs if "-chart" in p["picture"]])):
        if chosen:
            numbers = sorted(p["likeness"] for p in chosen)
            mean = {key: sum(p[key] for p in chosen) / len(chosen) for key in ("found", "true", "color")}
            middle = numbers[len(numbers) // 2]
            print(f"{len(chosen)} {what}: median likeness {middle:.2f}, lowest tenth below {numbers[len(numbers) // 10]:.2f}; means " + ", ".join(f"{key} {value:.2f}" for key, value in mean.items()))
    failed = collections.Counter(re.sub(r"`[^`]*`|[\d.]+", "…", line["failed"])[:110] for line in report if "failed" in line)
    for what, count in failed.most_common(25):
        print(f"{count:5} without a pair: {what}")


if __name__ == "__main__":
    main()
