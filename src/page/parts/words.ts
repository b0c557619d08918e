/** Integers in full, others with three significant digits. */
export function number(value: number): string {
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(3));
  return rounded.toLocaleString('en', { maximumFractionDigits: 12 }).replace('-', '−');
}

/** A share as a percentage: 0.1234 is "12.3%". */
export function percent(share: number): string {
  return `${number(100 * share)}%`;
}

export function signed(value: number, write: (value: number) => string): string {
  return value > 0 ? `+${write(value)}` : write(value);
}

/** A number with its noun: "1 document", "2,000 documents". */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${number(amount)} ${amount === 1 ? one : many}`;
}

/** "1.2 s", "340 ms". */
export function duration(milliseconds: number): string {
  return milliseconds >= 1000 ? `${number(milliseconds / 1000)} s` : `${Math.round(milliseconds)} ms`;
}

export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > most / 2 ? space : most).replace(/[\ud800-\udbff]$/, '')}…`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** The day in UTC: "2 Oct 2025". Text that is no date is returned unchanged. */
export function day(iso: string): string {
  return formatted(iso, DAY);
}

/** Local date and time: "22 Nov 2026, 03:20". Text that is no date is returned unchanged. */
export function moment(iso: string): string {
  return formatted(iso, MOMENT);
}

/** Local time: "03:20:14". */
export function timeOfDay(at: Date): string {
  return TIME.format(at);
}

function formatted(iso: string, format: Intl.DateTimeFormat): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : format.format(date);
}
