#!/usr/bin/env python3
"""Twelve jobs of somebody who keeps an order book in Excel, over MCP with the real binary: calls, failed calls, tokens.

    python3 tests/xlsx/jobs.py BINARY [NAME]

Each job opens a workbook of its own, works as an agent would that reads once and edits by what it read, saves, and is
judged by openpyxl, which reads the file as it is: values that are stored, formulas, formats. A token is taken as four
bytes of arguments and answers. Needs openpyxl.
"""

import datetime
import os
import pathlib
import sys
import tempfile

import openpyxl
from openpyxl.styles import Font
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableColumn, TableFormula

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "markdown"))
from mcp import Client


def workbook(path):
    book = openpyxl.Workbook()
    orders = book.active
    orders.title = "Orders"
    orders.append(["Date", "Region", "Product", "Units", "Price", "Amount"])
    rows = [
        ((2024, 1, 15), "North", "Axe", 5, 10),
        ((2024, 2, 20), "South", "Bow", 2, 20.5),
        ((2024, 2, 29), "North", "Cap", 7, 3),
        ((2024, 3, 5), "East", "Axe", 2, 10),
        ((2024, 4, 1), "South", "Axe", 1, 9.5),
    ]
    for number, (day, region, product, units, price) in enumerate(rows, start=2):
        orders.append([datetime.date(*day), region, product, units, price, f"=D{number}*E{number}"])
        orders.cell(number, 1).number_format = "yyyy-mm-dd"
        orders.cell(number, 5).number_format = orders.cell(number, 6).number_format = '"$"#,##0.00'
    for cell in orders[1]:
        cell.font = Font(bold=True)
    table = Table(displayName="OrderBook", ref="A1:F6")
    table._initialise_columns()
    for column, cell in zip(table.tableColumns, orders[1]):
        column.name = cell.value
    table.tableColumns[5].calculatedColumnFormula = TableFormula(attr_text="OrderBook[[#This Row],[Units]]*OrderBook[[#This Row],[Price]]")
    orders.add_table(table)
    summary = book.create_sheet("Summary")
    for row in [["Total", "=SUM(Orders!F2:F6)"], ["Tax rate", 0.2], ["Tax", "=B1*B2"], ["Gross", "=B1+B3"], ["Status", "open"]]:
        summary.append(row)
    summary["B2"].number_format = "0%"
    choice = DataValidation(type="list", formula1='"open,closed"', showErrorMessage=True)
    choice.add("B5")
    summary.add_data_validation(choice)
    book.save(path)


class Desk:
    """A client, the file it works on, and what it came to."""

    def __init__(self, binary):
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "orders.xlsx")
        workbook(self.path)
        self.client = Client(binary, self.folder, tools="all")

    def call(self, tool, **arguments):
        text, facts, failed = self.client.call(tool, **arguments)
        return facts if facts is not None else text

    def edit(self, *edits, **more):
        return self.call("xlsx_edit", path=self.path, edits=list(edits), **more)

    def set(self, cell, value):
        return self.edit({"op": "set", "cell": cell, "value": value})

    def read(self, range, **more):
        return self.call("xlsx_read", path=self.path, range=range, **more)

    def saved(self):
        self.call("workspace_save_document")
        return openpyxl.load_workbook(self.path), openpyxl.load_workbook(self.path, data_only=True)


def near(value, wanted):
    assert isinstance(value, (int, float)) and abs(value - wanted) < 1e-9, (value, wanted)


def change_a_price_and_tell_the_total(desk):
    desk.call("xlsx_read", path=desk.path)
    told = desk.set("Orders!E2", "12")
    assert any(cell["cell"] == "Summary!B1" and cell["value"] == "151.5" for cell in told["changed_first"]), told
    _, values = desk.saved()
    near(values["Orders"]["F2"].value, 60)
    near(values["Summary"]["B4"].value, 181.8)


def a_new_order_in_the_middle(desk):
    desk.edit({"op": "insert_rows", "sheet": "Orders", "at": 4, "count": 1})
    desk.edit(*({"op": "set", "cell": f"Orders!{cell}4", "value": value} for cell, value in [("A", "2024-02-25"), ("B", "West"), ("C", "Axe"), ("D", 10), ("E", "$11.00")]))
    formulas, values = desk.saved()
    row, stored = formulas["Orders"], values["Orders"]
    assert row.tables["OrderBook"].ref == "A1:F7"
    assert stored["A4"].value == datetime.datetime(2024, 2, 25) and row["A4"].number_format == "yyyy-mm-dd", row["A4"].number_format
    near(stored["F4"].value, 110)
    assert row["F4"].number_format == '"$"#,##0.00'
    near(values["Summary"]["B1"].value, 251.5)


def a_column_by_the_names_of_others(desk):
    desk.edit({"op": "set", "cell": "Orders!G1", "value": "With tax"}, *({"op": "set", "cell": f"Orders!G{row}", "value": "=OrderBook[@Amount]*(1+Summary!$B$2)"} for row in range(2, 7)))
    formulas, values = desk.saved()
    assert formulas["Orders"]["G2"].value == "=OrderBook[[#This Row],[Amount]]*(1+Summary!$B$2)", formulas["Orders"]["G2"].value
    near(values["Orders"]["G6"].value, 11.4)
    assert formulas["Orders"]["G2"].number_format == '"$"#,##0.00', formulas["Orders"]["G2"].number_format


def totals_by_region_that_spill(desk):
    told = desk.edit({"op": "set", "cell": "Summary!D1", "value": "=UNIQUE(OrderBook[Region])"}, {"op": "set", "cell": "Summary!E1", "value": "=SUMIFS(OrderBook[Amount],OrderBook[Region],D1#)"})
    assert not told["new_errors"], told
    _, values = desk.saved()
    found = {values["Summary"].cell(row, 4).value: values["Summary"].cell(row, 5).value for row in range(1, 4)}
    assert found == {"North": 71, "South": 50.5, "East": 20}, found


def a_rate_in_per_cent(desk):
    desk.set("Summary!B2", "25")
    formulas, values = desk.saved()
    near(values["Summary"]["B2"].value, 0.25)
    assert formulas["Summary"]["B2"].number_format == "0%"
    near(values["Summary"]["B3"].value, 141.5 * 0.25)


def what_if_without_a_change(desk):
    told = desk.edit({"op": "set", "cell": "Summary!B2", "value": 0.5}, dry_run=True)
    assert any(cell == {"cell": "Summary!B4", "value": "212.25"} for cell in told["changed_first"]), told
    _, values = desk.saved()
    near(values["Summary"]["B2"].value, 0.2)


def a_status_that_is_no_choice(desk):
    told = desk.set("Summary!B5", "finished")
    assert any("open, closed" in note for note in told["notes"]), told
    desk.set("Summary!B5", "closed")
    formulas, _ = desk.saved()
    assert formulas["Summary"]["B5"].value == "closed"


def a_circle_is_told_and_broken(desk):
    told = desk.set("Summary!B1", "=SUM(Orders!F2:F6)+B4")
    assert any("circle" in note and "Summary!B1" in note for note in told["notes"]), told
    desk.set("Summary!B1", "=SUM(OrderBook[Amount])")
    _, values = desk.saved()
    near(values["Summary"]["B4"].value, 169.8)


def a_sheet_gets_another_name(desk):
    desk.edit({"op": "rename_sheet", "sheet": "Orders", "to": "Bob's orders"})
    desk.set("Summary!A7", "='bob''s orders'!c2")
    formulas, values = desk.saved()
    assert formulas["Summary"]["B1"].value == "=SUM('Bob''s orders'!F2:F6)"
    assert formulas["Summary"]["A7"].value == "='Bob''s orders'!C2" and values["Summary"]["A7"].value == "Axe"


def a_column_that_formulas_need(desk):
    # openpyxl stores no values.
    desk.call("xlsx_calc", path=desk.path)
    told = desk.edit({"op": "delete_columns", "sheet": "Orders", "at": "E", "count": 1}, dry_run=True)
    assert told["new_errors"] >= 5, told
    desk.edit({"op": "delete_columns", "sheet": "Orders", "at": "C", "count": 1})
    formulas, values = desk.saved()
    assert formulas["Orders"]["E2"].value == "=C2*D2" and formulas["Orders"].tables["OrderBook"].ref == "A1:E6"
    near(values["Summary"]["B1"].value, 141.5)


def a_question_and_a_request_in_words(desk):
    answer = desk.call("ask", file_path=desk.path, request="What is the average price?")
    assert "10.6" in str(answer), answer
    desk.call("ask", file_path=desk.path, request="Set Summary!B2 to 30%")
    _, values = desk.saved()
    near(values["Summary"]["B2"].value, 0.3)


def check_before_sending(desk):
    told = desk.call("xlsx_calc", path=desk.path)
    found = desk.call("xlsx_calc", path=desk.path, verify=True)
    assert found["verified"]["different"] == 0 and found["verified"]["without_value"] == 0, found
    lint = desk.call("xlsx_lint", path=desk.path)
    assert lint["errors"] == 0, (told, lint)
    _, values = desk.saved()
    near(values["Summary"]["B1"].value, 141.5)


JOBS = [
    change_a_price_and_tell_the_total,
    a_new_order_in_the_middle,
    a_column_by_the_names_of_others,
    totals_by_region_that_spill,
    a_rate_in_per_cent,
    what_if_without_a_change,
    a_status_that_is_no_choice,
    a_circle_is_told_and_broken,
    a_sheet_gets_another_name,
    a_column_that_formulas_need,
    a_question_and_a_request_in_words,
    check_before_sending,
]


def main():
    wrong, total = 0, [0, 0, 0]
    jobs = [job for job in JOBS if len(sys.argv) < 3 or sys.argv[2] in job.__name__]
    for job in jobs:
        desk = Desk(sys.argv[1])
        try:
            job(desk)
            done = True
        except Exception as fault:
            done = False
            print("   ", repr(fault)[:700])
        figures = desk.client.calls, desk.client.failed, desk.client.bytes // 4
        total = [a + b for a, b in zip(total, figures)]
        print(f"{'done ' if done else 'WRONG'} {job.__name__:36} {figures[0]:3} calls {figures[1]:3} failed {figures[2]:6} tokens")
        wrong += not done
        desk.client.close()
    print(f"{len(jobs) - wrong} of {len(jobs)} done, {total[0]} calls, {total[1]} failed, {total[2]} tokens")
    sys.exit(1 if wrong else 0)


main()
