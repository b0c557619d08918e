import type { Verification } from '../../contract/index.ts';
import { ModelCallError } from '../../models/index.ts';
import { escapeMarkers, sentences, tidy } from '../../text/index.ts';
import type { DescribedDocument, Passage, SelectedPoint } from '../input.ts';
import { countWords, type Shown, sentenceText } from '../sentence-text.ts';
import { type Claim, judgeTwice, type Verifier } from './judge-twice.ts';

export interface Held {
  readonly text: string;
  readonly verification: Verification;
}

type Holdable = Omit<
  SelectedPoint,
  'id' | 'relevance' | 'salience' | 'rank' | 'facet' | 'supports' | 'related' | 'under' | 'selfContained' | 'helps'
>;

export function passageOf(
  { document: id, quote, moreQuotes = [], inContext, within, opening, earlier, speaker }: Holdable,
  document: Omit<DescribedDocument, 'id'> | undefined,
): Passage {
  return {
    document: id,
    quotes: inContext ?? [quote, ...moreQuotes],
    within,
    title: document?.title,
    opening,
    earlier,
    publishedAt: document?.publishedAt,
    speaker,
  };
}

/** Whether a text is verbatim in each passage: a quote or whole sentences of one, with no other speaker's name. */
export function isQuoted(text: string, passages: readonly Passage[]): boolean {
  return passages.every(({ quotes, speaker = '' }) =>
    isVerbatim(
      text,
      quotes.map((quote) => quote.text),
      [speaker],
    ),
  );
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
 * @returns the verified points, and the judging call that failed after all retries
 */
export async function holdPoints<Point extends Holdable>(
  points: readonly Point[],
  documents: readonly DescribedDocument[],
  verifier: Verifier,
): Promise<{ readonly points: readonly Point[]; readonly failure: ModelCallError | null }> {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const worded = points.filter(({ isWorded, verification }) => isWorded === true && verification === undefined);
  const held = new Map<Point, Verification>();
  const open: { readonly point: Point; readonly claim: Claim }[] = [];
  for (const point of worded) {
    const passages = [passageOf(point, byId.get(point.document))];
    if (isQuoted(point.text, passages)) held.set(point, 'verbatim');
    else if (verifier.mode === 'off') held.set(point, 'unverified');
    else open.push({ point, claim: { text: point.text, passages } });
  }
  let failure: ModelCallError | null = null;
  if (verifier.mode === 'judge') {
    const claims = open.map(({ claim }) => claim);
    try {
      await judgeTwice(claims, verifier.judge, (place, { supported }) => {
        if (supported) held.set(open[place].point, 'judged');
      });
    } catch (thrown) {
      if (!(thrown instanceof ModelCallError)) throw thrown;
      failure = thrown;
    }
  }
  const quoted = new Set(worded.filter((point) => !held.has(point)));
  return {
    points: points.map((point) =>
      quoted.has(point)
        ? { ...point, text: quotedText(point), verification: 'verbatim' }
        : { ...point, verification: held.get(point) ?? point.verification },
    ),
    failure,
  };
}

function plain(text: string): string {
  return escapeMarkers(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛`´]/gu, "'")
    .replace(/[“”„‟«»]/gu, '"')
    .replace(/[—―]/gu, ' - ')
    .replace(/[‐-―−]/gu, '-')
    .replace(/[\s|]+/gu, ' ');
}

const OPENING = /^["'\s]+/u;
/** The lookbehind lets only the first mark of a run begin, so that time is linear. */
const CLOSING = /(?<![\s\p{Sentence_Terminal}…"'])[\s\p{Sentence_Terminal}…"']+$/u;

function folded(text: string): string {
  return plain(text).trim().replace(OPENING, '').replace(CLOSING, '');
}

/**
 * Whether a text is verbatim: the quote or whole sentences of it, with or without the speaker's name.
 * @param speakers names that may precede it with a colon
 */
export function isVerbatim(text: string, quotes: readonly string[], speakers: readonly string[]): boolean {
  const speaker = speakers.find((name) => name !== '' && text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const targets = [text, text.slice(speaker === undefined ? 0 : speaker.length + 1)].map(folded).filter(Boolean);
  return quotes.some((quote) => {
    const whole = folded(quote);
    return targets.some((target) => whole === target || (whole.includes(target) && isRunOfSentences(target, quote)));
  });
}

/** Folds the quote once, with the places where its sentences begin and end in it. */
function isRunOfSentences(candidate: string, quote: string): boolean {
  const parts: string[] = [];
  let [length, isSpaced] = [0, false];
  const put = (part: string) => {
    const more = isSpaced ? part.trimStart() : part;
    isSpaced = more === '' ? isSpaced : more.endsWith(' ');
    length += more.length;
    parts.push(more);
  };
  const [starts, ends] = [new Set<number>(), new Set<number>()];
  let at = 0;
  for (const { start, end } of sentences(quote)) {
    const own = plain(quote.slice(start, end));
    put(plain(quote.slice(at, start)));
    put(own);
    starts.add(length - own.replace(OPENING, '').length);
    ends.add(length - own.length + own.replace(CLOSING, '').length);
    at = end;
  }
  const whole = parts.join('');
  return [...starts].some((start) => ends.has(start + candidate.length) && whole.startsWith(candidate, start));
}
