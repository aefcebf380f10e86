import { defineConfig } from "vitest/config";

/** Prompts are Markdown files that the build inlines as text; tests see them the same way. */
const markdownAsText = {
  name: "markdown-as-text",
  transform(code: string, id: string) {
    return id.endsWith(".md") ? `export default ${JSON.stringify(code)}` : undefined;
  },
};

export default defineConfig({
  plugins: [markdownAsText],
  define: { ZQAGENT_VERSION: '"0.0.0-test"' },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: ["test/support/hermetic.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // On a busy CI machine a pty may be late once; what fails twice is broken.
    retry: process.env.CI === "true" ? 1 : 0,
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/zqagent/tests.json" }]],
  },
});
