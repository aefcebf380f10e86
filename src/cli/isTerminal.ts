/** Whether the screen can be used: a terminal at both ends that understands more than plain lines. */

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== "dumb";
}
