// The declarations of scripts, held against every example that is shown: node declarations.mjs BINARY ROOT
//
// Each example becomes a function of its own, and TypeScript reads them all with its strictest settings. A few scripts that
// must not pass show that it does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [binary, root] = process.argv.slice(2);
const client = new Client({ name: "docwright-tests", version: "1" });
await client.connect(new StdioClientTransport({ command: binary, args: ["mcp", "--tools", "sheet", "--root", root] }));
const declared = (await client.readResource({ uri: "docwright://xlsx/declarations" })).contents[0].text;
const examples = [];
for (const name of ["xlsx-code-mode", "xlsx-verify"]) {
  const { messages } = await client.getPrompt({ name });
  for (const [, code] of messages[0].content.text.matchAll(/```js\n([\s\S]*?)```/g)) examples.push(code);
}
const { tools } = await client.listTools();
const shown = tools.find((tool) => tool.name === "xlsx_exec").description;
examples.push(shown.match(/const \[hit\][\s\S]*?errors\};/)[0]);
await client.close();

// What every function takes, as its users write it.
examples.push(`
  const [hit] = await xlsx.findCells(wb, ["Revenue", /sales/i, 5], { in: "Model", context: 1, limit: 3, offset: 0, formulas: true });
  const more: boolean = (await xlsx.findCells(wb, "x")).truncated;
  const rows = await xlsx.findRows(wb, /total/i, { in: { sheet: "Model", from: { row: 2 }, to: { col: "D" } } });
  await xlsx.readCell(wb, { sheet: "Model", row: 1, col: "B" }, { context: 2 });
  await xlsx.setCells(wb, [
    { address: hit.address, value: new Date(), format: "yyyy-mm-dd" },
    { address: "A!B1", value: null, note: null, link: { url: "https://example.org" } },
    { address: "A!B2", formula: "=1+1", thread: { add: [{ author: "Ann", text: "why?" }], resolved: false } },
  ], { validationMode: "reject" });
  await xlsx.sortRange(wb, "Model!A1:E9", [{ col: "B", order: "desc" }], { hasHeader: true });
  await xlsx.copyRange(wb, "Model!A1", "Model!C1", { pasteType: "values" });
  await xlsx.setStyle(wb, "Model!A1", { font: { bold: true, color: "#112233" }, fill: { color: "#FFFFFF" }, border: { top: { style: "thin", color: "#000000" } } });
  await xlsx.setDataValidations(wb, "Model", [{ address: "B2", rule: { wholeNumber: { operator: "Between", formula1: 1, formula2: 9 } } }]);
  await xlsx.addChart(wb, "Model", { name: "C", position: { from: { cell: "G2" }, to: { cell: "N16" } },
    groups: [{ type: "column", series: [{ name: { ref: "Model!A2" }, categories: "Model!B1:E1", values: "Model!B2:E2" }] }] });
  const { sweeps, stats } = await xlsx.sweepInputs(wb, { inputs: [{ address: "A!B1", values: [1, 2] }], outputs: ["A!B2"], mode: "parallel", includeStats: true });
  const least: number | undefined = stats?.["A!B2"].min;
  const [found] = await xlsx.tableLookup(wb, { table: "Model", rowLabel: "Cost", columnLabel: new Date() });
  const traced = await xlsx.getCellPrecedents(wb, "Model!B2", 2);
  const kinds = traced.cells.map((cell) => cell.referenceType === "named");
  print(rows.length, more, sweeps.length, least, found.text, kinds);
`);
const wrong = [
  `await xlsx.readCel(wb, "A!A1");`,
  `await xlsx.readCell("A!A1");`,
  `await xlsx.setCells(wb, [{ adress: "A!A1", value: 1 }]);`,
  `await xlsx.setCells(wb, [{ address: "A!A1", value: 1 }], { validationMode: "maybe" });`,
  `const text: string = (await xlsx.readRange(wb, "A"))[0];`,
];

const tsc = join(dirname(fileURLToPath(import.meta.url)), "node_modules", "typescript", "bin", "tsc");
const settings = { strict: true, target: "es2023", lib: ["es2023"], types: [], noEmit: true, moduleDetection: "force", module: "esnext" };

function problems(scripts) {
  const folder = mkdtempSync(join(tmpdir(), "docwright-declarations-"));
  writeFileSync(join(folder, "xlsx.d.ts"), declared);
  scripts.forEach((code, index) => {
    writeFileSync(join(folder, `example-${index + 1}.ts`), `async function example() {\n${code}\n}\nvoid example;\n`);
  });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: settings }));
  try {
    execFileSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
    return "";
  } catch (error) {
    return error.stdout;
  }
}

assert.ok(examples.length > 12, `${examples.length} examples`);
assert.equal(problems(examples), "");
for (const code of wrong) assert.match(problems([code]), /error TS/, code);
console.log(`declarations: ${examples.length} examples pass, ${wrong.length} wrong scripts do not`);
