import type { errors as source } from "../en/errors";

export const errors: Record<keyof typeof source, string> = {};
