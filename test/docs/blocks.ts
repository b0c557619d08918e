/** A fenced block of a page. */
export interface Block {
  /** `README.md:26`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** Why it is not run; null where it is. */
  readonly excuse: string | null;
}

const FENCE = /(?:^<!-- not run: (.+) -->\n)?^```(\S*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a page, in order. `<!-- not run: why -->` on the line before excuses one. */
export function blocksOf(page: string, text: string): Block[] {
  return [...text.matchAll(FENCE)].map(({ 0: whole, 1: excuse, 2: language, 3: content, index }) => {
    const line = text.slice(0, index + whole.indexOf('```')).split('\n').length;
    return { place: `${page}:${line}`, language, text: content, excuse: excuse ?? null };
  });
}

/** `…` in what is printed stands for any text, such as an id or a time; spaces at ends of lines do not count. */
export function isText(printed: string, actual: string): boolean {
  const parts = printed.trim().split('…');
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(actual.trim().replace(/ +$/gm, ''));
}

/**
 * What an answer has otherwise than it is printed, as JSON pointers. An object that is printed may leave out fields, and
 * a list that ends with "…" may leave out the rest; numbers may differ by one percent.
 */
export function differences(printed: unknown, actual: unknown, pointer = ''): string[] {
  if (typeof printed === 'string' && typeof actual === 'string') return isText(printed, actual) ? [] : [pointer];
  if (typeof printed === 'number' && typeof actual === 'number') {
    return Math.abs(printed - actual) <= 0.01 * Math.abs(actual) ? [] : [pointer];
  }
  if (typeof printed !== 'object' || typeof actual !== 'object' || printed === null || actual === null) {
    return printed === actual ? [] : [pointer];
  }
  if (Array.isArray(printed) !== Array.isArray(actual)) return [pointer];
  const entries = Object.entries(printed);
  const isOpen = Array.isArray(printed) && printed.at(-1) === '…';
  if (isOpen) entries.pop();
  else if (Array.isArray(printed) && Array.isArray(actual) && printed.length !== actual.length) return [pointer];
  const fields = new Map<string, unknown>(Object.entries(actual));
  return entries.flatMap(([key, value]) => differences(value, fields.get(key), `${pointer}/${key}`));
}
