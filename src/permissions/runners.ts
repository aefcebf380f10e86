/** Programs that run what their arguments say. Allowing them by name would allow everything. */

const names = (list: string): Set<string> => new Set(list.split(/\s+/).filter(Boolean));

/** They take a program or code at any place: only the very command that a person allowed is allowed. */
const wrappers = names(`
  env timeout nice nohup time sudo su doas pkexec run0 xargs parallel exec eval command builtin source . setsid stdbuf
  unbuffer script watch entr ionice chrt taskset numactl chroot unshare nsenter setpriv runuser fakeroot proot bwrap
  firejail flock strace ltrace perf valgrind gdb lldb ssh mosh rsh expect at batch crontab systemd-run start-stop-daemon
  busybox toybox tmux screen vi vim nvim view ex ed emacs nano pico sqlite3 psql mysql mariadb mongosh redis-cli
  caffeinate arch cmd start trap coproc rundll32 mshta wscript cscript concurrently dotenv
  cross-env direnv mise asdf nix nix-shell`);

/** They run the file that comes first: with that file named, what follows is the file's own business. */
const interpreters = names(`
  sh bash dash zsh ksh mksh fish csh tcsh ash rbash pwsh powershell
  node nodejs deno bun bunx npx tsx ts-node esr python python2 python3 pypy pypy3 ipython ruby irb perl php lua luajit
  tclsh wish Rscript R julia java groovy scala kotlin elixir iex erl escript ghci runghc runhaskell racket guile sbcl
  clisp clojure clj swift osascript uvx pipx uv poetry pdm rye pipenv hatch bundle dotnet jshell`);

/** They reach far with any argument: remembering them by name is too much, a listed prefix is not. */
const farReaching = names(
  "docker podman nerdctl kubectl helm oc vagrant aws gcloud az terraform ansible ansible-playbook",
);

/** `/usr/bin/python3.11` is python, `NODE.EXE` is node. */
function family(program: string): string {
  const base = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);
  return base.replace(/\.(exe|cmd|bat|com)$/i, "");
}

function isIn(set: Set<string>, program: string): boolean {
  const name = family(program);
  return set.has(name) || set.has(name.toLowerCase()) || set.has(name.replace(/[-.\d]+$/, ""));
}

export function isWrapper(program: string): boolean {
  return isIn(wrappers, program);
}

export function isInterpreter(program: string): boolean {
  return isIn(interpreters, program);
}

/** True where "always allow this command" means this very command, not the program. */
export function isRememberedExactly(program: string): boolean {
  return isWrapper(program) || isInterpreter(program) || isIn(farReaching, program);
}

/** Of these, those that start a program by its name, with that program's own options. */
const launchers = names("npx bunx uvx pipx uv poetry pdm rye pipenv hatch bundle");

/** Sub-commands after which the thing to run is still to come (`uv run …`). */
const carriers = names("run exec x tool");
/** Options whose value is the thing to run. */
const runOptions = names("-m -jar");

/** True when the listed words say what will be run, so that more words behind them change nothing about it. */
export function namesWhatRuns(entry: readonly string[]): boolean {
  const [, first, second] = entry;
  if (first === undefined) return false;
  if (carriers.has(first) || runOptions.has(first)) return second !== undefined && !second.startsWith("-");
  return !first.startsWith("-");
}

/** Interpreters that go on reading options of their own behind what they run. */
const attentive = names("bun deno");

export function readsOptionsAnywhere(program: string): boolean {
  return isIn(attentive, program);
}

/** Interpreters that start another named program: how many words stand before it. */
export function wordsBeforeInner(words: readonly string[]): number {
  const [program = "", first = ""] = words;
  if (isIn(launchers, program)) return carriers.has(first) ? 2 : 1;
  return 0;
}
