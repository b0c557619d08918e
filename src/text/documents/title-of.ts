/** A longer heading is text, not a title. */
const LONGEST = 1000;

/** The title of a text of a file: its first Markdown heading of the first level, or else the name of the file. */
export function titleOf(path: string, text: string): string {
  const heading = /^#\s+(.+)$/m.exec(text.slice(0, 2000))?.[1].trim();
  if (heading !== undefined && heading !== '' && heading.length <= LONGEST) return heading;
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
