"""The steps of the benchmark with python-docx: `peer.py FILE OUT` prints seconds of processor and clock."""
import json
import sys
import time

import docx

path, out = sys.argv[1:]
marks = {}


class step:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.start = time.process_time(), time.perf_counter()

    def __exit__(self, *_):
        marks[self.name] = time.process_time() - self.start[0], time.perf_counter() - self.start[1]


def plus(*names):
    return [sum(marks[name][kind] for name in names) for kind in (0, 1)]


with step("open"):
    document = docx.Document(path)
with step("first page"):
    paragraphs = document.paragraphs
    page = [paragraph.text for paragraph in paragraphs[:100]]
with step("one edit"):
    run = next(run for run in paragraphs[2000].runs if "Mark" in run.text)
    run.text = " Changed"
with step("grep"):
    found = [paragraph for paragraph in paragraphs if "Mark77x" in paragraph.text]
    assert len(found) == 1
with step("save clean"):
    document.save(out)
with step("1,000 edits in one batch"):
    for paragraph in paragraphs[:1000]:
        for run in paragraph.runs:
            if "Mark" in run.text:
                run.text = " Batch"
with step("save after the batch"):
    document.save(out)
marks["open + first page"] = plus("open", "first page")
marks["edit + save, open session"] = plus("one edit", "save clean")
marks["open + edit + save"] = plus("open", "one edit", "save clean")
with open("/proc/self/status") as status:
    marks["peak"] = int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1024
print(json.dumps(marks))
