/** The command's entry: the one place that prints an error and sets the exit code. */

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.write(`${ZQAGENT_VERSION}\n`);
} else {
  const { runCommand } = await import("./command");
  const code = await runCommand(args);
  // What is still open (keep-alive sockets, timers of libraries) must not hold the user up.
  process.exit(code);
}

export {};
