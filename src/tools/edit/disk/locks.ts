/** One writer at a time for each file, whichever engine of this process it belongs to. */

const key = Symbol.for("zqagent.fileLocks");

/** The last holder's end, by real path. On `globalThis`, for two copies of this package may live in one process. */
function tails(): Map<string, Promise<void>> {
  const holder = globalThis as { [key]?: Map<string, Promise<void>> };
  holder[key] ??= new Map();
  return holder[key];
}

/** Runs `work` while no other holder of any of these paths runs. Taken in one order, so that nobody waits in a circle. */
export async function withFileLocks<T>(realPaths: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...new Set(realPaths)].sort();
  if (first === undefined) return work();
  return withLock(first, () => withFileLocks(rest, work));
}

async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = tails().get(path) ?? Promise.resolve();
  const result = before.then(work);
  const tail = result.then(
    () => undefined,
    () => undefined,
  );
  tails().set(path, tail);
  try {
    return await result;
  } finally {
    if (tails().get(path) === tail) tails().delete(path);
  }
}
