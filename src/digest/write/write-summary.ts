import type { LeftOutReason, Summary, SummarySentence, WritingReport } from '../../contract/index.ts';
import type { ModelCallError } from '../../models/index.ts';
import { fitToWords } from '../../selection/index.ts';
import {
  type ComposeInput,
  compose,
  countWords,
  type Draft,
  type DraftSentence,
  framingReserve,
  type Held,
  holdPoints,
  type Intent,
  maxWording,
  type OnSentence,
  outlineOf,
  quotedOnce,
  rewrite,
  type SelectedPoint,
  sentenceLimit,
  type Verifier,
  type Writer,
} from '../../summary/index.ts';

/** A summary, and how it came about. */
export interface Written {
  readonly summary: Summary;
  readonly writer: string;
  readonly report: WritingReport | null;
  /** What is asked, with what was found answered. */
  readonly intent: Intent | null;
  /** The selected points, in rank order. */
  readonly stated: readonly SelectedPoint[];
  /** How the points stand that a language model worded, by id, where they were held against their quotes. */
  readonly held: Readonly<Record<string, Held>>;
  /** Whether a model that was to write failed. */
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

interface WritingOptions {
  /** Null: every point in its own wording. */
  readonly writer: { readonly name: string; readonly writer: Writer } | null;
  readonly verifier: Verifier;
  /** Why a judge failed that was asked before; null where none did. */
  readonly unjudged: string | null;
  /** Whether the answer holds what the writer wrote, as it came. */
  readonly keepsDraft: boolean;
  readonly onSentence: OnSentence | undefined;
}

/** Writes the summary; where a model that was asked wrote nothing, every point stands in its own wording. */
export async function writeSummary(input: ComposeInput, options: WritingOptions): Promise<Written> {
  const { verifier, keepsDraft, onSentence } = options;
  if (options.writer === null || input.points.length === 0) {
    return composed(input, options, { report: null, warnings: [], isDegraded: false });
  }
  const { name, writer } = options.writer;
  const outline = outlineOf(input);
  const buffered = heldBack(writer, onSentence ?? (() => {}));
  const { summary, intent, isRefused, held, report, parts, failures, unjudged } = await rewrite(
    input,
    buffered.writer,
    { verifier, keepsDraft, onSentence: buffered.onSentence },
    outline,
  );
  const isDegraded = failures.length + unjudged.length > 0;
  const poor = isRefused ? [] : poorText(report, isDegraded);
  const warnings = [
    ...failedText(failures),
    ...unjudgedText(unjudged[0]?.message),
    ...(keepsDraft && parts > 1
      ? [`The key points did not fit one prompt: the model wrote the text in ${parts} parts.`]
      : []),
    ...poor,
  ];
  if (report.drafted === 0 && !isRefused) {
    const { input: within, leftOut } = withinBounds(input);
    return composed(within, options, { report: { ...report, leftOut }, warnings, isDegraded });
  }
  return {
    summary,
    writer: name,
    report,
    intent,
    stated: outline.points,
    held: Object.fromEntries(held),
    isDegraded,
    warnings: [...warnings, ...tooLongText(summary, input)],
  };
}

/** Every point in its own wording, as far as its quotes bear that out. */
async function composed(
  input: ComposeInput,
  { verifier, unjudged, onSentence }: WritingOptions,
  { report, warnings, isDegraded }: Pick<Written, 'report' | 'warnings' | 'isDegraded'>,
): Promise<Written> {
  // A model that just failed is not asked to judge.
  const { points, failures } = await holdPoints(
    input.points,
    input.documents,
    isDegraded ? { mode: 'rules' } : verifier,
  );
  const why = unjudged ?? failures[0]?.message;
  const merged = quotedOnce({ ...input, points });
  const outline = outlineOf(merged);
  const summary = compose(merged, outline);
  for (const sentence of summary.sentences) onSentence?.(sentence);
  const held = points.flatMap(({ id, text, isWorded, verification = 'verbatim' }) =>
    isWorded === true ? [[id, { text, verification }] as const] : [],
  );
  return {
    summary,
    writer: 'compose',
    report,
    intent: input.intent,
    stated: outline.points,
    held: Object.fromEntries(held),
    isDegraded: isDegraded || why !== undefined,
    warnings: [...warnings, ...unjudgedText(why), ...tooLongText(summary, input)],
  };
}

/** Of points that a writer was to choose from, those that are told where it wrote nothing: the best that have room. */
function withinBounds(input: ComposeInput): {
  readonly input: ComposeInput;
  readonly leftOut: WritingReport['leftOut'];
} {
  const { points, similarity, maxWords, format } = input;
  const n = points.length;
  const helping = [...points.keys()].filter((index) => points[index].helps ?? true);
  const words = helping.map((index) => maxWording(points[index]));
  const fitting = fitToWords(words, maxWords, framingReserve(input)).map((place) => helping[place]);
  const kept = fitting.slice(0, sentenceLimit(format) ?? n);
  const reasonOf = (index: number): LeftOutReason => {
    if (!helping.includes(index)) return 'level';
    return fitting.includes(index) ? 'sentences' : 'words';
  };
  return {
    input: {
      ...input,
      points: kept.map((index) => points[index]),
      similarity: Float64Array.from(kept.flatMap((a) => kept.map((b) => similarity[a * n + b]))),
    },
    leftOut: points.flatMap(({ id }, index) =>
      kept.includes(index) ? [] : [{ keyPoint: id, reason: reasonOf(index) }],
    ),
  };
}

/** Tells of sentences once a draft has begun: where none does, the text is composed as a whole. */
function heldBack(
  writer: Writer,
  onSentence: OnSentence,
): { readonly writer: Writer; readonly onSentence: OnSentence } {
  const held: SummarySentence[] = [];
  let isBegun = false;
  async function* telling({ sentences }: Draft): AsyncGenerator<DraftSentence> {
    for await (const sentence of sentences) {
      isBegun = true;
      for (const early of held.splice(0)) onSentence(early);
      yield sentence;
    }
  }
  return {
    writer: {
      ...writer,
      drafts: (material) => writer.drafts(material).map((draft) => ({ ...draft, sentences: telling(draft) })),
    },
    onSentence: (sentence) => {
      if (isBegun) onSentence(sentence);
      else held.push(sentence);
    },
  };
}

function failedText([failure]: readonly ModelCallError[]): string[] {
  if (failure === undefined) return [];
  return [`The writer failed; what it did not write is quoted from the documents: ${failure.message}`];
}

function unjudgedText(why: string | undefined): string[] {
  if (why === undefined) return [];
  return [`The judge failed; what it did not check is quoted from the documents: ${why}`];
}

/** Says why a text passes its bound on words, which only what has to be told does. */
function tooLongText({ sentences }: Summary, { maxWords }: ComposeInput): string[] {
  const words = sentences.reduce((sum, { text }) => sum + countWords(text), 0);
  if (maxWords === null || words <= maxWords) return [];
  const why = sentences.some(({ framing }) => framing)
    ? 'it must say what the documents do not answer'
    : 'no relevant key point is short enough, so the shortest is used';
  return [`The summary has ${words} words; the limit was ${maxWords}: ${why}.`];
}

/** Share of a draft below which the model made the digest no better than it would be without. */
const POOR = 0.5;

/** Says where a model was of little use: its sentences were mostly not what the quotes say. */
function poorText({ drafted, kept, judged, mended, tooMany }: WritingReport, isFailed: boolean): string[] {
  const good = kept + judged + mended;
  const maxKept = drafted - tooMany;
  if (drafted === 0) {
    return isFailed ? [] : ['The language model wrote nothing; the summary quotes the documents.'];
  }
  if (good >= POOR * maxKept) return [];
  const held = good === 0 ? 'None' : `Only ${good}`;
  const sentences = maxKept === 1 ? 'one sentence' : `${maxKept} sentences`;
  return [
    `${held} of the ${sentences} that the language model wrote could be kept; the rest of the summary quotes the documents. The writer "compose" would work as well.`,
  ];
}
