import fc from "fast-check";
import { it } from "vitest";
import { EditRefused } from "../../../src/tools/edit/match/refusal";
import { replaceInText } from "../../../src/tools/edit/match/replace";
import { applySplices } from "../../../src/tools/edit/text/splices";
const line = fc.constantFrom("foo", "foo ", "  foo", "\tfoo", "bar“x”", 'bar"x"', "}", "  }", "", " ", "x – y", "x - y", "1|a", "long line of words", "long line of words\t", "if (a) {", "\tif (a) {", "\t\tb()", "    b()");
const muts: Record<string, (b: string[], n: number) => string> = {
  trim: (b) => b.map((l) => l.trimEnd()).join("\n"),
  ascii: (b) => b.join("\n").replace(/[“”]/g, '"').replace(/–/g, "-"),
  tabs: (b) => b.map((l) => l.replace(/\t/g, "    ")).join("\n"),
  tabs2: (b) => b.map((l) => l.replace(/\t/g, "  ")).join("\n"),
  dedent: (b) => { const m = Math.min(...b.filter((l) => l.trim()).map((l) => /^[ \t]*/.exec(l)![0].length)); return b.map((l) => l.slice(Math.min(m, /^[ \t]*/.exec(l)![0].length))).join("\n"); },
  first: (b) => b.join("\n").trimStart(),
  numbers: (b, n) => b.map((l, i) => `${n + i}|${l}`).join("\n"),
  blanks: (b) => `\n${b.join("\n")}\n\n`,
  escape: (b) => JSON.stringify(b.join("\n")).slice(1, -1),
};
it("mutations", () => {
  const stats: Record<string, number[]> = {}; const bad: string[] = [];
  fc.assert(fc.property(fc.array(line, { minLength: 3, maxLength: 25 }), fc.nat(24), fc.integer({ min: 1, max: 5 }), fc.nat(4), (lines, at, len, which) => {
    const s = at % lines.length, e = Math.min(lines.length, s + len); const block = lines.slice(s, e);
    const fresh = block.map((l, i) => (i === which % block.length ? (/^[ \t]*/.exec(l)![0] + "NEW()") : l));
    const raw = lines.join("\n") + "\n";
    for (const [name, m] of Object.entries(muts)) {
      const st = (stats[name] ??= [0, 0, 0]);
      const old = m(block, s + 1), text = m(fresh, s + 1);
      if (old === text || old.trim() === "") continue;
      try {
        const out = applySplices(raw, replaceInText(raw, [{ old, text, replaceAll: false }], "f").splices).split("\n");
        const want = [...lines.slice(0, s), ...fresh, ...lines.slice(e), ""];
        const norm = (l: string[]) => l.map((x) => x.trim().replace(/[“”]/g, '"').replace(/–/g, "-").replace(/^\d+\|/, "")).join("\n");
        const okOutside = out.length === want.length && out.slice(0, s).join("\n") === lines.slice(0, s).join("\n") && out.slice(out.length - (lines.length - e) - 1).join("\n") === [...lines.slice(e), ""].join("\n");
        const indentOk = out.every((l, i) => (want[i] === undefined ? false : (l.trim() === "" || /^[ \t]*/.exec(l)![0] === /^[ \t]*/.exec(want[i]!)![0])));
        if (okOutside && norm(out) === norm(want) && (indentOk)) st[0]!++;
        else { st[2]!++; if (bad.filter((b) => b.startsWith(name)).length < 3) bad.push(name + JSON.stringify({ raw, old, text, out: out.join("\n") })); }
      } catch (x) { if (!(x instanceof EditRefused)) throw x; st[1]!++; }
    }
  }), { numRuns: 20000 });
  console.log(stats, bad.join("\n"));
});
