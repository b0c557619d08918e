/** Explains an answer in tables and lists, without markup; texts are exact. */
export type Explanation = readonly Section[];

export type Section =
  | { readonly heading: string; readonly text: string }
  | { readonly heading: string; readonly items: readonly Item[]; readonly whenEmpty: string }
  | Table;

export interface Item {
  readonly text: Part;
  readonly note: string;
}

interface Table {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly isCurve?: true;
}

export interface Cell {
  readonly parts: readonly Part[];
  readonly isHead?: true;
  readonly isWide?: true;
}

export type Tone = 'good' | 'half' | 'bad' | '';

export type Part =
  | string
  | { readonly badge: string; readonly tone: Tone }
  | { readonly muted: string }
  | { readonly note: string }
  | { readonly quote: string | null }
  | { readonly bar: number }
  | { readonly line: readonly Part[] }
  | { readonly groups: readonly { readonly name: string; readonly badges: readonly string[]; readonly tone: Tone }[] };

export interface Thresholds {
  /** Minimum scores of an insight half covered and fully covered. */
  readonly half: number;
  readonly full: number;
  /** Minimum score of an entailed claim, if its numbers and names agree. */
  readonly holds: number;
}

export function cell(...parts: Part[]): Cell {
  return { parts };
}

export function wideCell(...parts: Part[]): Cell {
  return { parts, isWide: true };
}

export function rowHead(...parts: Part[]): Cell {
  return { parts, isHead: true, isWide: true };
}

export function badge(text: string, tone: Tone): Part {
  return { badge: text, tone };
}

export function yesOrNo(isSo: boolean): Part {
  return isSo ? badge('yes', 'good') : badge('no', 'bad');
}

export function number(value: number | null, digits = 1): string {
  return value === null ? '–' : fixed(value, digits);
}

export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text;
}
