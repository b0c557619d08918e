const PARTED = /(\p{L}+)[-\u2010\u00ad]$/u;

/**
 * Lines of a paragraph as one. A word that was parted at the end of a line is mended; one that is written with a hyphen
 * elsewhere in the document, or whose rest begins with a capital or a digit, keeps it.
 *
 * @param hyphenated words with a hyphen that stand within a line somewhere, in lower case
 */
export function joinedLines(lines: readonly string[], hyphenated: ReadonlySet<string>): string {
  let text = '';
  for (const line of lines) {
    const first = PARTED.exec(text)?.[1];
    const rest = /^\p{L}+/u.exec(line)?.[0];
    if (text === '') text = line;
    else if (first === undefined || rest === undefined) text += /[-\u2010]$/u.test(text) ? line : ` ${line}`;
    else if (text.endsWith('\u00ad')) text = text.slice(0, -1) + line;
    else if (hyphenated.has(`${first}-${rest}`.toLowerCase()) || /^\p{Lu}/u.test(rest)) text += line;
    else text = text.slice(0, -1) + line;
  }
  return text.replaceAll('\u00ad', '');
}
