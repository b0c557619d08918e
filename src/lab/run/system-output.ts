import type { Digest } from '../../contract/index.ts';
import { mean, readBullet } from '../../evaluation/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../models/index.ts';
import { meanSupport } from '../../server/index.ts';
import { countWords, type Drafted } from '../../summary/index.ts';
import type { SourceDocument } from '../../text/index.ts';
import type { BenchmarkCase, Collection, PassageSpan } from '../benchmark-set.ts';
import type { Figures } from '../results/metrics.ts';
import type { GivenOutput } from './system.ts';

export interface SystemOutput {
  readonly sentences: readonly OutputSentence[];
  /** Quotes of the selected key points, by rank; null if unknown. */
  readonly picks: readonly PassageSpan[] | null;
  /** Null if the system decides. */
  readonly asked: number | null;
  readonly given: readonly string[];
  readonly figures: Figures;
  readonly isPartial: boolean;
  /** None of the documents could be read: an empty answer, listed as failed. */
  readonly isUnread?: true | undefined;
  readonly usage: CallUsage;
  /** The model's unedited text; null if there is none or it was not kept. */
  readonly draft: readonly OutputSentence[] | null;
  readonly warnings: readonly string[];
}

interface OutputSentence {
  readonly text: string;
  readonly documents: readonly string[];
  readonly quote: PassageSpan | null;
}

export function outputOfFile(
  { sentences, given, cost, picks, asked = null }: GivenOutput,
  { documents }: Collection,
): SystemOutput {
  const known = new Set(documents.map(({ id }) => id));
  const read = sentences
    .map((sentence) => {
      const quote = typeof sentence === 'string' ? null : (sentence.quote ?? null);
      return { ...readBullet(sentence, known), quote };
    })
    .filter(({ text }) => text !== '');
  const quotes = read.flatMap(({ quote }) => quote ?? []);
  const ids = given ?? documents.map(({ id }) => id);
  const cited = new Set(read.flatMap((sentence) => sentence.documents).filter((id) => ids.includes(id)));
  const inputWords = wordsOf(documents.filter(({ id }) => ids.includes(id)));
  return {
    sentences: read,
    picks: picks ?? (quotes.length > 0 ? quotes : null),
    ...{ asked, given: ids, isPartial: false, usage: NO_USAGE, draft: null, warnings: [] },
    figures: {
      'input.words': inputWords,
      'digest.citedDocuments': ids.length === 0 ? null : cited.size / ids.length,
      ...lengthsOf(read, inputWords),
      'digest.cost': cost ?? null,
    },
  };
}

function lengthsOf(sentences: readonly OutputSentence[], inputWords: number | null): Figures {
  const lengths = sentences.map(({ text }) => countWords(text));
  const words = lengths.reduce((sum, each) => sum + each, 0);
  return {
    'digest.compression': inputWords ? words / inputWords : null,
    'digest.words': words,
    'digest.wordsPerSentence': mean(lengths),
  };
}

/**
 * @param given documents in the order sent
 * @param asked requested number of key points; null if the strategy decides
 * @param drafted what the model wrote, if one did
 */
export function outputOfDigest(
  digest: Digest,
  given: readonly SourceDocument[],
  asked: number | null,
  drafted: readonly Drafted[] = [],
): SystemOutput {
  const { summary, keyPoints } = digest;
  const spans = new Map(
    keyPoints.flatMap(({ id, document, quote }): [string, PassageSpan][] =>
      quote.status === 'unverified' ? [] : [[id, { document, start: quote.start, end: quote.end }]],
    ),
  );
  const picked = keyPoints.filter(({ selected }) => selected).toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return {
    sentences: summary.sentences
      .filter(({ framing }) => !framing)
      .map(({ text, citations, keyPoints: [first] }) => ({
        text,
        documents: [...new Set(citations.map(({ document }) => document))],
        quote: (first !== undefined && spans.get(first)) || null,
      })),
    picks: picked.flatMap(({ id }) => spans.get(id) ?? []),
    ...{ asked, given: given.map(({ id }) => id), usage: digest.usage, warnings: digest.warnings },
    figures: { ...figuresOfDigest(digest), 'input.words': wordsOf(given) },
    isPartial: digest.status === 'partial',
    draft: digest.writing === null ? null : drafted.map(draftSentence),
  };
}

function draftSentence({ text, documents, citation }: Drafted): OutputSentence {
  if (citation === null) return { text, documents, quote: null };
  const { document, quote } = citation;
  return { text, documents, quote: { document, start: quote.start, end: quote.end } };
}

/**
 * What labels say of the given documents: their insights, or else their key points or answers, each cited to all given documents that
 * tell it. Its scores are the highest that a writer can reach with these documents.
 */
export function perfectOutput(
  { insights, keyPoints, questions = [], passages = [] }: BenchmarkCase,
  given: readonly SourceDocument[],
): SystemOutput {
  const lengths = new Map(given.flatMap(({ id, text }) => (text.trim() === '' ? [] : [[id, text.length] as const])));
  const isGiven = ({ document, end }: PassageSpan) => end <= (lengths.get(document) ?? -1);
  const told = insights?.length
    ? insights.map(({ id, text, documents = [] }) => ({
        text,
        documents,
        spans: passages.filter((passage) => passage.insights?.includes(id)),
      }))
    : keyPoints?.length
      ? keyPoints.map(({ text, spans = [] }) => ({ text, documents: spans.map(({ document }) => document), spans }))
      : questions.map(({ question, answer, document }) => {
          return { text: `${question} ${answer}`, documents: [document], spans: [] };
        });
  const sentences = told.flatMap(({ text, documents, spans }): OutputSentence[] => {
    // A document that was cut tells only what stands in its beginning.
    const there = [...new Set(documents)].filter((id) => {
      const own = spans.filter(({ document }) => document === id);
      return lengths.has(id) && (own.length === 0 || own.some(isGiven));
    });
    const quote = spans.find(isGiven);
    if (there.length === 0) return [];
    return [
      {
        text,
        documents: there,
        quote: quote ? { document: quote.document, start: quote.start, end: quote.end } : null,
      },
    ];
  });
  const inputWords = wordsOf(given);
  return {
    sentences,
    picks: sentences.flatMap(({ quote }) => quote ?? []),
    ...{ asked: null, given: given.map(({ id }) => id), isPartial: false, usage: NO_USAGE, draft: null, warnings: [] },
    figures: { 'input.words': inputWords, ...lengthsOf(sentences, inputWords) },
  };
}

export function unreadOutput(given: readonly SourceDocument[]): SystemOutput {
  return {
    ...{ sentences: [], picks: [], asked: null, given: given.map(({ id }) => id), draft: null },
    figures: { 'input.words': wordsOf(given), 'digest.selected': 0, 'digest.words': 0 },
    ...{ isPartial: true, isUnread: true, usage: NO_USAGE },
    warnings: ['None of the documents could be read: an empty answer, which counts in all means.'],
  };
}

/** The output with its draft as text, if any, without what describes the summary. */
export function asDrafted(output: SystemOutput): SystemOutput {
  const { draft, given, figures } = output;
  if (draft === null) return output;
  const cited = new Set(draft.flatMap(({ documents }) => documents));
  return {
    ...output,
    sentences: draft,
    picks: draft.flatMap(({ quote }) => quote ?? []),
    figures: {
      ...figures,
      'digest.citedDocuments': cited.size === 0 || given.length === 0 ? null : cited.size / given.length,
      'digest.support': null,
      ...lengthsOf(draft, figures['input.words']),
    },
  };
}

/** Documents of which nothing was shown count in the shares of documents, and are named. */
export function withBlanks(
  output: SystemOutput,
  given: readonly SourceDocument[],
  shown: readonly SourceDocument[],
): SystemOutput {
  const shares = ['digest.documentCoverage', 'digest.citedDocuments'].map((key): [string, number | null] => {
    const share = output.figures[key] ?? null;
    return [key, share === null ? null : (share * shown.length) / given.length];
  });
  const blank = given.filter((document) => !shown.includes(document)).map(({ id }) => id);
  const warning = `Nothing of these documents was shown, and they count as given: ${blank.join(', ')}.`;
  return {
    ...output,
    figures: { ...output.figures, ...Object.fromEntries(shares) },
    warnings: [...output.warnings, warning],
  };
}

export function withoutPlaces(output: SystemOutput): SystemOutput {
  const sentences = output.sentences.map((sentence) => ({ ...sentence, quote: null }));
  return { ...output, sentences, picks: null };
}

function wordsOf(documents: readonly SourceDocument[]): number {
  return documents.reduce((sum, { text }) => sum + countWords(text), 0);
}

/** Stages that arms do not share: arms share reading and encoding. */
const OWN_STAGES = ['select', 'write', 'judge'] as const;

function figuresOfDigest({ metrics, summary, keyPoints, usage: { stages } }: Digest): Figures {
  const spent = OWN_STAGES.map((stage) => stages[stage] ?? NO_USAGE).reduce<CallUsage>(addUsage, NO_USAGE);
  const figures = {
    selected: keyPoints.filter(({ selected }) => selected).length,
    ...metrics,
    support: meanSupport(summary),
    tokens: spent.promptTokens + spent.completionTokens,
    cost: spent.cost,
  };
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [`digest.${name}`, figure]));
}
