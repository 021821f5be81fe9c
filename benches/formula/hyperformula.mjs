// HyperFormula on the same workbooks, given as JSON by `peers dump`.
//
//   node hyperformula.mjs time DUMP.json      milliseconds for loading, calculation and one changed input
//   node hyperformula.mjs truth DUMP.json     how many formula cells equal the file's value
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.env.HYPERFORMULA_HOME + "/");
const { HyperFormula, DetailedCellError } = require("hyperformula");

const [mode, path] = process.argv.slice(2);
const book = JSON.parse(readFileSync(path, "utf8"));

function grid(sheet) {
  const rows = [];
  for (const [row, col, content] of sheet.cells) {
    while (rows.length <= row) rows.push([]);
    const cells = rows[row];
    while (cells.length < col) cells.push(null);
    cells[col] = content && content.error ? content.error : content;
  }
  return rows;
}

const options = {
  licenseKey: "gpl-v3", useArrayArithmetic: true, maxRows: 1048576, maxColumns: 16384,
  leapYear1900: true, nullDate: { year: 1899, month: 12, day: 31 }, caseSensitive: false,
  dateFormats: ["MM/DD/YYYY", "MM/DD/YY", "YYYY/MM/DD"], smartRounding: false, evaluateNullToZero: true,
  currencySymbol: ["$", "USD"], thousandSeparator: "", functionArgSeparator: ",", decimalSeparator: ".",
  useWildcards: true, matchWholeCell: true, useRegularExpressions: false, ignoreWhiteSpace: "any",
};

if (mode === "time") {
  const content = grid(book.sheets[0]);
  let start = performance.now();
  const engine = HyperFormula.buildEmpty(options);
  engine.suspendEvaluation();
  const name = engine.addSheet("Sheet1");
  const sheet = engine.getSheetId(name);
  engine.setSheetContent(sheet, content);
  const load = performance.now() - start;
  start = performance.now();
  engine.resumeEvaluation();
  const full = performance.now() - start;
  start = performance.now();
  engine.setCellContents({ sheet, row: 0, col: 0 }, 5);
  const again = performance.now() - start;
  const [row, col] = process.env.PROBE.split(",").map(Number);
  const probe = String(engine.getCellValue({ sheet, row, col }));
  const [fewRow, fewCol] = process.env.FEW.split(",").map(Number);
  const times = [];
  for (let round = 0; round < 5; round++) {
    start = performance.now();
    engine.setCellContents({ sheet, row: fewRow, col: fewCol }, 17 + round);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ load, full, again, few: times[2], probe }));
} else {
  let equal = 0, error;
  try {
    const engine = HyperFormula.buildEmpty(options);
    const ids = {};
    for (const sheet of book.sheets) ids[sheet.position] = engine.getSheetId(engine.addSheet(sheet.name));
    for (const { name, scope, formula } of book.names) {
      try { engine.addNamedExpression(name, "=" + formula, scope === null ? undefined : ids[scope]); } catch { /* not a name it takes */ }
    }
    for (const sheet of book.sheets) {
      // Excel's single-cell plain formulas are plain; its arrays are written out by HyperFormula itself.
      engine.setSheetContent(ids[sheet.position], grid(sheet));
    }
    for (const [sheet, row, col, cached] of book.truth) {
      let found = engine.getCellValue({ sheet: ids[sheet], row, col });
      if (found instanceof DetailedCellError) found = { error: found.value };
      const same = cached && cached.error ? found && found.error === cached.error
        : typeof cached === "number" && typeof found === "number"
          ? cached === found || Math.abs(cached - found) <= 1e-9 * Math.max(Math.abs(cached), Math.abs(found))
          : cached === found || (cached === "" && found === null);
      equal += same ? 1 : 0;
    }
  } catch (caught) { error = String(caught).slice(0, 200); }
  console.log(JSON.stringify({ cells: book.truth.length, equal, error }));
}
