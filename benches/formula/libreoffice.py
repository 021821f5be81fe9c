#!/usr/bin/python3
"""LibreOffice on the same workbooks, through its scripting bridge.

    libreoffice.py FILE PROBE FEW      milliseconds for loading, calculation, A1 changed, and a cell with few
                                       dependents changed, as JSON; PROBE and FEW are ROW,COLUMN from zero
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue

path = os.path.abspath(sys.argv[1])
probe, few = ([int(part) for part in text.split(",")] for text in sys.argv[2:4])
# A run that was given up leaves its lock behind, and LibreOffice opens nothing that is locked.
lock = os.path.join(os.path.dirname(path), f".~lock.{os.path.basename(path)}#")
if os.path.exists(lock):
    os.remove(lock)
pipe = f"docwright{os.getpid()}"
with tempfile.TemporaryDirectory() as profile:
    office = subprocess.Popen(
        ["soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{profile}",
         f"--accept=pipe,name={pipe};urp;"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for _ in range(300):
            try:
                context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.1)
        desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        start = time.perf_counter()
        hidden = PropertyValue(Name="Hidden", Value=True)
        document = desktop.loadComponentFromURL("file://" + path, "_blank", 0, (hidden,))
        load = time.perf_counter() - start
        start = time.perf_counter()
        document.calculateAll()
        full = time.perf_counter() - start
        sheet = document.Sheets.getByIndex(0)
        start = time.perf_counter()
        sheet.getCellByPosition(0, 0).setValue(5)
        # Cells are calculated when somebody looks at them; this looks at all that are waiting.
        document.calculate()
        value = sheet.getCellByPosition(probe[1], probe[0]).getString()
        again = time.perf_counter() - start
        times = []
        for turn in range(5):
            start = time.perf_counter()
            sheet.getCellByPosition(few[1], few[0]).setValue(17 + turn)
            document.calculate()
            times.append(time.perf_counter() - start)
        print(json.dumps({
            "load": load * 1e3, "full": full * 1e3, "again": again * 1e3, "few": sorted(times)[2] * 1e3, "probe": value,
        }))
        document.close(True)
    finally:
        office.terminate()
        office.wait()
