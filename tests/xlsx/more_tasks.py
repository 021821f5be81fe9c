"""Twenty more tasks of analysts; see `tasks.py`."""

import base64
import datetime
import struct
import zipfile
import zlib

import openpyxl
from desk import sheet_of, task
from openpyxl.styles import Font, PatternFill

day = datetime.datetime


@task
async def three_statements_from_nothing(desk):
    code = """
        await xlsx.renameSheet(wb, "Sheet1", "Inputs");
        for (const name of ["P&L", "Cash flow", "Balance sheet"]) await xlsx.addSheet(wb, name);
        const inputs = [["Revenue year 1", 1000, "#,##0"], ["Growth", 0.08, "0.0%"], ["COGS share", 0.55, "0.0%"], ["Opex", 200, "#,##0"],
            ["Tax rate", 0.25, "0.0%"], ["Opening cash", 150, "#,##0"], ["Capex", 60, "#,##0"], ["Useful life", 5, "0"]];
        const cells = [{address: "Inputs!A1", value: "Assumption"}, {address: "Inputs!B1", value: "Value"}];
        inputs.forEach(([label, value, format], i) => cells.push({address: {sheet: "Inputs", row: i + 2, col: 1}, value: label},
            {address: {sheet: "Inputs", row: i + 2, col: 2}, value, format}));
        const L = ["B", "C", "D"];
        const line = (sheet, row, label, f) => { cells.push({address: `'${sheet}'!A${row}`, value: label});
            L.forEach((c, i) => cells.push({address: `'${sheet}'!${c}${row}`, formula: f(c, i ? L[i - 1] : null, i), format: "#,##0;(#,##0);-"})); };
        for (const sheet of ["P&L", "Cash flow", "Balance sheet"]) L.forEach((c, i) => cells.push({address: `'${sheet}'!${c}1`, value: `Year ${i + 1}`}));
        line("P&L", 2, "Revenue", (c, p) => p ? `=${p}2*(1+Inputs!$B$3)` : "=Inputs!$B$2");
        line("P&L", 3, "COGS", (c) => `=-${c}2*Inputs!$B$4`);
        line("P&L", 4, "Opex", () => "=-Inputs!$B$5");
        line("P&L", 5, "Depreciation", (c, p, i) => `=-Inputs!$B$8/Inputs!$B$9*${i + 1}`);
        line("P&L", 6, "EBT", (c) => `=SUM(${c}2:${c}5)`);
        line("P&L", 7, "Tax", (c) => `=-MAX(0,${c}6)*Inputs!$B$6`);
        line("P&L", 8, "Net income", (c) => `=${c}6+${c}7`);
        line("Cash flow", 2, "Opening cash", (c, p) => p ? `=${p}6` : "=Inputs!$B$7");
        line("Cash flow", 3, "Net income", (c) => `='P&L'!${c}8`);
        line("Cash flow", 4, "Depreciation", (c) => `=-'P&L'!${c}5`);
        line("Cash flow", 5, "Capex", () => "=-Inputs!$B$8");
        line("Cash flow", 6, "Closing cash", (c) => `=SUM(${c}2:${c}5)`);
        line("Balance sheet", 2, "Cash", (c) => `='Cash flow'!${c}6`);
        line("Balance sheet", 3, "Fixed assets", (c, p) => p ? `=${p}3+Inputs!$B$8+'P&L'!${c}5` : `=Inputs!$B$8+'P&L'!${c}5`);
        line("Balance sheet", 4, "Assets", (c) => `=${c}2+${c}3`);
        line("Balance sheet", 5, "Share capital", () => "=Inputs!$B$7");
        line("Balance sheet", 6, "Retained earnings", (c, p) => p ? `=${p}6+'P&L'!${c}8` : `='P&L'!${c}8`);
        line("Balance sheet", 7, "Equity", (c) => `=${c}5+${c}6`);
        line("Balance sheet", 8, "Check", (c) => `=ROUND(${c}4-${c}7,6)`);
        const w = await xlsx.setCells(wb, cells);
        await xlsx.setDataValidations(wb, "Inputs", [{address: "B3:B4 B6", rule: {decimal: {operator: "Between", formula1: 0, formula2: 1}},
            errorAlert: {style: "Stop", title: "Share", message: "between 0 and 1"}}]);
        await xlsx.addChart(wb, "P&L", {name: "Result", position: {from: {cell: "F2"}, to: {cell: "N18"}},
            groups: [{type: "column", series: [{name: {ref: "'P&L'!A2"}, categories: "'P&L'!B1:D1", values: "'P&L'!B2:D2"}]},
                     {type: "line", axis: "secondary", series: [{name: {ref: "'P&L'!A8"}, categories: "'P&L'!B1:D1", values: "'P&L'!B8:D8"}]}],
            title: {text: "Revenue and result"}, legend: {visible: true, position: "bottom"}});
        for (const sheet of ["P&L", "Cash flow", "Balance sheet", "Inputs"]) {
            await xlsx.setStyle(wb, `'${sheet}'!A1:D1`, {font: {bold: true}, fill: {color: "#DDEBF7"}});
            await xlsx.autoFitColumns(wb, sheet);
        }
        return {errors: w.errors, checks: ["B", "C", "D"].map((c) => w.touched[`'Balance sheet'!${c}8`]), loud: (await xlsx.lint(wb)).diagnostics.filter((d) => d.severity === "Error")};"""
    result, _, values = await desk.run(None, code)
    assert result["errors"] == [] and result["loud"] == [] and result["checks"] == ["-", "-", "-"], result
    revenue = [1000 * 1.08**year for year in range(3)]
    net = [(r * 0.45 - 200 - 12 * (n + 1)) * 0.75 for n, r in enumerate(revenue)]
    assert all(abs(values["P&L", f"{c}8"] - want) < 1e-6 for c, want in zip("BCD", net)), (values, net)
    read = openpyxl.load_workbook(desk.path)
    assert len(read["P&L"]._charts) == 1 and len(read["Inputs"].data_validations.dataValidation) == 1
    assert read["Inputs"]["B3"].number_format == "0.0%"


@task
async def loan_schedule_of_thirty_years(desk):
    book = sheet_of([["Principal", 250000], ["Rate", 0.045], ["Years", 30], ["Extra a month", 100]], "Loan")
    result, _, values = await desk.run(book, """
        const cells = [{address: "Loan!A5", value: "Payment"}, {address: "Loan!B5", formula: "=-PMT(B2/12,B3*12,B1)", format: "#,##0.00"}];
        ["No", "Interest", "Principal", "Balance"].forEach((h, i) => cells.push({address: {sheet: "Loan", row: 7, col: i + 1}, value: h}));
        for (let n = 1; n <= 360; n++) {
            const r = 7 + n, before = n === 1 ? "$B$1" : `D${r - 1}`;
            cells.push({address: `Loan!A${r}`, value: n}, {address: `Loan!B${r}`, formula: `=${before}*$B$2/12`, format: "#,##0.00"},
                {address: `Loan!C${r}`, formula: `=MIN(${before},$B$5+$B$4-B${r})`, format: "#,##0.00"}, {address: `Loan!D${r}`, formula: `=${before}-C${r}`, format: "#,##0.00"});
        }
        const w = await xlsx.setCells(wb, cells);
        const paid = await xlsx.evaluateFormula(wb, "Loan", "=COUNTIF(D8:D367,\\">0.005\\")+1");
        return {errors: w.errors, paid: paid.value};""", timeout_ms=120_000)
    rate, balance, months = 0.045 / 12, 250000.0, 0
    payment = 250000 * rate / (1 - (1 + rate) ** -360)
    while balance > 0.005:
        balance -= min(balance, payment + 100 - balance * rate)
        months += 1
    assert result == {"errors": [], "paid": months}, (result, months)
    assert abs(values["Loan", "D367"]) < 1e-6, values["Loan", "D367"]


@task
async def split_addresses(desk):
    book = sheet_of([["Address", "Note"], ["Main St 5, 10115 Berlin", "x"], ["Rue Bleue 12, 75009 Paris", None], ["no comma here", "y"]])
    _, after, _ = await desk.run(book, """
        const column = await xlsx.readColumn(wb, "Data", "A", {startRow: 2});
        await xlsx.insertColumnAfter(wb, "Data", "A", 3);
        const cells = ["Street", "Zip", "City"].map((h, i) => ({address: {sheet: "Data", row: 1, col: 2 + i}, value: h}));
        for (const c of column) {
            const m = /^(.*),\\s*(\\d{5})\\s+(.*)$/.exec(c.text);
            if (!m) continue;
            m.slice(1).forEach((part, i) => cells.push({address: {sheet: "Data", row: c.row, col: 2 + i}, value: part}));
        }
        await xlsx.setCells(wb, cells);""")
    assert [after["Data", at] for at in ("B2", "C2", "D2", "E2")] == ["Main St 5", "10115", "Berlin", "x"], after
    assert ("Data", "B4") not in after and after["Data", "E4"] == "y", after
    assert isinstance(after["Data", "C3"], str), "a zip code is a text"


@task
async def deduplicate_by_email_keep_last(desk):
    book = sheet_of([["Email", "Plan", "Price"], ["A@x.org", "old", 1], ["b@x.org", "only", 2], ["a@x.org ", "new", 3]])
    book.active["B4"].font = Font(bold=True)
    book.active["E1"] = "=SUM(C2:C4)"
    result, after, values = await desk.run(book, """
        const rows = await xlsx.readRange(wb, "Data!A2:C4");
        const last = new Map();
        rows.forEach((row) => last.set(String(row[0].value).trim().toLowerCase(), row[0].row));
        const drop = rows.map((row) => row[0].row).filter((r) => ![...last.values()].includes(r));
        for (const r of drop.sort((a, b) => b - a)) await xlsx.deleteRows(wb, "Data", r);
        return drop;""")
    assert result == [2], result
    assert after["Data", "B3"] == "new" and values["Data", "E1"] == 5, (after, values)
    assert after["Data", "E1"] == "=SUM(C2:C3)", after
    assert openpyxl.load_workbook(desk.path)["Data"]["B3"].font.bold


@task
async def commission_by_tier(desk):
    book = sheet_of([["Rep", "Sales", "Rate", "Commission"], ["Ann", 5000], ["Bob", 12000], ["Cid", 30000]])
    tiers = book.create_sheet("Tiers")
    for row in [["From", "Rate"], [0, 0.02], [10000, 0.03], [25000, 0.05]]:
        tiers.append(row)
    result, _, values = await desk.run(book, """
        const w = await xlsx.setCells(wb, [2, 3, 4].flatMap((r) => [
            {address: `Data!C${r}`, formula: `=XLOOKUP(B${r},Tiers!$A$2:$A$4,Tiers!$B$2:$B$4,,-1)`, format: "0.0%"},
            {address: `Data!D${r}`, formula: `=ROUND(B${r}*C${r},2)`, format: "#,##0.00"}]));
        return [w.errors, w.touched["Data!C4"], w.touched["Data!D4"]];""")
    assert result == [[], "5.0%", "1,500.00"], result
    assert [values["Data", f"D{r}"] for r in (2, 3, 4)] == [100, 360, 1500], values


@task
async def errors_planted_by_a_colleague(desk):
    book = sheet_of([["Item", "Net", "VAT %", "Gross"]])
    data = book.active
    for row in range(2, 12):
        data.append([f"I{row}", row * 10, 0.19, f"=B{row}*(1+C{row})"])
    data["A12"], data["B12"], data["D12"] = "Total", "=SUM(B2:B11)", "=SUM(D2:D11)+SUM(D8:D11)"
    data["F2"], data["G2"] = "Lookup", "=VLOOKUP(55,B2:D11,3)"
    data["B7"], data["B8"] = 90, 15
    data["H2"] = "=D5/H5"
    for row in range(2, 12):
        data[f"C{row}"].number_format = "0%"
    result, _, _ = await desk.run(book, "return (await xlsx.lint(wb)).diagnostics.map((d) => `${d.ruleId} ${d.location}`)", save="read_only")
    for wanted in ["D001 Data!D12", "D002 Data!G2", "D004 Data!H2"]:
        assert wanted in result, (wanted, result)
    assert not any(found.startswith(("DW001", "D005", "D008")) for found in result), result


@task
async def summary_like_a_pivot(desk):
    book = sheet_of([["Date", "Region", "Amount"]])
    for month, region, amount in [(1, "N", 10), (1, "S", 20), (2, "N", 30), (3, "S", 5), (2, "N", 1)]:
        book.active.append([day(2025, month, 15), region, amount])
    result, _, values = await desk.run(book, """
        const regions = [...new Set((await xlsx.readColumn(wb, "Data", "B", {startRow: 2})).map((c) => c.value))].sort();
        const cells = [{address: "Pivot!A1", value: "Region"}];
        for (let m = 1; m <= 3; m++) cells.push({address: {sheet: "Pivot", row: 1, col: m + 1}, value: new Date(Date.UTC(2025, m - 1, 1)), format: "mmm yyyy"});
        cells.push({address: "Pivot!E1", value: "Total"});
        regions.forEach((region, i) => {
            const r = i + 2;
            cells.push({address: `Pivot!A${r}`, value: region});
            ["B", "C", "D"].forEach((c) => cells.push({address: `Pivot!${c}${r}`, formula: `=SUMIFS(Data!$C:$C,Data!$B:$B,$A${r},Data!$A:$A,">="&${c}$1,Data!$A:$A,"<"&EDATE(${c}$1,1))`}));
            cells.push({address: `Pivot!E${r}`, formula: `=SUM(B${r}:D${r})`});
        });
        const t = regions.length + 2;
        cells.push({address: `Pivot!A${t}`, value: "Total"});
        ["B", "C", "D", "E"].forEach((c) => cells.push({address: `Pivot!${c}${t}`, formula: `=SUM(${c}2:${c}${t - 1})`}));
        const w = await xlsx.setCells(wb, cells);
        return [w.errors, w.touched["Pivot!B1"]];""")
    assert result == [[], "Jan 2025"], result
    assert [values["Pivot", at] for at in ("B2", "C2", "D2", "B3", "D3", "E4")] == [10, 31, 0, 20, 5, 66], values
    assert all(sheet == "Pivot" for sheet, _ in desk.changed), desk.changed


@task
async def due_dates_and_ageing(desk):
    book = sheet_of([["Invoice", "Date", "Terms", "Due", "Days late", "Bucket"]])
    for name, date, terms in [("a", day(2025, 1, 31), 30), ("b", day(2024, 11, 5), 14), ("c", day(2025, 2, 27), 60)]:
        book.active.append([name, date, terms])
    book.active["H1"] = day(2025, 3, 1)
    result, _, values = await desk.run(book, """
        const w = await xlsx.setCells(wb, [2, 3, 4].flatMap((r) => [
            {address: `Data!D${r}`, formula: `=WORKDAY(B${r}+C${r}-1,1)`, format: "yyyy-mm-dd"},
            {address: `Data!E${r}`, formula: `=MAX(0,$H$1-D${r})`, format: "0"},
            {address: `Data!F${r}`, formula: `=IFS(E${r}=0,"current",E${r}<=30,"1-30",E${r}<=90,"31-90",TRUE,"over 90")`}]));
        return [w.errors, w.touched];""")
    assert result[0] == [], result
    assert result[1]["Data!D2"] == "2025-03-03", result
    assert [values["Data", f"F{r}"] for r in (2, 3, 4)] == ["current", "over 90", "current"], values


@task
async def wide_to_long(desk):
    book = sheet_of([["Product", "Jan", "Feb", "Mar"], ["Axe", 1, None, 3], ["Bow", 4, 5, 6]])
    _, after, _ = await desk.run(book, """
        const rows = await xlsx.readRange(wb, "Data");
        const [head, ...body] = rows;
        const out = [["Product", "Month", "Units"]];
        for (const row of body) for (let c = 1; c < row.length; c++) if (row[c].type !== "blank") out.push([row[0].value, head[c].value, row[c].value]);
        await xlsx.setCells(wb, out.flatMap((line, r) => line.map((value, c) => ({address: {sheet: "Long", row: r + 1, col: c + 1}, value}))));
        return out.length;""")
    assert [after["Long", f"{c}4"] for c in "ABC"] == ["Bow", "Jan", 4], after
    assert all(sheet == "Long" for sheet, _ in desk.changed), desk.changed


@task
async def stack_two_sheets(desk):
    book = sheet_of([["Name", "Amount"], ["a", 1], ["b", 2]], "North")
    south = book.create_sheet("South")
    for row in [["Name", "Amount"], ["c", 3]]:
        south.append(row)
    result, after, values = await desk.run(book, """
        let next = 2;
        await xlsx.addSheet(wb, "All");
        await xlsx.copyRange(wb, "North!A1:B1", "All!A1");
        await xlsx.setCells(wb, [{address: "All!C1", value: "Source"}]);
        for (const name of ["North", "South"]) {
            const { rows } = (await xlsx.listSheets(wb)).find((s) => s.sheet === name);
            await xlsx.copyRange(wb, `${name}!A2:B${rows}`, `All!A${next}`);
            await xlsx.setCells(wb, Array.from({length: rows - 1}, (_, i) => ({address: `All!C${next + i}`, value: name})));
            next += rows - 1;
        }
        return (await xlsx.setCells(wb, [{address: `All!B${next}`, formula: `=SUM(B2:B${next - 1})`}])).touched;""")
    assert result == {"All!B5": "6"} and after["All", "C4"] == "South", (result, after)


@task
async def rules_that_colour(desk):
    book = sheet_of([["Score"], *[[n * 7 % 20] for n in range(1, 15)]])
    await desk.run(book, """
        await xlsx.setConditionalFormatting(wb, "Data", [
            {type: "threeColorScale", address: "A2:A15", lowValue: {type: "min", color: "#F8696B"}, midValue: {type: "percentile", value: 50, color: "#FFEB84"}, highValue: {type: "max", color: "#63BE7B"}},
            {type: "top", address: "A2:A15", rank: 3, style: {font: {bold: true}}},
            {type: "cellValue", address: "A2:A15", operator: "LessThan", formula: "3", style: {fill: {color: "#FFC7CE"}}}]);
        return (await xlsx.getConditionalFormatting(wb, "Data")).length;""")
    rules = [rule.type for entry in openpyxl.load_workbook(desk.path)["Data"].conditional_formatting for rule in entry.rules]
    assert sorted(rules) == ["cellIs", "colorScale", "top10"], rules
    assert not desk.changed


@task
async def choices_from_another_sheet(desk):
    book = sheet_of([["Order", "Status"], [1, "Open"], [2, None]])
    lists = book.create_sheet("Lists")
    for status in ["Open", "Done", "Lost"]:
        lists.append([status])
    result, after, _ = await desk.run(book, """
        await xlsx.setDataValidations(wb, "Data", [{address: "B2:B100", rule: {list: {source: "=Lists!$A$1:$A$3"}}, errorAlert: {style: "Stop", title: "Status", message: "Choose one"}}]);
        let refused = null;
        try { await xlsx.setCells(wb, [{address: "Data!B3", value: "Perhaps"}], {validationMode: "reject"}); } catch (e) { refused = e.code; }
        await xlsx.setCells(wb, [{address: "Data!B3", value: "Done"}], {validationMode: "reject"});
        return refused;""")
    assert result == "VALIDATION_FAILED" and after["Data", "B3"] == "Done", (result, after)
    rule = openpyxl.load_workbook(desk.path)["Data"].data_validations.dataValidation[0]
    assert rule.formula1.replace("'", "") == "Lists!$A$1:$A$3" and rule.type == "list", rule


@task
async def scenarios_by_switch(desk):
    book = sheet_of([["Scenario", 1], ["Growth", None], ["Base", 0.05], ["Best", 0.1], ["Worst", -0.02], ["Revenue", 1000], ["Next year", None]], "M")
    result, _, values = await desk.run(book, """
        await xlsx.setCells(wb, [{address: "M!B2", formula: "=CHOOSE(B1,B3,B4,B5)"}, {address: "M!B7", formula: "=B6*(1+B2)"}]);
        const s = await xlsx.sweepInputs(wb, {inputs: [{address: "M!B1", values: [1, 2, 3]}], outputs: ["M!B7"]});
        return s.sweeps.map((t) => t.outputs["M!B7"]);""")
    assert [round(value, 6) for value in result] == [1050, 1100, 980], result
    assert values["M", "B1"] == 1 and values["M", "B7"] == 1050, values


@task
async def npv_and_irr(desk):
    book = sheet_of([["Year", 0, 1, 2, 3], ["Flow", -1000, 400, 500, 600], ["Rate", 0.1]], "Deal")
    result, _, values = await desk.run(book, """
        await xlsx.setCells(wb, [{address: "Deal!A5", value: "NPV"}, {address: "Deal!B5", formula: "=B2+NPV(B3,C2:E2)", format: "#,##0.00"},
            {address: "Deal!A6", value: "IRR"}, {address: "Deal!B6", formula: "=IRR(B2:E2)", format: "0.00%"}]);
        return [(await xlsx.readCell(wb, "Deal!B5")).text, (await xlsx.readCell(wb, "Deal!B6")).text, (await xlsx.evaluateFormula(wb, "Deal", "=B5>0")).value];""")
    npv = -1000 + 400 / 1.1 + 500 / 1.21 + 600 / 1.331
    assert abs(values["Deal", "B5"] - npv) < 1e-9 and result[2] is True, (result, npv)
    assert abs(sum(flow / (1 + values["Deal", "B6"]) ** n for n, flow in enumerate([-1000, 400, 500, 600]))) < 1e-5


@task
async def a_month_between(desk):
    book = sheet_of([["", "Jan", "Feb", "Apr", "Sum"], ["Sales", 1, 2, 4, "=SUM(B2:D2)"], ["Cost", 1, 1, 1, "=SUM(B3:D3)"], ["Margin", "=B2-B3", "=C2-C3", "=D2-D3", "=E2-E3"]])
    result, after, values = await desk.run(book, """
        const header = (await xlsx.readRow(wb, "Data", 1)).find((c) => c.value === "Feb");
        await xlsx.insertColumnAfter(wb, "Data", header.col);
        const w = await xlsx.setCells(wb, [{address: "Data!D1", value: "Mar"}, {address: "Data!D2", value: 3}, {address: "Data!D3", value: 1}, {address: "Data!D4", formula: "=D2-D3"}]);
        return w.touched["Data!F4"];""")
    assert result == "6", result
    assert after["Data", "F2"] == "=SUM(B2:E2)" and values["Data", "F2"] == 10, after


@task
async def rename_and_follow(desk):
    book = sheet_of([["Rate", 0.2]], "Sheet A")
    book.create_sheet("Use")["A1"] = "='Sheet A'!B1*10"
    result, after, values = await desk.run(book, """
        await xlsx.renameSheet(wb, "Sheet A", "Inputs");
        await xlsx.addDefinedName(wb, "Rate", "Inputs!B1");
        await xlsx.setCells(wb, [{address: "Use!A2", formula: "=Rate*100"}, {address: "Inputs!B1", value: 0.3}]);
        return (await xlsx.listDefinedNames(wb)).map((n) => `${n.name}=${n.range}`);""")
    assert result == ["Rate=Inputs!$B$1"], result
    assert after["Use", "A1"] == "=Inputs!B1*10" and values["Use", "A1"] == 3 and values["Use", "A2"] == 30, (after, values)


@task
async def tidy_an_export(desk):
    book = sheet_of([["  Name ", "Amount"], ["ann", "1.234,50"], [None, None], [" Bob", "99,00"], [None, None], ["Total", None]])
    _, after, values = await desk.run(book, """
        const rows = await xlsx.readRange(wb, "Data");
        const blank = rows.filter((row) => row.every((c) => c.type === "blank")).map((row) => row[0].row);
        const cells = [{address: "Data!A1", value: "Name"}];
        for (const [name, amount] of rows.slice(1)) {
            if (name.type === "string") cells.push({address: name.address, value: name.value.trim()});
            if (amount.type === "string") cells.push({address: amount.address, value: Number(amount.value.replaceAll(".", "").replace(",", ".")), format: "#,##0.00"});
        }
        await xlsx.setCells(wb, cells);
        for (const row of blank.reverse()) await xlsx.deleteRows(wb, "Data", row);
        const [total] = await xlsx.findCells(wb, "Total");
        await xlsx.setCells(wb, [{address: {sheet: "Data", row: total.row, col: 2}, formula: `=SUM(B2:B${total.row - 1})`}]);""")
    assert [after["Data", f"A{r}"] for r in range(1, 5)] == ["Name", "ann", "Bob", "Total"], after
    assert values["Data", "B4"] == 1333.5, values


@task
async def notes_links_and_comments(desk):
    book = sheet_of([["Figure", 5], ["Source", None]])
    result, _, _ = await desk.run(book, """
        await xlsx.setCells(wb, [{address: "Data!B1", note: {text: "from the audit", author: "Ann"}}, {address: "Data!B2", value: "report", link: {url: "https://example.org/r.pdf"}},
            {address: "Data!A2", thread: {add: [{author: "Bob", text: "really?"}, {text: "yes"}], resolved: true}}]);
        const cells = await xlsx.readRange(wb, "Data!A1:B2");
        return {note: cells[0][1].note, link: cells[1][1].link, thread: cells[1][0].thread.comments.map((c) => c.text), by: cells[1][0].thread.comments[0].authorId, done: cells[1][0].thread.resolved};""")
    assert result["note"] == {"text": "from the audit", "author": "Ann"} and result["link"]["type"] == "external", result
    assert result["thread"] == ["really?", "yes"] and result["by"] == "Bob" and result["done"] is True, result
    read = openpyxl.load_workbook(desk.path)["Data"]
    assert read["B1"].comment.text == "from the audit" and read["B2"].hyperlink.target == "https://example.org/r.pdf"


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x20\x60\xa0" * 8 for _ in range(8))
    head = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@task
async def a_logo_and_a_chart(desk):
    book = sheet_of([["Month", "Plan", "Actual"], ["Jan", 10, 9], ["Feb", 12, 14]])
    result, _, _ = await desk.run(book, """
        await xlsx.addImage(wb, "Data", {name: "Logo", position: {from: {cell: "E1"}, to: {cell: "F4"}}, source: {base64: input.logo}, altText: "our logo"});
        await xlsx.addChart(wb, "Data", {name: "PlanActual", position: {from: {cell: "E6"}, to: {cell: "L20"}}, groups: [
            {type: "bar", grouping: "clustered", series: [{name: {ref: "Data!B1"}, categories: "Data!A2:A3", values: "Data!B2:B3"}, {name: {ref: "Data!C1"}, categories: "Data!A2:A3", values: "Data!C2:C3", fillColor: "#C00000"}]}]});
        const chart = await xlsx.getChart(wb, "Data", "PlanActual");
        return [(await xlsx.listImages(wb)).length, chart.groups[0].series.length, (await xlsx.lint(wb)).diagnostics.filter((d) => d.ruleId.startsWith("D04")).length];""",
        input={"logo": base64.b64encode(png()).decode()})
    assert result == [1, 2, 0], result
    read = openpyxl.load_workbook(desk.path)["Data"]
    names = zipfile.ZipFile(desk.path).namelist()
    assert len(read._charts) == 1 and any(name.startswith("xl/media/") for name in names), names
    assert not desk.changed


@task
async def mark_what_stands_out(desk):
    book = sheet_of([["Id", "Amount"], *[[n, 100 + n] for n in range(1, 30)], [30, 5000]])
    book.active["B5"].fill = PatternFill("solid", fgColor="FFFF00")
    result, _, _ = await desk.run(book, """
        const column = (await xlsx.readColumn(wb, "Data", "B", {startRow: 2})).filter((c) => c.type === "number");
        const { value: limit } = await xlsx.evaluateFormula(wb, "Data", "=AVERAGE(B2:B31)+3*STDEV.S(B2:B31)");
        const out = column.filter((c) => c.value > limit);
        for (const c of out) await xlsx.setStyle(wb, `Data!A${c.row}:B${c.row}`, {fill: {color: "#FFC7CE"}, font: {bold: true}});
        return out.map((c) => c.address);""")
    assert result == ["Data!B31"] and not desk.changed, (result, desk.changed)
    read = openpyxl.load_workbook(desk.path)["Data"]
    assert read["A31"].font.bold and read["B31"].fill.fgColor.rgb == "FFFFC7CE" and read["B5"].fill.fgColor.rgb == "00FFFF00"


@task
async def a_file_that_another_program_saved_meanwhile(desk):
    """Written by a program that does not calculate, while the desk has the workbook open."""
    book = sheet_of([["Item", "Count", "Double"], ["fig", 2, "=B2*2"], ["pear", 3, "=B3*2"]])
    await desk.run(book, "return 1", save="read_only")
    path = desk.path
    book["Data"]["A4"] = "plum"
    book["Data"]["B4"] = 4
    book["Data"]["C4"] = "=B4*2"
    book.save(path)
    code = """await xlsx.setCells(wb, [{address: "Data!B2", value: 5}]); return (await xlsx.readCell(wb, "Data!C4")).value"""
    result, _, values = await desk.run(path, code)
    assert result == 8 and values["Data", "C2"] == 10, (result, values)
    await desk.run(path, code.replace("5", "6"))
