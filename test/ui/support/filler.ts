/** Deterministic text for streams: mixed Markdown with numbered blocks, fences, lists. */

/** About `size` characters; block n holds the word `block-n-end` exactly once. */
export function markdown(size: number): string {
  let text = "";
  for (let n = 0; text.length < size; n++) text += `${kinds[n % kinds.length]?.(n) ?? ""}\n\n`;
  return text;
}

/** How many numbered blocks a text of `markdown` has. */
export function blocksIn(text: string): number {
  return text.match(/block-\d+-end/g)?.length ?? 0;
}

const kinds: ((n: number) => string)[] = [
  (n) => `# Heading block-${n}-end`,
  (n) =>
    `A paragraph with **bold**, \`code\` and [a link](https://example.org/${n}), long enough to be wrapped at eighty columns. block-${n}-end`,
  (n) => `- one\n- two 你好，世界\n- block-${n}-end`,
  (n) => `\`\`\`ts\nconst value: number = ${n};\nfunction f() { return "x"; }\n// block-${n}-end\n\`\`\``,
  (n) => `| a | b |\n|---|---|\n| ${n} | block-${n}-end |`,
  (n) => `> quoted\n> block-${n}-end`,
];

/** One open code fence of so many numbered lines. */
export function fence(lines: number): string {
  return `\`\`\`js\n${Array.from({ length: lines }, (_, n) => `const line${n} = "row-${n}-end"; // ${"x".repeat(n % 40)}`).join("\n")}\n\`\`\`\n`;
}
