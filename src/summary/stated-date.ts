const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const DATE = new RegExp(
  `\\b(?:(?<iso>(?:19|20)\\d\\d-\\d\\d(?:-\\d\\d)?)|(?:(?<day>\\d{1,2}) )?(?<month>${MONTHS.join('|')})(?: (?<after>\\d{1,2}),?)? (?<year>(?:19|20)\\d\\d)|(?<bare>(?:19|20)\\d\\d))\\b(?![.,]\\d| (?:euros?|dollars?|people|percent)\\b)`,
  'giu',
);

/** The one date that a text states, as far as it says it ("2026", "2026-03", "2026-03-14"); null for none and for several. */
export function statedDate(text: string): string | null {
  const dates = new Set([...text.matchAll(DATE)].map(({ groups = {} }) => dateOf(groups)));
  const [date] = dates;
  return dates.size === 1 && date !== undefined ? date : null;
}

function dateOf({ iso, day, month, after, year, bare }: Partial<Record<string, string>>): string {
  if (month === undefined || year === undefined) return iso ?? bare ?? '';
  const number = `${MONTHS.indexOf(month.toLowerCase()) + 1}`.padStart(2, '0');
  const dayOfMonth = day ?? after;
  return `${year}-${number}${dayOfMonth === undefined ? '' : `-${dayOfMonth.padStart(2, '0')}`}`;
}
