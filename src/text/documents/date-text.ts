const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Characters of an ISO date. */
const DAY = 10;

/**
 * "Thursday 19 May 2011" of an ISO date or date-time, the same in every runtime: the day where it was written, which "yesterday" counts
 * from, whatever it was in Greenwich. What cannot be read stays as it is.
 */
export function dateText(iso: string): string {
  const date = new Date(iso.slice(0, DAY));
  if (Number.isNaN(date.getTime())) return iso;
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
