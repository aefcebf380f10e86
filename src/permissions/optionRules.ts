/** The table of programs and their options that run a program or write a file. Data; `dangerousOptions` reads it. */

export interface OptionRule {
  /** Long options without the dashes; every abbreviation of them counts too. */
  long?: string[];
  /** The program knows no abbreviated long options. */
  wholeNames?: boolean;
  /** Letters of short options; they count anywhere in a bundle (`-no`). */
  short?: string;
  /** Letters that take a value, so that what follows them in a bundle is data. */
  valued?: string;
  /** Whole words with one dash (`-exec`), also with `=value`. */
  single?: string[];
  /** Operands that run or fetch something else (`npm exec`); they may stand behind an option's value. */
  operands?: Set<string>;
  /** Any other word at fault. */
  words?: RegExp;
  /** The program goes on reading options behind `--`. */
  ignoresDashDash?: boolean;
}

const list = (text: string): string[] => text.split(/\s+/).filter(Boolean);
const set = (text: string): Set<string> => new Set(list(text));

/** Programs that can only read and print, whatever their arguments are. */
export const readers = set(`
  ls cat head tail wc echo printf pwd true false test [ type which whereis basename dirname realpath readlink stat du df
  cut tr nl od hexdump strings rev tac fold expand unexpand paste comm cmp grep egrep fgrep seq sleep id whoami uname
  uptime free nproc md5sum sha1sum sha256sum sha512sum cksum sum jq printenv tsort join`);

const find: OptionRule = {
  single: list("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls"),
  ignoresDashDash: true,
};

const packageManager: OptionRule = {
  long: list(`script-shell shell node-options prefix userconfig globalconfig init-module git call cwd dir pnpmfile
    global-pnpmfile use-yarnrc preload require config eval package`),
  short: "Cc",
  operands: set("exec x dlx init innit create explore config c set bunx pm env patch-commit node workspace workspaces"),
  words: /^--config\./,
};

const javaScriptTool: OptionRule = {
  wholeNames: true,
  long: list(`config output output-file outputFile out-file out-dir plugin rulesdir resolve-plugins-relative-to parser
    format formatter reporter fix write require import loader setup-files globalSetup global-setup setupFiles preset
    resolver runner testRunner transform environment node-option ignore-path cache-file cache-location init`),
  short: "cowrf",
};

const pager: OptionRule = {
  short: "oOPHk",
  long: list("pager html log-file LOG-FILE lesskey-file lesskey-src"),
  words: /^\+/,
};

const gradle: OptionRule = {
  long: list("init-script build-file project-dir settings-file include-build"),
  short: "Ibcp",
};

const maven: OptionRule = { long: list("file settings global-settings toolchains"), short: "fstD" };

export const optionRules = new Map<string, OptionRule>([
  ["find", find],
  ["gfind", find],
  ["fd", { long: list("exec exec-batch"), short: "xX", valued: "dteES" }],
  ["fdfind", { long: list("exec exec-batch"), short: "xX", valued: "dteES" }],
  ["rg", { long: list("pre search-zip hostname-bin"), short: "z", valued: "ABCEMTefgjmrtd" }],
  ["ag", { long: list("pager search-zip"), short: "z", valued: "ABCGmp" }],
  ["ack", { long: list("pager output ackrc") }],
  ["sort", { long: list("output compress-program temporary-directory"), short: "oT", valued: "ktS" }],
  ["gsort", { long: list("output compress-program temporary-directory"), short: "oT", valued: "ktS" }],
  ["split", { long: ["filter"] }],
  ["tree", { long: list("output"), short: "oR", valued: "LPIHT" }],
  ["file", { long: list("compile uncompress"), short: "Cz", valued: "mfFPe" }],
  ["date", { long: ["set"], short: "s", valued: "dfrI" }],
  ["base64", { long: ["output"], short: "o", valued: "w" }],
  ["base32", { long: ["output"], short: "o", valued: "w" }],
  ["diff", { long: ["output"] }],
  ["sdiff", { long: list("output diff-program"), short: "o", valued: "wI" }],
  ["diff3", { long: ["diff-program"] }],
  ["shuf", { long: list("output random-source"), short: "o", valued: "ni" }],
  ["csplit", { long: ["prefix"], short: "f" }],
  ["yq", { long: list("inplace in-place split-exp"), short: "is" }],
  ["less", pager],
  ["more", pager],
  ["man", { short: "PH", long: list("pager html") }],
  [
    "curl",
    {
      long: list(`output output-dir remote-name remote-name-all remote-header-name dump-header cookie-jar config trace
      trace-ascii stderr libcurl etag-save hsts alt-svc upload-file engine`),
      short: "oOJDcKT",
      words: /%output\{/,
      valued: "AbCdeEFHmPQrtuUwxXYyz",
    },
  ],
  [
    "wget",
    {
      long: list(`output-document output-file append-output directory-prefix execute input-file config use-askpass
      save-cookies warc-file post-file body-file`),
      short: "OoaPie",
      valued: "tTwQUDlABRI",
    },
  ],
  ["rsync", { long: list("rsh rsync-path log-file config"), short: "e" }],
  ["scp", { short: "SoF", valued: "clPi" }],
  ["sftp", { short: "SobF", valued: "clPi" }],
  ["zip", { long: list("unzip-command test"), short: "T" }],
  ["npm", packageManager],
  ["pnpm", packageManager],
  ["yarn", packageManager],
  ["bun", { long: list("preload require eval print config cwd import shell"), short: "repc" }],
  [
    "deno",
    { long: list("preload require eval config import-map import cert lock"), short: "rcAP", words: /^--allow-/ },
  ],
  [
    "go",
    {
      single:
        list(`-exec --exec -toolexec --toolexec -vettool --vettool -o --o -C --C -modfile --modfile -overlay --overlay
      -ldflags --ldflags -gcflags --gcflags -compiler --compiler -coverprofile --coverprofile -cpuprofile --cpuprofile
      -memprofile --memprofile -trace --trace -outputdir --outputdir`),
      operands: set("run generate tool install get env fix"),
    },
  ],
  ["cargo", { long: list("config manifest-path target-dir out-dir artifact-dir"), short: "CZ", words: /^\+/ }],
  [
    "pytest",
    {
      long: list(
        "rootdir confcutdir basetemp junitxml junit-xml log-file pdbcls result-log debug config-file override-ini",
      ),
      short: "pco",
      valued: "kmnrW",
    },
  ],
  ["eslint", javaScriptTool],
  ["prettier", javaScriptTool],
  ["jest", javaScriptTool],
  ["vitest", javaScriptTool],
  ["mocha", javaScriptTool],
  ["ava", javaScriptTool],
  ["biome", { long: list("write fix unsafe config-path") }],
  ["ruff", { long: list("fix config output-file"), short: "o" }],
  [
    "tsc",
    {
      long: list("outDir outFile declarationDir tsBuildInfoFile generateTrace generateCpuProfile init build"),
      short: "b",
    },
  ],
  ["cmake", { long: list("build install"), short: "EPC" }],
  ["gradle", gradle],
  ["gradlew", gradle],
  ["mvnw", maven],
  ["mvn", maven],
  ["gcc", { single: list("-wrapper -specs -B"), words: /^-(fplugin|specs)/ }],
  ["cc", { single: list("-wrapper -specs -B"), words: /^-(fplugin|specs)/ }],
  ["clang", { single: list("-fplugin -load -B"), words: /^-fplugin/ }],
]);

/** True when the word is one of the long options, whole, abbreviated or with `=value`. */
export function hasLongOption(names: string[], word: string, wholeOnly = false): boolean {
  if (!word.startsWith("--") || word.length < 3) return false;
  const name = word.slice(2).split("=", 1)[0] ?? "";
  return names.some((candidate) => (wholeOnly ? candidate === name : candidate.startsWith(name)));
}

/** True when a bundle of short options holds one of the letters before a letter that takes a value. */
export function hasShortOption({ short = "", valued = "" }: OptionRule, word: string): boolean {
  if (!/^-[^-]/.test(word)) return false;
  for (const letter of word.slice(1)) {
    if (short.includes(letter)) return true;
    if (valued.includes(letter)) return false;
  }
  return false;
}
