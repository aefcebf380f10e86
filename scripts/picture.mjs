/** Draws docs/demo.svg, the picture in the README: runs `zqagent demo` on a pseudo-terminal and takes its screen. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const COLS = 92;
const ROWS = 34;
const CELL = { width: 8.4, height: 18 };
const PALETTE = [
  "#3b4252",
  "#e06c75",
  "#98c379",
  "#e5c07b",
  "#61afef",
  "#c678dd",
  "#56b6c2",
  "#d8dee9",
  "#7f8a9c",
  "#e06c75",
  "#98c379",
  "#e5c07b",
  "#61afef",
  "#c678dd",
  "#56b6c2",
  "#ffffff",
];
const TEXT = "#d8dee9";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { module } = await runnerImport(here("../test/support/pty.ts"), { configFile: false, logLevel: "error" });
const pty = module.startPty(process.execPath, [here("../bin/zqagent.js"), "demo"], {
  cols: COLS,
  rows: ROWS,
  env: { ZQAGENT_HOME: undefined },
});
const dialog = /y .*allow/;
await pty.waitFor(dialog, 30_000);
await press("y");
await pty.waitFor(dialog, 30_000);
await pty.quiet(400);
writeFileSync(here("../docs/demo.svg"), draw());
pty.kill();
process.exit(0);

/** A dialog ignores keys for its first moment. */
async function press(key) {
  for (let attempt = 0; attempt < 20; attempt++) {
    pty.send(key);
    try {
      await pty.waitFor((screen) => !dialog.test(screen.join("\n")), 700);
      return;
    } catch {}
  }
}

function draw() {
  const rows = pty.screen();
  const width = COLS * CELL.width + 32;
  const height = rows.length * CELL.height + 32;
  const texts = rows.flatMap((line, row) => spans(row, line.length).map((span) => tspan(span, row)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14"><title>zqagent demo: an edit waits for approval</title>
<rect width="100%" height="100%" rx="10" fill="#22272e"/>
${texts.join("\n")}
</svg>
`;
}

/** Runs of cells with one look. */
function spans(row, length) {
  const found = [];
  for (let column = 0; column < length; column++) {
    const cell = pty.cell(row, column);
    const look = JSON.stringify([cell.foreground, cell.bold, cell.dim]);
    const last = found.at(-1);
    if (last?.look === look) last.text += cell.text || " ";
    else found.push({ look, cell, column, text: cell.text || " " });
  }
  // Where the temporary folder lay is nobody's business.
  for (const span of found) span.text = span.text.replace(/\S*corner-shop/, "~/corner-shop");
  return found.filter((span) => span.text.trim() !== "");
}

function tspan({ cell, column, text }, row) {
  const x = (16 + column * CELL.width).toFixed(1);
  const y = (30 + row * CELL.height).toFixed(1);
  const fill =
    cell.foreground < 0 ? TEXT : (PALETTE[cell.foreground] ?? `#${cell.foreground.toString(16).padStart(6, "0")}`);
  const weight = cell.bold ? ' font-weight="bold"' : "";
  const opacity = cell.dim ? ' opacity="0.65"' : "";
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<text x="${x}" y="${y}" fill="${fill}"${weight}${opacity} xml:space="preserve" textLength="${(text.length * CELL.width).toFixed(1)}">${escaped}</text>`;
}
