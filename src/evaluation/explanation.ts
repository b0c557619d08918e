/** How an answer came about, as tables and lists to be shown: no markup, and every text as it stands in what was scored. */
export type Explanation = readonly Section[];

export type Section =
  | { readonly heading: string; readonly text: string }
  | { readonly heading: string; readonly items: readonly Item[]; readonly whenEmpty: string }
  | Table;

/** An item of a numbered list, and below it what became of it. */
export interface Item {
  readonly text: Part;
  readonly note: string;
}

interface Table {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether its last column is a curve of bars. */
  readonly isCurve?: true;
}

export interface Cell {
  readonly parts: readonly Part[];
  /** Whether it names its row. */
  readonly isHead?: true;
  /** Whether it holds sentences. */
  readonly isWide?: true;
}

export type Tone = 'good' | 'half' | 'bad' | '';

/** A piece of a cell: plain text, or what stands out of it. */
export type Part =
  | string
  | { readonly badge: string; readonly tone: Tone }
  | { readonly muted: string }
  /** Below the rest. */
  | { readonly note: string }
  /** Words of a text that decide; null if none do. */
  | { readonly quote: string | null }
  /** A bar, from 0 to 100. */
  | { readonly bar: number }
  | { readonly line: readonly Part[] }
  | { readonly groups: readonly { readonly name: string; readonly badges: readonly string[]; readonly tone: Tone }[] };

/** Scores from which the embedded judge decides. */
export interface Thresholds {
  /** From where an insight is half covered, and from where in full. */
  readonly half: number;
  readonly full: number;
  /** From where a text entails a claim, if it does not tell other numbers or names. */
  readonly holds: number;
}

export function cell(...parts: Part[]): Cell {
  return { parts };
}

export function wideCell(...parts: Part[]): Cell {
  return { parts, isWide: true };
}

/** A cell that names its row, with sentences in it. */
export function rowHead(...parts: Part[]): Cell {
  return { parts, isHead: true, isWide: true };
}

export function badge(text: string, tone: Tone): Part {
  return { badge: text, tone };
}

export function yesOrNo(isSo: boolean): Part {
  return isSo ? badge('yes', 'good') : badge('no', 'bad');
}

/** A share or a score; a dash where there is none. */
export function number(value: number | null, digits = 1): string {
  return value === null ? '–' : fixed(value, digits);
}

/** Without a sign before zero. */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text;
}
