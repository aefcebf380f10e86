/** The package's version, put in by the build. */
declare const ZQAGENT_VERSION: string;

/** Prompts and tool descriptions are Markdown files, inlined as text by the build and by the tests. */
declare module "*.md" {
  const text: string;
  export default text;
}
