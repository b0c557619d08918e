/**
 * A PDF with lines of text on pages.
 *
 * @param pages lines in ASCII
 * @param filters how their content is stored, as ASCII in hexadecimal digits at last; by default as it is
 */
export function pdfOf(
  pages: readonly (readonly string[])[],
  filters?: { readonly names: string; readonly encode: (content: string) => Buffer },
): Uint8Array<ArrayBuffer> {
  const objects: string[] = [];
  const add = (content: string): number => objects.push(content);
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const lines of pages) {
    const shown = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join('\n');
    const content = `BT /F1 10 Tf 12 TL 50 780 Td\n${shown}\nET`;
    const stream = filters ? `${filters.encode(content).toString('hex')}>` : content;
    const filter = filters ? ` /Filter [/ASCIIHexDecode ${filters.names}]` : '';
    const page = objects.length + 1;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${page + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    add(`<< /Length ${stream.length}${filter} >>\nstream\n${stream}\nendstream`);
  }
  let file = '%PDF-1.4\n';
  const offsets = objects.map((content, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${content}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}
