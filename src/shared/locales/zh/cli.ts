import type { cli as source } from "../en/cli";

export const cli: Record<keyof typeof source, string> = {};
