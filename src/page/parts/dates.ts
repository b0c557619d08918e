const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** A date of a document, whose day is the one it was given: "2 Oct 2025"; what is no date stays as it is. */
export function day(iso: string): string {
  return told(iso, DAY);
}

/** When something happened, by the reader's clock: "22 Nov 2026, 03:20"; what is no date stays as it is. */
export function moment(iso: string): string {
  return told(iso, MOMENT);
}

/** A time of today, by the reader's clock: "03:20:14". */
export function timeOfDay(at: Date): string {
  return TIME.format(at);
}

function told(iso: string, format: Intl.DateTimeFormat): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : format.format(date);
}
