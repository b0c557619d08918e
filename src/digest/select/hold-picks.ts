import { type Held, holdPoints, type SelectedPoint, type Verifier } from '../../summary/index.ts';
import { earlierSentence, leaning, openingOf, STOP_WORDS, sentences, surroundingText } from '../../text/index.ts';
import type { Point } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';

interface HeldPicks {
  /** By item; neither verdicts nor failures are retried. */
  readonly held: ReadonlyMap<number, Held>;
  /** Items with an unsupported wording and a quote that is incomprehensible alone; empty if the judge failed. */
  readonly lost: ReadonlySet<number>;
  readonly unjudged: string | null;
}

/**
 * Checks model-written picks (indices into `points`) against their quotes. A quote that replaces a wording may be incomprehensible alone:
 * "They are pulling out shovels" needs the sentence before it.
 */
export async function holdPicks(
  picks: readonly number[],
  points: readonly Point[],
  documents: readonly ReadDocument[],
  verifier: Verifier,
): Promise<HeldPicks> {
  const inContext = quotesInContext(documents);
  type Worded = Point & Pick<SelectedPoint, 'inContext' | 'opening' | 'earlier' | 'isWorded' | 'verification'>;
  const worded = picks.map((item): Worded => ({ ...points[item], ...inContext(points[item]), isWorded: true }));
  const originals = documents.map(({ document }) => document);
  const { points: held, failure } = await holdPoints(worded, originals, verifier);
  const isLost = (place: number): boolean => {
    const point = held[place];
    return point.text !== worded[place].text && leansBack(point, documents);
  };
  return {
    held: new Map(
      picks.map((item, place) => {
        const { text, verification = 'verbatim' } = held[place];
        return [item, { text, verification }];
      }),
    ),
    lost: new Set(failure !== null ? [] : picks.filter((_, place) => isLost(place))),
    unjudged: failure?.message ?? null,
  };
}

export function leansBack(
  { text, documentIndex }: Pick<Point, 'text' | 'documentIndex'>,
  documents: readonly ReadDocument[],
): boolean {
  const english = documents[documentIndex].extraction?.language === 'eng';
  return leaning(text, { english, lower: false }) !== 'none';
}

const NAMING = /^(?:\p{Lu}\p{L}{2,}|\d{2,})/u;

/** Quotes for a judge, with the text around, the opening of the document, and the nearest earlier sentence with missing names. */
export function quotesInContext(
  documents: readonly ReadDocument[],
): (point: Point) => Pick<SelectedPoint, 'inContext' | 'opening' | 'earlier'> {
  const known = new Map<number, ReturnType<typeof sentences>>();
  return ({ documentIndex, text: wording, speaker = '', quote, moreQuotes }) => {
    const { text, title = '' } = documents[documentIndex].document;
    const all = known.get(documentIndex) ?? sentences(text);
    known.set(documentIndex, all);
    const quotes = [quote, ...moreQuotes];
    const inContext = quotes.map((each) => ({ text: each.text, ...surroundingText(text, each, all) }));
    const from = Math.min(...inContext.map(({ before }, q) => quotes[q].start - before.length));
    const opening = from <= (all[0]?.start ?? 0) ? undefined : openingOf(text, all);
    const around = inContext.map(({ before, text: own, after }) => before + own + after);
    const shown = wordsOf([title, speaker, opening ?? '', ...around].join(' ').toLowerCase());
    const isMissing = (word: string): boolean => !shown.has(word.toLowerCase()) && !STOP_WORDS.has(word.toLowerCase());
    const missing = [...wordsOf(wording)].filter((word) => NAMING.test(word) && isMissing(word));
    return { inContext, opening, earlier: earlierSentence(text, missing, from, all) };
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}]+/gu));
}
