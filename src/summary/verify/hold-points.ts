import type { Verification } from '../../contract/index.ts';
import { ModelCallError } from '../../models/index.ts';
import { sentences, tidy } from '../../text/index.ts';
import { countWords } from '../count-words.ts';
import type { DescribedDocument, Passage, SelectedPoint } from '../input.ts';
import { type Shown, sentenceText } from '../sentence-text.ts';
import { type Claim, judgeTwice, type Verifier } from './judge-twice.ts';

export interface Held {
  readonly text: string;
  readonly verification: Verification;
}

type Holdable = Pick<
  SelectedPoint,
  | 'text'
  | 'document'
  | 'quote'
  | 'moreQuotes'
  | 'inContext'
  | 'opening'
  | 'earlier'
  | 'speaker'
  | 'isWorded'
  | 'verification'
>;

export function passageOf(
  { document: id, quote, moreQuotes = [], inContext, opening, earlier, speaker }: Holdable,
  document: Omit<DescribedDocument, 'id'> | undefined,
): Passage {
  return {
    document: id,
    quotes: inContext ?? [quote, ...moreQuotes],
    title: document?.title,
    opening,
    earlier,
    publishedAt: document?.publishedAt,
    speaker,
  };
}

/** Whether a text is verbatim in each passage: a quote or whole sentences of one, with no other speaker's name. */
export function isQuoted(text: string, passages: readonly Passage[]): boolean {
  return passages.every(({ quotes, speaker }) => {
    const speakers = speaker === undefined ? [] : [speaker];
    return isVerbatim(
      text,
      quotes.map((quote) => quote.text),
      speakers,
    );
  });
}

export function quotedText({ quote }: Pick<SelectedPoint, 'quote'>): string {
  return tidy(quote.text);
}

/** Maximum number of words that a point may take: a quote may replace a model's wording. */
export function maxWordCount(point: Shown & Pick<SelectedPoint, 'quote' | 'isWorded'>): number {
  const own = countWords(sentenceText(point));
  if (point.isWorded !== true) return own;
  return Math.max(own, countWords(sentenceText({ ...point, text: quotedText(point) })));
}

/**
 * Verifies model-worded points against their quotes; the quote replaces a rejected wording, also if the judge fails.
 * @returns the verified points, and the calls that failed after all retries
 */
export async function holdPoints<Point extends Holdable>(
  points: readonly Point[],
  documents: readonly DescribedDocument[],
  verifier: Verifier,
): Promise<{ readonly points: readonly Point[]; readonly failures: readonly ModelCallError[] }> {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const claims = new Map<Point, Claim>();
  for (const point of points) {
    if (point.isWorded !== true || point.verification !== undefined) continue;
    claims.set(point, { text: point.text, passages: [passageOf(point, byId.get(point.document))] });
  }
  const { held, failures } = await holdClaims([...claims.values()], verifier);
  const verificationOf = new Map([...claims.keys()].map((point, index) => [point, held[index]]));
  return {
    points: points.map((point) => {
      if (!verificationOf.has(point)) return point;
      const verification = verificationOf.get(point) ?? null;
      if (verification === null) return { ...point, text: quotedText(point), verification: 'verbatim' };
      return { ...point, verification };
    }),
    failures,
  };
}

async function holdClaims(
  claims: readonly Claim[],
  verifier: Verifier,
): Promise<{ readonly held: readonly (Verification | null)[]; readonly failures: readonly ModelCallError[] }> {
  const own = claims.map(({ text, passages }): Verification | null => {
    if (isQuoted(text, passages)) return 'verbatim';
    return verifier.mode === 'off' ? 'unverified' : null;
  });
  if (verifier.mode !== 'judge') return { held: own, failures: [] };
  const open = [...own.keys()].filter((c) => own[c] === null);
  const held = [...own];
  try {
    await judgeTwice(
      open.map((c) => claims[c]),
      verifier.judge,
      (place, { supported }) => {
        if (supported) held[open[place]] = 'judged';
      },
    );
    return { held, failures: [] };
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    return { held, failures: [failure] };
  }
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛`´]/gu, "'")
    .replace(/[“”„‟«»]/gu, '"')
    .replace(/\s*[—―]\s*/gu, ' - ')
    .replace(/[‐-―−]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^["'\s]+|[\s\p{Sentence_Terminal}…"']+$/gu, '');
}

/**
 * Whether a text is verbatim: the quote or whole sentences of it, with or without the speaker's name.
 * @param speakers names that may precede it with a colon
 */
export function isVerbatim(text: string, quotes: readonly string[], speakers: readonly string[]): boolean {
  const speaker = speakers.find((name) => name !== '' && text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const targets = [text, ...(speaker === undefined ? [] : [text.slice(speaker.length + 1)])]
    .map(folded)
    .filter((candidate) => candidate !== '');
  return quotes.some((quote) => {
    const whole = folded(quote);
    return targets.some(
      (candidate) => whole === candidate || (whole.includes(candidate) && isRunOfSentences(candidate, quote)),
    );
  });
}

function isRunOfSentences(candidate: string, quote: string): boolean {
  const spans = sentences(quote);
  return spans.some((first, i) => {
    for (const last of spans.slice(i)) {
      const run = folded(quote.slice(first.start, last.end));
      if (run.length >= candidate.length) return run === candidate;
    }
    return false;
  });
}
