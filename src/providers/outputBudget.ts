/** Reads the numbers of an overflow: does the prompt fit, and only the output that was reserved with it does not? */

/** Tokens that may be asked for as output instead; undefined where the prompt alone is too long or nothing is known. */
export function smallerOutput(message: string, asked: number | undefined): number | undefined {
  const sum = /(\d[\d,]*) \+ \d[\d,]* > (?=\d)/;
  const window =
    numberAfter(message, /\d \+ \d[\d,]* > (\d[\d,]*)/) ??
    numberAfter(message, /(?:maximum context length|context (?:size|length|window))[^\d]{0,24}(\d[\d,]*)/i);
  const input = numberAfter(message, sum) ?? inputOf(message);
  if (window === undefined || input === undefined) return undefined;
  const left = Math.floor((window - input) * 0.9);
  const limit = asked === undefined ? left : Math.min(left, asked - 1);
  return limit >= 256 ? limit : undefined;
}

/** The largest output that a model takes, where a refusal names it. */
export function largestOutput(message: string): number | undefined {
  const limit = numberAfter(
    message,
    /(?:at most|less than or equal to|maximum(?: value)?(?: of| is|:)?|<=|up to|between \d+ and|\[\d+,)\s*(\d[\d,]*)/i,
  );
  return limit !== undefined && limit > 0 ? limit : undefined;
}

function inputOf(message: string): number | undefined {
  const stated = [
    /(?:prompt|input|request) (?:contains|has|is)(?: at least)? (\d[\d,]*)/i,
    /(\d[\d,]*) (?:tokens )?(?:in|of) (?:the |your )?(?:messages|prompt|text input|input)/i,
    /messages resulted in (\d[\d,]*)/i,
    /(\d[\d,]*) input tokens/i,
  ];
  const total = numberAfter(message, /(?:you )?requested (?:about )?(\d[\d,]*) tokens/i);
  const output = numberAfter(message, /(\d[\d,]*) (?:tokens )?(?:in|of|for) (?:the )?(?:output|completion)/i);
  if (total !== undefined && output !== undefined) return total - output;
  return stated.map((pattern) => numberAfter(message, pattern)).find((value) => value !== undefined);
}

function numberAfter(message: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(message)?.[1]?.replaceAll(",", "");
  return digits ? Number(digits) : undefined;
}
