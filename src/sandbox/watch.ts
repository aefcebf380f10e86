/** The small shell script that stands between bwrap and the command: it tells what the command left running. */

/**
 * `$1` is the file that is made when something was left; the rest is the command. The script waits a moment for those
 * that are just ending, longer when it was asked to stop, so that they can tidy up; then all of them end with it.
 * Process 1 is bwrap and 2 the script, so more than two entries mean that somebody is left.
 */
const SCRIPT = `
mark=$1; shift
tries=2; trap 'tries=36' TERM INT HUP
exec 9>&2 2>/dev/null
"$@" 2>&9 9>&-
code=$?
set -- /proc/[0-9]*
while [ $# -gt 2 ] && [ $tries -gt 0 ]; do sleep 0.05; tries=$((tries - 1)); set -- /proc/[0-9]*; done
[ $# -gt 2 ] && : >"$mark"
exit $code`;

/** The argument list that runs `argv` under the watch; `mark` is a path as the command sees it. */
export function watched(argv: readonly string[], mark: string): string[] {
  return ["/bin/sh", "-c", SCRIPT, "sh", mark, ...argv];
}
