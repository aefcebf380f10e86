/** Finds lines in which a model left text out ("... rest of code ..."), so that they are never written to a file. */

const TRIGGERS = new Set(["rest", "remaining", "remainder", "existing", "unchanged", "omitted", "previous", "same"]);

/** Words that such a line is made of beside a trigger. */
const FILLERS = new Set(
  (
    "the a an of to in for from with and or as is are was be been this that these other others all any here there " +
    "above below before after original current old earlier code codes file files function functions method methods " +
    "line lines implementation implementations logic content contents section sections class classes component " +
    "components module modules import imports export exports definition definitions declaration declarations body " +
    "block blocks part parts test tests text stuff things items entries fields properties props styles rules cases " +
    "config configuration settings stays stay remain remains keep kept left not shown for brevity continues unmodified"
  ).split(" "),
);

const ELLIPSIS = /\.{3,}|…|。{3,}/;
const MARKS = /[#/*;%<>!(){}[\]`'"|–—:,.…。-]/g;
const CHINESE_LINE = /其余|剩余|原有|现有|省略|不变/;
const CHINESE_LINE_LENGTH = 16;

/**
 * The first line of `text` that stands for text left out, trimmed; undefined when there is none. A line that `old`
 * holds too is meant literally.
 */
export function findPlaceholder(text: string, old: string): string | undefined {
  if (!ELLIPSIS.test(text)) return undefined;
  const lines = text.split("\n").map((line) => line.trim());
  const suspect = lines.filter((line) => line.length <= 200 && ELLIPSIS.test(line) && isPlaceholder(line));
  if (suspect.length === 0) return undefined;
  const known = new Set(old.split("\n").map((line) => line.trim()));
  return suspect.find((line) => !known.has(line));
}

/** What the model is told. `where`: the argument or hunk that holds the line. */
export function placeholderText(where: string, line: string): string {
  return `${where} contains an omission placeholder ("${line}"). Write out the full text.`;
}

function isPlaceholder(line: string): boolean {
  return CHINESE_LINE.test(line) ? isChinesePlaceholder(line) : isEnglishPlaceholder(line);
}

function isChinesePlaceholder(line: string): boolean {
  const bare = line.replace(/^[\s#/*;%<!(){}[\]-]+|[\s#/*;%>!(){}[\]-]+$/g, "");
  return [...bare].length <= CHINESE_LINE_LENGTH;
}

function isEnglishPlaceholder(line: string): boolean {
  const words = line.toLowerCase().replace(MARKS, " ").split(/\s+/).filter(Boolean);
  return words.some((word) => TRIGGERS.has(word)) && words.every((word) => TRIGGERS.has(word) || FILLERS.has(word));
}
