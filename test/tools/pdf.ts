/** Small PDF files, written by hand: as many pages as there are texts. */

/** `texts`: the lines of each page, in ASCII; a page without any is blank. */
export function pdfOf(texts: string[][]): Buffer {
  const objects: string[] = [];
  const pages = texts.map((_, at) => `${4 + at * 2} 0 R`).join(" ");
  objects.push("<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Kids [${pages}] /Count ${texts.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [at, lines] of texts.entries()) {
    const resources = "/Resources << /Font << /F1 3 0 R >> >>";
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${resources} /Contents ${5 + at * 2} 0 R >>`);
    const shown = lines.map((line) => `(${line.replace(/[()\\]/g, "\\$&")}) Tj 0 -20 Td`).join("\n");
    const stream = `BT /F1 12 Tf 50 750 Td\n${shown}\nET`;
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}
