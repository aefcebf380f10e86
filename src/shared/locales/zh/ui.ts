import type { ui as source } from "../en/ui";

export const ui: Record<keyof typeof source, string> = {};
