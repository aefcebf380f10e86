import { compileRustRegex } from "../../src/tools/search/rustRegex";
import { test } from "vitest";
import { toolBench } from "./toolBench";
import { registerSearchTool } from "../../src/tools/search";
let seed = Number(process.env.SEED ?? 1);
const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; };
const pick = <T>(a: T[]): T => a[rnd(a.length)]!;
const ATOMS = ["a","b","foo","_","1","2"," ","é","日","😀",".","\\w","\\W","\\d","\\D","\\s","\\S","\\b","\\B","^","$","[a-c]","[^a]","[[:alpha:]]","[[:^digit:]]","[\\w-]","[^\\s]","[é-ü]","\\.","\\(","\\[","-","\\-","}","]","\\x61","\\u{e9}","\\pL","\\p{Lu}","\\P{L}","\\t","[a-z0-9_]","[.]","[*+?]","\\/","/","'","\"","#","&","~","\\<","\\>","\\b{start}","(?i:A)","(?-i:b)","[&~#-]","[\\]\\[]","É","ß","ς"];
const Q = ["","","","","*","+","?","{2}","{1,2}","*?","+?","{,2}","{2,}"];
function pat(d = 0): string {
  let s = "";
  const n = 1 + rnd(4);
  for (let i = 0; i < n; i++) {
    let a = d < 2 && rnd(5) === 0 ? pick(["(","(?:","(?P<n"+rnd(1e6)+">"]) + pat(d+1) + ")" : pick(ATOMS);
    s += a + pick(Q);
    if (rnd(9) === 0) s += "|";
  }
  return s;
}
const CH = ["a","b","c","foo","bar","_","1","2","3"," ","  ","é","É","日","本","😀","\t","(",")","[","]","{","}","*","+","?","-","/","\"","#","&","~","A","B","ü","ß","σ","ς","Σ",".","|","\\","'","\u00a0","\u2028","٣"];
const ENDS = ["\n","\n","\n","\r\n","\n\n"];
function text(): string { let s=""; const n = rnd(12); for (let i=0;i<n;i++){ const m=rnd(9); for(let j=0;j<m;j++) s+=pick(CH); s+= i===n-1 && rnd(3)===0 ? "" : pick(ENDS);} return s; }
test("fuzz", async () => {
  const files: Record<string,string> = {};
  for (let i=0;i<60;i++) files[`f${100+i}`]=text();
  const bench = toolBench(files, {});
  const other = toolBench({}, {});
  registerSearchTool(other.registry, bench.folder, { ripgrep: null });
  let bad = 0, invalid = 0;
  for (let i=0;i<Number(process.env.N ?? 400);i++) {
    const args: Record<string, unknown> = { pattern: pat(), context: 0, limit: 1000 };
    if (rnd(4)===0) args.ignore_case = true;
    if (rnd(4)===0) args.multiline = true;
    if (rnd(8)===0) args.mode = "count";
    const re = compileRustRegex(String(args.pattern), { isLiteral: false, ignoreCase: false, dotAll: false });
    if (!("invalid" in re) && re.test("")) { continue; }
    const clean = (s: string) => s.replace(/\(.*\); searched as/, "(); searched as");
    const a = clean((await bench.call("grep", args)).content), b = clean((await other.call("grep", args)).content);
    if (a.includes("not a valid")) invalid++;
    if (a !== b) { bad++; if (bad < 12) {
      const al = a.split("\n"), bl = b.split("\n"); const k = al.findIndex((l, x) => l !== bl[x]);
      console.log(JSON.stringify(args), "\n rg:", JSON.stringify(al.slice(Math.max(0,k-1),k+2)), al.at(-1), "\n us:", JSON.stringify(bl.slice(Math.max(0,k-1),k+2)), bl.at(-1)); } }
  }
  console.log("bad", bad, "invalid", invalid);
}, 600000);
