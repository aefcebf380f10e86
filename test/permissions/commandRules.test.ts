/** The allow list beyond the corpus: what bash really makes of an allowed command, and options that run or write. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCommand } from "../../src/permissions/commandParse";
import { CommandRules, sessionRuleOf } from "../../src/permissions/commandRules";

function allowed(entry: string, command: string): boolean {
  return new CommandRules([entry]).judge(command).allowed;
}

describe("options that run a program or write a file ask, in every spelling", () => {
  test.each([
    ["git diff", "git diff --outp=x"],
    ["git diff", "git diff --stat --textconv"],
    ["git", "git -C ../evil status"],
    ["git", "git --git-dir=x status"],
    ["git", "git -p log"],
    ["git", "git unknown-alias"],
    ["git", "git config core.pager ./x"],
    ["git", "git submodule foreach ls"],
    ["git", "git bisect run ./x"],
    ["git", "git clone ext::./x y"],
    ["git archive", "git archive --remote=ext::x HEAD"],
    ["git archive", "git archive -o x HEAD"],
    ["git fetch", "git fetch --upload-pack=./x"],
    ["git rebase", "git rebase -x ./x main"],
    ["git grep", "git grep -nO a"],
    ["find", "find . -okdir rm {} +"],
    ["find", "find . -fprintf x %p"],
    ["rg", "rg -nz a"],
    ["rg", "rg --pre ./x a"],
    ["sort", "sort -no x a"],
    ["sort", "sort --comp=./x a"],
    ["sort", "sort -T . a"],
    ["sed", "sed --in-place s/a/b/ f"],
    ["sed", "sed -ni p f"],
    ["sed", "sed -n -f x f"],
    ["sed", "sed -e p -e 'w x' f"],
    ["sed", "sed s/a/b/w f"],
    ["sed", "sed '1r /etc/passwd' f"],
    ["awk", "awk -i x '{print}' f"],
    ["awk", "awk '@load \"x\"' f"],
    ["awk", "awk '{print}' -f x"],
    ["tar", "tar xf a.tar"],
    ["tar", "tar -tf host:a.tar"],
    ["tar", "tar tfI a.tar ./x"],
    ["tar", "tar -tf a.tar --use-compress-program=./x"],
    ["tar", "tar -t -I ./x -f a.tar"],
    ["make", "make CC=./x"],
    ["make", "make -f other.mk"],
    ["make", "make -C ../evil"],
    ["npm test", "npm test --node-options=--require=./x"],
    ["npm", "npm exec evil"],
    ["npm", "npm --prefix ../evil test"],
    ["pnpm", "pnpm dlx evil"],
    ["pnpm test", "pnpm test --config.script-shell=./x"],
    ["go test", "go test -exec ./x ./..."],
    ["go vet", "go vet -vettool=./x"],
    ["cargo test", "cargo test --config build.rustc=./x"],
    ["pytest", "pytest -p evil"],
    ["eslint", "eslint -c x.js src"],
    ["npx eslint", "npx eslint --output-file x src"],
    ["fd", "fd -x rm"],
    ["bun test", "bun test --preload=./x"],
    ["deno test", "deno test --allow-run"],
    ["pnpm", "pnpm --filter a exec evil"],
    ["yarn", "yarn workspaces foreach exec evil"],
    ["curl", "curl -w '%output{x}' https://example.org"],
    ["curl", "curl -o x https://example.org"],
    ["curl", "curl -sSLO https://example.org"],
    ["man", "man -P ./x ls"],
    ["uniq", "uniq a b"],
    ["xxd", "xxd -r a b"],
    ["date", "date -s 2020-01-01"],
    ["mytool", "mytool --exec=./x"],
    ["mytool", "mytool --output x"],
    ["cat", "cat /proc/1/environ"],
    ["cat", "cat /proc/*/environ"],
    ["vim", "vim -c '!x' f"],
    ["sqlite3", "sqlite3 a.db '.shell x'"],
    ["find", "find ~/x"],
    ["rm", "rm *"],
    ["nice", "nice ls"],
    ["ssh", "ssh host ls"],
    ["python", "python evil.py"],
    ["python3.11", "python3.11 -c 'import os'"],
    ["node --test", "node --test --import=./x"],
    ["/usr/bin/env", "/usr/bin/env ls"],
  ])("%s does not allow: %s", (entry, command) => {
    expect(allowed(entry, command)).toBe(false);
  });
});

describe("ordinary work does not ask", () => {
  test.each([
    ["git", "git status --short"],
    ["git", "git --no-pager log --oneline -5"],
    ["git log", "git log --output-indicator-new=+"],
    ["git diff", "git diff --no-ext-diff -O order.txt"],
    ["git checkout", "git checkout -- --output"],
    ["git push", "git push -u origin main"],
    ["sed", "sed -n '/start/,/end/p' f"],
    ["sed", "sed -E 's/a+/b/g' f"],
    ["sed", "sed 5q f"],
    ["awk", "awk -F: '{print $1}' f"],
    ["awk", "awk -v n=2 'NR==n' f"],
    ["tar", "tar tzf a.tgz"],
    ["tar", "tar --list --file=a.tar"],
    ["tar -xf", "tar -xf a.tar"],
    ["make", "make -j4 test"],
    ["npm test", "npm test -- --script-shell"],
    ["npm run", "npm run lint --silent"],
    ["pnpm", "pnpm -r test"],
    ["vitest", "vitest --run src"],
    ["bun test", "bun test src/a.test.ts"],
    ["go test", "go test ./..."],
    ["cargo", "cargo test --release"],
    ["ls", "ls *"],
    ["ls", "ls ~/x"],
    ["rg", "rg --pre-glob '*.pdf' a"],
    ["rg", "rg -tz a"],
    ["sort", "sort -k2 -t, a"],
    ["uniq", "uniq -c a"],
    ["python manage.py", "python manage.py test --verbose"],
    ["python -m pytest", "python -m pytest -q"],
    ["npx eslint", "npx eslint src --max-warnings 0"],
    ["uv run pytest", "uv run pytest -q"],
    ["find . -delete", "find . -delete"],
    ["git diff --output=x", "git diff --output=x"],
    ["timeout 60 npm test", "timeout 60 npm test"],
    ["mytool", "mytool --fast src/*.ts"],
    ["ls", "ls # only looking"],
    ["  npm   test  ", "npm test"],
  ])("%s allows: %s", (entry, command) => {
    expect(new CommandRules([entry]).judge(command)).toMatchObject({ allowed: true });
  });
});

describe("what is remembered for the session", () => {
  test.each([
    ["npm test", "npm"],
    ["./build.sh --fast", "./build.sh"],
    ["'my tool' x", "'my tool'"],
    ["bash build.sh", "bash build.sh"],
    ["python3.12 a.py", "python3.12 a.py"],
    ["/usr/bin/sudo ls", "/usr/bin/sudo ls"],
    ["docker ps -a", "docker ps -a"],
    ["npm test; ls", undefined],
    ["A=b npm test", undefined],
    ["npm test > log", undefined],
    ["", undefined],
  ])("%s: %s", (command, rule) => {
    expect(sessionRuleOf(command)).toBe(rule);
  });
});

test("a refusal says what is wrong", () => {
  expect(new CommandRules(["git diff"]).judge("git diff --output=x")).toEqual({
    allowed: false,
    why: "--output=x may run a program or write a file",
  });
  expect(new CommandRules(["ls"]).judge("ls; ls")).toEqual({ allowed: false, why: "it contains a shell operator" });
  expect(new CommandRules(["ls"]).judge("pwd")).toEqual({ allowed: false });
});

const stubs = mkdtempSync(join(tmpdir(), "zqagent-stub-"));
writeFileSync(join(stubs, "tool"), '#!/bin/sh\nprintf "%s\\0" "$@"\n');
chmodSync(join(stubs, "tool"), 0o755);
const bash = spawnSync("sh", ["-c", "command -v bash"], { encoding: "utf8" }).stdout?.trim() ?? "";
const canRun = bash !== "" && process.platform !== "win32";

test.skipIf(!canRun)("an understood command reaches the program as it was understood", () => {
  const plain = "abX1 '\"-=~#!%^{},.:/+@?[]$\\*\t\u00a0é".split("");
  const piece = fc.constantFrom(...plain, " ", " --out", "$'\\x2d'", "${A}", "{a,b}", "$A", "''", '""', "\r", "\u200b");
  const empty = mkdtempSync(join(tmpdir(), "zqagent-empty-"));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const command = `tool ${pieces.join("")}`;
      const parsed = parseCommand(command);
      if ("why" in parsed || parsed.words.some((word) => word.glob || word.openStart)) return;
      const run = spawnSync(bash, ["-c", command], { cwd: empty, env: { PATH: stubs }, encoding: "utf8" });
      const expected = parsed.words.slice(1).map((word) => word.value);
      // printf prints one empty string where there are no arguments.
      const printed = run.stdout.split("\0").slice(0, -1);
      expect({ status: run.status, printed }).toEqual({ status: 0, printed: expected.length > 0 ? expected : [""] });
    }),
    { numRuns: 400 },
  );
});
