/** Times as people type them: `90s`, `30m`, `6h`, `2d`, `1h30m`. */

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds; undefined for what is no time. A number needs its unit, so that nobody has to guess one. */
export function parseDuration(text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  if (!/^(?:\d+(?:\.\d+)?[smhd])+$/.test(wanted)) return undefined;
  let total = 0;
  for (const [, amount, unit] of wanted.matchAll(/([\d.]+)([smhd])/g))
    total += Number(amount) * (UNITS[unit ?? ""] ?? 0);
  return Math.round(total);
}
