/** The command line: options and commands, parsed by commander into one plain value. */

import { Command, CommanderError, Option } from "commander";
import { PROMPT_LANGS } from "../shared/lang";
import { fill, type Texts } from "../shared/locales";
import { parseDuration } from "./duration";
import { ExitCode } from "./exitCodes";
import { UsageError } from "./usageError";

export type OutputFormat = "text" | "json" | "stream-json";
export type ColorChoice = "auto" | "always" | "never";

/** Options that hold for a run. What is absent was not given: environment and settings decide. */
export interface RunOptions {
  /** Words of the command line that are the prompt. */
  prompt: string;
  /** `-p` was given: one turn, no screen. */
  print: boolean;
  continue: boolean;
  /** `true`: resume, but which session is not said. */
  resume?: string | true;
  model?: string;
  baseUrl?: string;
  apiMode?: "responses" | "chat";
  mode?: "discuss" | "plan" | "interactive" | "auto";
  allow: string[];
  lang?: string;
  maxIterations?: number;
  cwd?: string;
  logDir?: string;
  vcs?: "auto" | "native" | "shadow" | "off";
  sandbox?: "auto" | "off" | "required";
  outputFormat: OutputFormat;
  color: ColorChoice;
  screenReader?: boolean;
  verbose: boolean;
  /** Milliseconds. */
  waitLimits?: number;
}

export interface RollbackOptions extends RunOptions {
  turn?: number;
  /** Take the newest rollback back instead. */
  undo: boolean;
  session?: string;
  path: string[];
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

export interface DiffOptions extends RunOptions {
  turn?: number;
  session?: string;
  json: boolean;
}

export interface SessionsOptions extends RunOptions {
  id?: string;
  all: boolean;
  json: boolean;
}

export interface DoctorOptions extends RunOptions {
  probe: boolean;
  yes: boolean;
  json: boolean;
}

export type Invocation =
  | { command: "session"; options: RunOptions }
  | { command: "rollback"; options: RollbackOptions }
  | { command: "diff"; options: DiffOptions }
  | { command: "sessions-list"; options: SessionsOptions }
  | { command: "sessions-show"; options: SessionsOptions }
  | { command: "doctor"; options: DoctorOptions }
  | { command: "demo"; options: RunOptions };

/** Parses the arguments. A number is an exit code: help or the version was printed. Throws UsageError. */
export function parseInvocation(args: string[], texts: Texts): Invocation | number {
  let invocation: Invocation | undefined;
  const program = buildProgram(texts, (found) => {
    invocation = found;
  });
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return ExitCode.COMPLETED;
    throw new UsageError(`${error.message.replace(/^error: /, "")}\n${texts.cli.seeHelp}`);
  }
  if (!invocation) throw new UsageError(texts.cli.seeHelp);
  return invocation;
}

function buildProgram(texts: Texts, found: (invocation: Invocation) => void): Command {
  const t = texts.cli;
  const program = new Command("zqagent")
    .description(t.about)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .version(ZQAGENT_VERSION, "-V, --version", t.helpVersion)
    .helpOption("-h, --help", t.helpHelp)
    .helpCommand(false)
    .addHelpText("after", `\n${t.helpExamples}`)
    .argument("[prompt...]", t.helpPrompt);
  addRunOptions(program, texts);
  program.action((words: string[], options) =>
    found({ command: "session", options: runOptions(options, words.join(" ")) }),
  );

  program
    .command("resume [id]")
    .description(t.helpResumeCommand)
    .action((id: string | undefined, _own, command: Command) => {
      const options = runOptions(command.optsWithGlobals(), "");
      found({ command: "session", options: { ...options, resume: id ?? true } });
    });
  program
    .command("rollback")
    .description(t.helpRollbackCommand)
    .option("--turn <n>", t.helpRollbackTurn, wholeNumber("--turn", 0, texts))
    .option("--undo", t.helpUndo, false)
    .option("--session <id>", t.helpSession)
    .option("--path <path>", t.helpPath, collect, [])
    .option("--dry-run", t.helpDryRun, false)
    .option("--yes", t.helpYes, false)
    .option("--json", t.helpJson, false)
    .action((_own, command: Command) =>
      found({
        command: "rollback",
        options: { ...command.optsWithGlobals(), ...runOptions(command.optsWithGlobals(), "") } as RollbackOptions,
      }),
    );
  program
    .command("diff")
    .description(t.helpDiffCommand)
    .option("--turn <n>", t.helpDiffTurn, wholeNumber("--turn", 1, texts))
    .option("--session <id>", t.helpSession)
    .option("--json", t.helpJson, false)
    .action((_own, command: Command) =>
      found({
        command: "diff",
        options: { ...command.optsWithGlobals(), ...runOptions(command.optsWithGlobals(), "") } as DiffOptions,
      }),
    );
  addSessionsCommands(program, texts, found);
  program
    .command("doctor")
    .description(t.helpDoctorCommand)
    .option("--probe", t.helpProbe, false)
    .option("--yes", t.helpYes, false)
    .option("--json", t.helpJson, false)
    .action((_own, command: Command) =>
      found({
        command: "doctor",
        options: { ...command.optsWithGlobals(), ...runOptions(command.optsWithGlobals(), "") } as DoctorOptions,
      }),
    );
  program
    .command("demo")
    .description(t.helpDemoCommand)
    .action((_own, command: Command) => found({ command: "demo", options: runOptions(command.optsWithGlobals(), "") }));
  return program;
}

function addSessionsCommands(program: Command, texts: Texts, found: (invocation: Invocation) => void): void {
  const t = texts.cli;
  const sessions = program.command("sessions").description(t.helpSessionsCommand).helpCommand(false);
  sessions
    .command("list", { isDefault: true })
    .description(t.helpSessionsList)
    .option("--all", t.helpSessionsAll, false)
    .option("--json", t.helpJson, false)
    .action((_own, command: Command) =>
      found({
        command: "sessions-list",
        options: { ...command.optsWithGlobals(), ...runOptions(command.optsWithGlobals(), "") } as SessionsOptions,
      }),
    );
  sessions
    .command("show [id]")
    .description(t.helpSessionsShow)
    .option("--json", t.helpJson, false)
    .action((id: string | undefined, _own, command: Command) => {
      const options = { ...command.optsWithGlobals(), ...runOptions(command.optsWithGlobals(), ""), id };
      found({ command: "sessions-show", options: options as unknown as SessionsOptions });
    });
}

function addRunOptions(program: Command, texts: Texts): void {
  const t = texts.cli;
  const choice = (flags: string, help: string, choices: readonly string[]) =>
    new Option(flags, help).argParser((value: string) => {
      if (choices.includes(value)) return value;
      throw new UsageError(
        fill(t.badOption, { option: flags.split(" <")[0] ?? flags, choices: choices.join(", "), value }),
      );
    });
  program
    .option("-p, --print [prompt]", t.helpPrint)
    .option("-c, --continue", t.helpContinue)
    .option("-r, --resume [id]", t.helpResume)
    .option("-m, --model <name>", t.helpModel)
    .option("--base-url <url>", t.helpBaseUrl)
    .addOption(choice("--api-mode <mode>", t.helpApiMode, ["responses", "chat"]))
    .addOption(choice("--mode <mode>", t.helpMode, ["discuss", "plan", "interactive", "auto"]))
    .option("--allow <prefix>", t.helpAllow, collect, [])
    .addOption(choice("--lang <lang>", t.helpLang, PROMPT_LANGS))
    .option("--max-iterations <n>", t.helpMaxIterations, wholeNumber("--max-iterations", 1, texts))
    .option("--wait-limits <duration>", t.helpWaitLimits, duration("--wait-limits", texts))
    .option("--cwd <dir>", t.helpCwd)
    .option("--log-dir <dir>", t.helpLogDir)
    .addOption(choice("--vcs <mode>", t.helpVcs, ["auto", "native", "shadow", "off"]))
    .addOption(choice("--sandbox <mode>", t.helpSandbox, ["auto", "off", "required"]))
    .addOption(choice("--output-format <format>", t.helpOutputFormat, ["text", "json", "stream-json"]).default("text"))
    .addOption(choice("--color <when>", t.helpColor, ["auto", "always", "never"]).default("auto"))
    .addOption(new Option("--no-color").hideHelp())
    .option("--screen-reader", t.helpScreenReader)
    .option("--verbose", t.helpVerbose);
}

/** `-p` takes the prompt or stands alone; both places of the prompt are joined. */
function runOptions(options: Record<string, unknown>, words: string): RunOptions {
  const { print, continue: goOn, verbose, color, ...rest } = options;
  const prompt = [typeof print === "string" ? print : "", words].filter((part) => part !== "").join(" ");
  return {
    ...(rest as Partial<RunOptions>),
    prompt,
    print: print !== undefined && print !== false,
    continue: goOn === true,
    verbose: verbose === true,
    color: color === false ? "never" : (color as ColorChoice),
    allow: (rest.allow as string[] | undefined) ?? [],
    outputFormat: (rest.outputFormat as OutputFormat | undefined) ?? "text",
  };
}

function wholeNumber(option: string, least: number, texts: Texts) {
  return (value: string): number => {
    if (/^\d+$/.test(value) && Number(value) >= least && Number.isSafeInteger(Number(value))) return Number(value);
    throw new UsageError(fill(texts.cli.badNumber, { option, least, value }));
  };
}

function duration(option: string, texts: Texts) {
  return (value: string): number => {
    const ms = parseDuration(value);
    if (ms === undefined) throw new UsageError(fill(texts.cli.badDuration, { option, value }));
    return ms;
  };
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
