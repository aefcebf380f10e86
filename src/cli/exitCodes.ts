/** How the command leaves (docs/guide.md lists them). */
export const ExitCode = {
  COMPLETED: 0,
  ERROR: 1,
  USAGE: 2,
  LIMIT: 3,
  DENIED: 4,
  INTERRUPTED: 130,
  TERMINATED: 143,
} as const;
