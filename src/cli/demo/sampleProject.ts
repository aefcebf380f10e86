/** The project that the demo works on: small, whole, and with one honest bug. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILES: Record<string, string> = {
  "package.json": `{
  "name": "corner-shop",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  "README.md": `# corner-shop

What a cart costs. All amounts are in cents.
`,
  "src/cart.js": `/** What a cart costs, in cents. From the tenth piece of an article on, it is 10 % cheaper. */
export function total(items) {
  let sum = 0;
  for (const { price, count } of items) {
    const factor = count > 10 ? 0.9 : 1;
    sum += Math.round(price * count * factor);
  }
  return sum;
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

test("an empty cart costs nothing", () => {
  assert.equal(total([]), 0);
});

test("nine pieces cost the full price", () => {
  assert.equal(total([{ price: 200, count: 9 }]), 1800);
});

test("ten pieces get the quantity discount", () => {
  assert.equal(total([{ price: 200, count: 10 }]), 1800);
});
`,
};

/** Writes the sample project into an empty folder. */
export function createSampleProject(folder: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
