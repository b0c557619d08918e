export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly kind: 'word' | 'number' | 'symbol';
  /** Offsets into the text that was read. */
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /(?<ordinal>\d+(?:st|nd|rd|th)\b)|(?<number>\d+(?:,\d{3})*(?:\.\d+)?)|(?<word>\p{L}(?:[\p{L}\p{M}\p{N}]|['’-](?=\p{L}|\p{N}))*)|(?<symbol>[^\s])/gu;

/** Splits a text into words, numbers and symbols. "60-day" is a number, a hyphen and a word; "n't" stays with its verb. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const kind = match.groups?.number ? 'number' : match.groups?.symbol ? 'symbol' : 'word';
    const lower = match[0].toLowerCase().replaceAll('’', "'");
    tokens.push({ text: match[0], lower, kind, start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}
