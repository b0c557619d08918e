/** Text as it comes out of a converter, with even spaces and at most one empty line. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/^(\s*(?:[-*]|\d+\.|#{1,6})) {2,}/gm, '$1 ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
