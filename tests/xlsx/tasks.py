"""Twenty tasks that analysts ask for, as scripts through the real binary with the Python MCP client, read back with openpyxl,
and twenty more (`more_tasks.py`).

    python tests/xlsx/tasks.py PATH/TO/docwright [WORD]

Needs the packages of tests/clients/requirements.txt and openpyxl; what LibreOffice calculates is compared where there is
one. Each task says what it must leave alone: every other cell is compared.
"""

import datetime
import pathlib

import openpyxl
from desk import main, sheet_of, task


def sales():
    book = sheet_of([["Region", "Product", "Units", "Price", "Amount"]])
    data = book.active
    for row, (region, product, units, price) in enumerate(
        [("North", "Axe", 5, 10), ("South", "Bow", 0, 20), ("North", "Cap", 7, 3), ("East", "Axe", 2, 10), ("South", "Axe", 0, 10)],
        start=2,
    ):
        data.append([region, product, units, price, f"=C{row}*D{row}"])
    data.append(["Total", None, None, None, "=SUM(E2:E6)"])
    return book


def model():
    book = openpyxl.Workbook()
    inputs = book.active
    inputs.title = "Inputs"
    for row in [["Assumption", "Value"], ["Revenue", 1000], ["Growth", 0.1], ["Cost share", 0.6]]:
        inputs.append(row)
    plan = book.create_sheet("Plan")
    plan.append(["", 2025, 2026, 2027])
    plan.append(["Revenue", "=Inputs!B2", "=B2*(1+Inputs!$B$3)", "=C2*(1+Inputs!$B$3)"])
    plan.append(["Cost", "=B2*Inputs!$B$4", "=C2*Inputs!$B$4", "=D2*Inputs!$B$4"])
    plan.append(["Margin", "=B2-B3", "=C2-C3", "=D2-D3"])
    plan.append(["Total margin", "=SUM(B4:D4)"])
    return book


@task
async def find_a_figure_and_trace_it(desk):
    result, _, _ = await desk.run(model(), """
        const [hit] = await xlsx.findCells(wb, "Total margin");
        const [cell] = await xlsx.readRow(wb, hit.sheet, hit.row, {startCol: hit.col + 1, endCol: hit.col + 1});
        const inputs = await xlsx.traceToInputs(wb, cell.address);
        return {value: cell.value, inputs: inputs.map((i) => [i.address, i.nearbyLabel])};""", save="read_only")
    assert abs(result["value"] - 1324) < 1e-6, result
    assert [at for at, _ in result["inputs"]] == ["Inputs!B2", "Inputs!B3", "Inputs!B4"], result
    assert "Growth" in result["inputs"][1][1], result


@task
async def what_if_leaves_the_file_alone(desk):
    result, _, _ = await desk.run(model(), """
        const w = await xlsx.setCells(wb, [{address: "Inputs!B3", value: 0.2}]);
        return w.touched["Plan!B5"];""", save="read_only")
    assert abs(float(result.replace(",", "")) - 1456) < 1e-6, result
    assert not desk.changed


@task
async def sweep_two_inputs(desk):
    result, _, _ = await desk.run(model(), """
        return await xlsx.sweepInputs(wb, {inputs: [{address: "Inputs!B3", values: [0, 0.1]}, {address: "Inputs!B4", values: [0.5, 0.6]}],
            outputs: ["Plan!B5"], includeStats: true});""", save="read_only")
    assert result["sweepCount"] == 4, result
    assert abs(result["sweeps"][0]["outputs"]["Plan!B5"] - 1500) < 1e-6, result
    assert abs(result["stats"]["Plan!B5"]["max"] - 1655) < 1e-6, result


@task
async def seek_a_goal_and_keep_it(desk):
    result, _, values = await desk.run(model(), """
        const goal = await xlsx.goalSeek(wb, {target: "Plan!B5", value: 2000, input: "Inputs!B4", min: 0, max: 1});
        await xlsx.setCells(wb, [{address: "Inputs!B4", value: goal.input}]);
        return goal;""")
    assert result["found"], result
    assert abs(values["Plan", "B5"] - 2000) < 1e-4, values["Plan", "B5"]
    assert desk.changed == {("Inputs", "B4")}, desk.changed


@task
async def three_statements(desk):
    book = sheet_of([["Assumption", "Value"], ["Revenue", 1000], ["Growth", 0.1], ["Margin", 0.3], ["Tax", 0.25], ["Opening cash", 100]], "Inputs")
    code = """
        const years = [2025, 2026, 2027], col = (n) => String.fromCharCode(66 + n), edits = [];
        const line = (sheet, row, label, formula, format = "#,##0;(#,##0)") => {
            edits.push({address: `${sheet}!A${row}`, value: label});
            years.forEach((_, n) => edits.push({address: `${sheet}!${col(n)}${row}`, formula: formula(col(n), n ? col(n - 1) : null, n), format}));
        };
        for (const sheet of ["Income", "Cash", "Balance"]) {
            await xlsx.addSheet(wb, sheet);
            edits.push({address: `${sheet}!A1`, value: sheet});
            years.forEach((year, n) => edits.push({address: `${sheet}!${col(n)}1`, value: year}));
        }
        line("Income", 2, "Revenue", (c, p) => p ? `=${p}2*(1+Inputs!$B$3)` : "=Inputs!$B$2");
        line("Income", 3, "Profit before tax", (c) => `=${c}2*Inputs!$B$4`);
        line("Income", 4, "Tax", (c) => `=-${c}3*Inputs!$B$5`);
        line("Income", 5, "Net profit", (c) => `=SUM(${c}3:${c}4)`);
        line("Cash", 2, "Opening", (c, p) => p ? `=${p}4` : "=Inputs!$B$6");
        line("Cash", 3, "From operations", (c) => `=Income!${c}5`);
        line("Cash", 4, "Closing", (c) => `=SUM(${c}2:${c}3)`);
        line("Balance", 2, "Cash", (c) => `=Cash!${c}4`);
        line("Balance", 3, "Equity", (c, p) => p ? `=${p}3+Income!${c}5` : `=Inputs!$B$6+Income!${c}5`);
        line("Balance", 4, "Check", (c) => `=ROUND(${c}2-${c}3,6)`);
        const w = await xlsx.setCells(wb, edits);
        await xlsx.setDataValidations(wb, "Inputs", [{address: "B3:B5", rule: {decimal: {operator: "Between", formula1: 0, formula2: 1}}}]);
        for (const sheet of ["Income", "Cash", "Balance"]) await xlsx.setStyle(wb, `${sheet}!A1:D1`, {font: {bold: true}});
        await xlsx.addChart(wb, "Income", {name: "Profit", position: {from: {cell: "F2"}, to: {cell: "M16"}},
            groups: [{type: "column", series: [{name: {ref: "Income!A5"}, categories: "Income!B1:D1", values: "Income!B5:D5"}]}]});
        const lint = await xlsx.lint(wb);
        return {errors: w.errors, lint: lint.diagnostics.filter((d) => d.severity !== "Info")};"""
    result, _, values = await desk.run(book, code)
    assert result == {"errors": [], "lint": []}, result
    assert [values["Balance", f"{c}4"] for c in "BCD"] == [0, 0, 0], values
    assert abs(values["Cash", "D4"] - (100 + 0.225 * 3310)) < 1e-6, values["Cash", "D4"]
    read = openpyxl.load_workbook(desk.path)
    assert read["Income"]["B1"].font.bold and len(read["Income"]._charts) == 1
    assert len(read["Inputs"].data_validations.dataValidation) == 1


@task
async def loan_with_a_circular_fee(desk):
    book = sheet_of([["Need", 10000], ["Fee rate", 0.02], ["Rate", 0.06], ["Months", 12], ["Loan", None], ["Fee", None], ["Payment", None]], "Loan")
    result, after, values = await desk.run(book, """
        await xlsx.setWorkbookProperties(wb, {iterativeCalculation: {enabled: true, maxIterations: 200, maxChange: 1e-9}});
        const edits = [{address: "Loan!B5", formula: "=B1+B6"}, {address: "Loan!B6", formula: "=B5*B2"}, {address: "Loan!B7", formula: "=-PMT(B3/12,B4,B5)"},
            {address: "Loan!D1", value: "Month"}, {address: "Loan!E1", value: "Interest"}, {address: "Loan!F1", value: "Principal"}, {address: "Loan!G1", value: "Balance"}];
        for (let n = 1; n <= 12; n++) {
            const row = n + 1, before = n === 1 ? "$B$5" : `G${row - 1}`;
            edits.push({address: `Loan!D${row}`, value: n}, {address: `Loan!E${row}`, formula: `=${before}*$B$3/12`},
                {address: `Loan!F${row}`, formula: `=$B$7-E${row}`}, {address: `Loan!G${row}`, formula: `=${before}-F${row}`});
        }
        const w = await xlsx.setCells(wb, edits);
        return w.errors;""")
    assert result == [], result
    assert abs(values["Loan", "B5"] - 10000 / 0.98) < 1e-4, values["Loan", "B5"]
    assert abs(values["Loan", "G13"]) < 1e-4, values["Loan", "G13"]


@task
async def clean_a_table(desk):
    book = sheet_of([["Name", "City", "Amount"], ["  ann ", "BERLIN", "1,200"], ["Bob", " paris", 300], ["CAROL", "Rome ", "450"]])
    result, after, _ = await desk.run(book, """
        const rows = (await xlsx.readRange(wb, "Data!A2:C4"));
        const title = (text) => text.trim().toLowerCase().replace(/(^|\\s)\\S/g, (c) => c.toUpperCase());
        const edits = [];
        for (const [name, city, amount] of rows) {
            edits.push({address: name.address, value: title(name.value)}, {address: city.address, value: title(city.value)});
            if (amount.type === "string") edits.push({address: amount.address, value: Number(amount.value.replace(/,/g, ""))});
        }
        await xlsx.setCells(wb, edits);
        return await xlsx.evaluateFormula(wb, "Data", "=SUM(C2:C4)");""")
    assert result["value"] == 1950, result
    assert [after["Data", f"A{r}"] for r in (2, 3, 4)] == ["Ann", "Bob", "Carol"], after
    assert [after["Data", f"B{r}"] for r in (2, 3, 4)] == ["Berlin", "Paris", "Rome"], after
    assert ("Data", "C3") not in desk.changed


@task
async def delete_rows_by_a_condition(desk):
    result, after, values = await desk.run(sales(), """
        const units = await xlsx.readColumn(wb, "Data", "C", {startRow: 2, endRow: 6});
        for (const cell of units.filter((c) => c.value === 0).reverse()) await xlsx.deleteRows(wb, "Data", cell.row, 1);
        return await xlsx.readRangeTsv(wb, "Data", {includeFormulas: true});""")
    assert [after["Data", f"B{r}"] for r in (2, 3, 4)] == ["Axe", "Cap", "Axe"], after
    assert after["Data", "E5"] == "=SUM(E2:E4)" and after["Data", "E4"] == "=C4*D4", after
    assert values["Data", "E5"] == 91, values


@task
async def split_cells(desk):
    book = sheet_of([["Full name", "Born"], ["Lovelace, Ada", 1815], ["Turing, Alan", 1912]])
    _, after, _ = await desk.run(book, """
        await xlsx.insertColumnAfter(wb, "Data", "A", 1);
        const names = await xlsx.readColumn(wb, "Data", "A", {startRow: 2, endRow: 3});
        const edits = [{address: "Data!A1", value: "Last"}, {address: "Data!B1", value: "First"}];
        for (const cell of names) {
            const [last, first] = cell.value.split(", ");
            edits.push({address: cell.address, value: last}, {address: `Data!B${cell.row}`, value: first});
        }
        return (await xlsx.setCells(wb, edits)).errors;""")
    assert [after["Data", at] for at in ("A2", "B2", "C2", "A3", "B3", "C3")] == ["Lovelace", "Ada", 1815, "Turing", "Alan", 1912], after


@task
async def deduplicate(desk):
    book = sheet_of([["Id", "Name"], [1, "a"], [2, "b"], [1, "a"], [3, "c"], [2, "b"]])
    result, after, _ = await desk.run(book, """
        const rows = await xlsx.readRange(wb, "Data!A2:B6"), seen = new Set(), twice = [];
        for (const row of rows) {
            const key = JSON.stringify(row.map((cell) => cell.value));
            seen.has(key) ? twice.push(row[0].row) : seen.add(key);
        }
        for (const row of twice.reverse()) await xlsx.deleteRows(wb, "Data", row, 1);
        return twice.length;""")
    assert result == 2, result
    assert [after.get(("Data", f"A{r}")) for r in range(2, 6)] == [1, 2, 3, None], after


@task
async def fill_from_another_sheet(desk):
    book = sheet_of([["Product", "Units", "Price"], ["Bow", 3, None], ["Axe", 1, None], ["Elk", 2, None]])
    prices = book.create_sheet("Prices")
    for row in [["Product", "Price"], ["Axe", 10], ["Bow", 20]]:
        prices.append(row)
    result, after, values = await desk.run(book, """
        const edits = [2, 3, 4].map((row) => ({address: `Data!C${row}`, formula: `=IFERROR(VLOOKUP(A${row},Prices!$A$2:$B$3,2,FALSE),"missing")`}));
        return (await xlsx.setCells(wb, edits)).touched;""")
    assert [values["Data", f"C{r}"] for r in (2, 3, 4)] == [20, 10, "missing"], values
    assert desk.changed == {("Data", f"C{r}") for r in (2, 3, 4)}, desk.changed


@task
async def find_planted_errors(desk):
    book = sheet_of([["Month", "Sales", "Tax", "Net"]])
    data = book.active
    for row in range(2, 14):
        data.append([f"M{row - 1}", 100 + row, f"=B{row}*0.2", f"=B{row}-C{row}"])
    data["C6"] = "=B6*0.3"
    data["D9"] = 50
    data["B11"] = "120"
    data["D14"] = "=SUM(D2:D11)"
    data["F2"] = "=1/0"
    result, _, _ = await desk.run(book, """
        const found = await xlsx.lint(wb);
        return found.diagnostics.map((d) => `${d.ruleId} ${d.location}`);""", save="read_only")
    for wanted in ["DW001 Data!C6", "DW002 Data!D9", "DW003 Data!D14", "DW004 Data!B11", "D004 Data!F2"]:
        assert wanted in result, (wanted, result)


@task
async def subtotal_by_group(desk):
    _, after, values = await desk.run(sales(), """
        const rows = await xlsx.readColumn(wb, "Data", "A", {startRow: 2, endRow: 6});
        const regions = [...new Set(rows.map((cell) => cell.value))].sort();
        const edits = [{address: "By region!A1", value: "Region"}, {address: "By region!B1", value: "Amount"}];
        regions.forEach((region, n) => edits.push({address: `'By region'!A${n + 2}`, value: region},
            {address: `'By region'!B${n + 2}`, formula: `=SUMIFS(Data!$E$2:$E$6,Data!$A$2:$A$6,A${n + 2})`}));
        return (await xlsx.setCells(wb, edits)).errors;""")
    assert [(values["By region", f"A{r}"], values["By region", f"B{r}"]) for r in (2, 3, 4)] == [("East", 20), ("North", 71), ("South", 0)], values
    assert all(sheet == "By region" for sheet, _ in desk.changed), desk.changed


@task
async def sort_and_rank(desk):
    book = sheet_of([["Name", "Score"], ["a", 5], ["b", 9], ["c", 7]])
    _, after, values = await desk.run(book, """
        await xlsx.sortRange(wb, "Data!A1:B4", [{col: "B", order: "desc"}]);
        return (await xlsx.setCells(wb, [2, 3, 4].map((row) => ({address: `Data!C${row}`, formula: `=RANK(B${row},$B$2:$B$4)`})))).errors;""")
    assert [values["Data", f"A{r}"] for r in (2, 3, 4)] == ["b", "c", "a"], values
    assert [values["Data", f"C{r}"] for r in (2, 3, 4)] == [1, 2, 3], values


@task
async def roll_a_model_forward(desk):
    _, after, values = await desk.run(model(), """
        await xlsx.copyRange(wb, "Plan!D2:D4", "Plan!E2");
        await xlsx.setCells(wb, [{address: "Plan!E1", value: 2028}, {address: "Plan!B5", formula: "=SUM(B4:E4)"}]);
        return await xlsx.readRangeTsv(wb, "Plan", {includeFormulas: true});""")
    assert after["Plan", "E2"] == "=D2*(1+Inputs!$B$3)" and after["Plan", "E4"] == "=E2-E3", after
    assert abs(values["Plan", "B5"] - 400 * (1 + 1.1 + 1.21 + 1.331)) < 1e-6, values["Plan", "B5"]


@task
async def convert_units_in_place(desk):
    _, after, values = await desk.run(sales(), """
        const w = await xlsx.scaleRange(wb, "Data!D2:E6", 0.5);
        return w.errors;""")
    assert after["Data", "D2"] == 5 and after["Data", "E2"] == "=C2*D2", after
    assert values["Data", "E7"] == 45.5, values
    assert desk.changed == {("Data", f"D{r}") for r in range(2, 7)}, desk.changed


@task
async def make_a_table_with_totals(desk):
    book = sheet_of([["Item", "Count", "Price"], ["a", 2, 5], ["b", 3, 7]])
    _, after, values = await desk.run(book, """
        return await xlsx.addListObject(wb, "Data", {name: "Items", ref: "A1:D3", showTotalsRow: true, columns: [
            {name: "Item", totalsRowLabel: "Total"}, {name: "Count", totalsRowFunction: "sum"}, {name: "Price"},
            {name: "Value", calculatedColumnFormula: "=[@Count]*[@Price]", totalsRowFunction: "sum"}]});""")
    assert values["Data", "D4"] == 31 and values["Data", "B4"] == 5, values
    assert "Items" in openpyxl.load_workbook(desk.path)["Data"].tables


@task
async def highlight_what_is_late(desk):
    day = datetime.date
    book = sheet_of([["Task", "Due"], ["a", day(2025, 1, 10)], ["b", day(2025, 3, 10)]])
    result, _, _ = await desk.run(book, """
        await xlsx.setConditionalFormatting(wb, "Data", [{type: "expression", address: "A2:B3", formula: "=$B2<DATE(2025,2,1)", style: {fill: {color: "#FFC7CE"}}}]);
        return (await xlsx.readCell(wb, "Data!B2")).text;""")
    assert not desk.changed, desk.changed
    assert len(openpyxl.load_workbook(desk.path)["Data"].conditional_formatting) == 1


@task
async def replace_a_name_everywhere(desk):
    book = sheet_of([["Acme Ltd", "=\"Acme Ltd\"&A2"], ["owed by Acme Ltd", 5], ["Acmeville", 6]])
    result, after, _ = await desk.run(book, """
        return await xlsx.findAndReplace(wb, "Acme Ltd", "Zenith AG", {inFormulas: true});""")
    assert result["replaced"] == 3, result
    assert after["Data", "B1"] == '="Zenith AG"&A2' and after["Data", "A3"] == "Acmeville", after


@task
async def name_an_input_and_use_it(desk):
    _, after, values = await desk.run(model(), """
        await xlsx.addDefinedName(wb, "Growth", "Inputs!B3");
        await xlsx.setCells(wb, [{address: "Plan!C2", formula: "=B2*(1+Growth)"}, {address: "Plan!D2", formula: "=C2*(1+Growth)"}]);
        return await xlsx.listDefinedNames(wb);""")
    assert abs(values["Plan", "B5"] - 1324) < 1e-6, values
    assert desk.changed == {("Plan", "C2"), ("Plan", "D2")}, desk.changed
    assert "Growth" in openpyxl.load_workbook(desk.path).defined_names


if __name__ == "__main__":
    import more_tasks  # noqa: F401

    main()
