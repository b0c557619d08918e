/** What means something in Markdown or its dialects wherever it stands. */
const SPECIAL = /[\\`*_[\]<>#~|^$&]/g;
/** What ends a line, for anyone; and what begins a list, a rule or a heading at the start of one. */
const BLANK = /[\s\p{Cc}]+/gu;
const OPENER = /^(?:[-+=:]|(\d+)([.)]))/;

/** A text that stays text: in one line, whatever it holds. */
export function plain(text: string): string {
  return text
    .replace(BLANK, ' ')
    .trim()
    .replace(SPECIAL, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\b(www)\./gi, '$1\\.')
    .replace(/@/g, '\\@')
    .replace(OPENER, (all, digits?: string, end?: string) => (digits === undefined ? `\\${all}` : `${digits}\\${end}`));
}
