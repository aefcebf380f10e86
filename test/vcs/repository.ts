/** A temporary workspace for snapshot tests, with a shell to prepare it and a look at what belongs to the user. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Bench {
  root: string;
  out: string;
  mark: string;
  env: NodeJS.ProcessEnv;
  /** Runs a line of bash in a folder below the root. */
  sh(line: string, folder?: string): string;
  dispose(): void;
}

export function createBench(): Bench {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-vcs-")));
  const [root, out, home, emptyHome] = ["ws", "out", "home", "empty"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [root, out, home, emptyHome]) mkdirSync(folder);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = t\n\temail = t@localhost\n");
  const mark = join(base, "mark");
  const env = { PATH: process.env.PATH, HOME: home, EMPTY_HOME: emptyHome, OUT: out, MARK: mark };
  return {
    root,
    out,
    mark,
    env,
    sh: (line, folder = root) =>
      execFileSync("bash", ["-c", line], { cwd: folder, env, encoding: "utf8", stdio: "pipe" }),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** What of a repository belongs to the user: HEAD, branch, index entries, refs outside ours, stash. */
export function userState(bench: Bench, folder: string): string {
  const commands = [
    "git rev-parse --verify -q HEAD",
    "git symbolic-ref -q HEAD",
    "git -c core.fsmonitor=false ls-files -s -t",
    "git for-each-ref | grep -v refs/agent/",
    "git stash list",
    "git config --local --list",
    "ls $(git rev-parse --git-dir)/hooks $(git rev-parse --git-dir)/logs",
  ];
  return commands.map((command) => bench.sh(`${command} 2>/dev/null; true`, folder)).join("--\n");
}
