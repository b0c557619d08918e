import type { DigestEntry } from '../../client/index.ts';

/** What a digest's status is called, with a sign that says the same. */
export const STATUS_WORDS: Readonly<Record<DigestEntry['status'], { readonly word: string; readonly sign: string }>> = {
  queued: { word: 'Waiting', sign: '…' },
  running: { word: 'In progress', sign: '▸' },
  completed: { word: 'Done', sign: '✓' },
  partial: { word: 'Partly done', sign: '◐' },
  failed: { word: 'Failed', sign: '✕' },
  cancelled: { word: 'Cancelled', sign: '–' },
};

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en-US')} ${amount === 1 ? one : many}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** A number as people read it: three digits that matter, none behind the point from 100 on. */
export function rounded(value: number): string {
  return value.toLocaleString(
    'en-US',
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );
}

/** "1.2 s", "340 ms". */
export function duration(milliseconds: number): string {
  return milliseconds >= 1000 ? `${rounded(milliseconds / 1000)} s` : `${Math.round(milliseconds)} ms`;
}

/** At most so many characters of a text, cut between words. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > most / 2 ? space : most).replace(/[\ud800-\udbff]$/, '')}…`;
}
