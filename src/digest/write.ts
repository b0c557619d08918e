import type { Summary, WritingReport } from '../contract/index.ts';
import {
  type ComposeInput,
  compose,
  type Frame,
  type Held,
  holdPoints,
  type Intent,
  modelWriter,
  type OnSentence,
  onlyPoints,
  outlineOf,
  quotedOnce,
  rewrite,
  type SelectedPoint,
  type Verifier,
  type Writer,
  wordsIn,
} from '../summary/index.ts';
import type { Reading } from './extract/extract.ts';
import { readableDocuments } from './extract/read-documents.ts';
import type { Plan } from './plan.ts';
import { readerOf } from './rank/query.ts';
import type { DigestRanking } from './rank/rank-points.ts';
import type { Question } from './rank/split-intent.ts';
import type { Run } from './run.ts';
import type { Selected } from './select/select.ts';
import { otherPassages, selectedPoints } from './select/selected-points.ts';

export interface Written {
  readonly summary: Summary;
  readonly writer: string;
  readonly report: WritingReport | null;
  readonly intent: Intent | null;
  readonly stated: readonly SelectedPoint[];
  readonly held: Readonly<Record<string, Held>>;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

interface WritingOptions {
  /** Null to keep the wording of the points. */
  readonly writer: { readonly name: string; readonly writer: Writer } | null;
  readonly verifier: Verifier;
  readonly keepsDraft: boolean;
  readonly onSentence: OnSentence | undefined;
  readonly onDrafted?: Run['onDrafted'];
}

/** Writes the summary. Passes on every sentence once, including those of an earlier attempt. */
export async function write(
  run: Run,
  plan: Plan,
  reading: Reading,
  { asked }: Question,
  ranking: DigestRanking,
  selected: Selected,
): Promise<Written> {
  const { options, request } = plan;
  const { documents } = reading;
  const { intent } = ranking;
  // Without a limit, a writer that chooses would use all points.
  const maxWords = options.maxWords ?? (selected.feedsWriter ? options.auto.words : null);
  const points = await run.time('write', () => selectedPoints(plan, reading, ranking, selected));
  const others = plan.readsWhole ? await run.time('write', () => otherPassages(reading, points)) : undefined;
  const known = request.earlier && {
    documents: documents.filter(({ excluded }) => excluded === 'known').length,
    points: selected.known.size,
  };
  const frame: Frame = { intent, format: options.format, documents: readableDocuments(documents), known };
  let told = 0;
  const onSentence: OnSentence | undefined =
    run.onSentence &&
    ((sentence) => {
      told++;
      run.onSentence?.(sentence);
    });
  const key = [
    [ranking.key, asked.facets, asked.language, maxWords, known],
    points.map(({ id, supports, related, helps }) => [id, supports.map(({ keyPoint }) => keyPoint), related, helps]),
  ];
  const written = await run.step('write', 'write', key, () =>
    writeSummary(
      { ...frame, points, others, similarity: selected.selection.pickedSimilarity, maxWords },
      {
        writer: reading.writer ?? modelWriterOf(run, plan, asked, selected, maxWords),
        verifier: plan.verifier,
        keepsDraft: plan.isPublished,
        onSentence,
        // A naive answer is told when it is read.
        onDrafted: plan.naive === null ? run.onDrafted : undefined,
      },
    ),
  );
  for (const sentence of written.summary.sentences.slice(told)) run.onSentence?.(sentence);
  return written;
}

function modelWriterOf(
  run: Run,
  { writer, options, request }: Plan,
  asked: Question['asked'],
  { options: { size } }: Selected,
  maxWords: number | null,
): WritingOptions['writer'] {
  if (writer === null) return null;
  const { format, preset } = options;
  return {
    name: 'llm',
    writer: modelWriter({
      ...writer,
      reader: readerOf(request, asked),
      format,
      maxWords,
      isCounted: format === 'bullets' && typeof size === 'object' && size !== null && 'keyPoints' in size,
      fillsContext: preset === 'published',
      isStreamed: run.onSentence !== undefined,
    }),
  };
}

/** Falls back to the wording of the points if the model wrote nothing. */
export async function writeSummary(input: ComposeInput, options: WritingOptions): Promise<Written> {
  const { verifier, keepsDraft, onSentence, onDrafted } = options;
  const { points, others = [] } = input;
  if (options.writer === null || points.length + others.length === 0) {
    return composed(input, options, { report: null, warnings: [], isDegraded: false });
  }
  const { name, writer } = options.writer;
  const outline = outlineOf(input);
  const { summary, intent, isRefused, isUnwritten, isPoor, held, report, parts, failures, unjudged } = await rewrite(
    input,
    writer,
    { verifier, keepsDraft, onSentence, onDrafted },
    outline,
  );
  const isDegraded = failures.length + unjudged.length > 0;
  const poor = isRefused ? [] : poorText(report, isPoor, isDegraded);
  const warnings = [
    ...failedText(failures[0]?.message, others.length > 0 && report.drafted > 0),
    ...unjudgedText(unjudged[0]?.message),
    ...(keepsDraft && parts > 1
      ? [`The key points did not fit one prompt: the model wrote the text in ${parts} parts.`]
      : []),
    ...poor,
  ];
  if (isUnwritten) {
    const told = new Set(summary.sentences.flatMap((sentence) => sentence.keyPoints.slice(0, 1)));
    const kept = [...input.points.keys()].filter((index) => told.has(input.points[index].id));
    return composed(onlyPoints(input, kept), options, { report, warnings, isDegraded });
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

async function composed(
  input: ComposeInput,
  { verifier, onSentence }: WritingOptions,
  { report, warnings, isDegraded }: Pick<Written, 'report' | 'warnings' | 'isDegraded'>,
): Promise<Written> {
  // Do not ask a model that has just failed to judge.
  const { points, failure } = await holdPoints(
    input.points,
    input.documents,
    isDegraded ? { mode: 'rules' } : verifier,
  );
  const why = failure?.message;
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

function failedText(why: string | undefined, isWhole: boolean): string[] {
  if (why === undefined) return [];
  if (isWhole) return [`The text was not edited to its end: ${why}`];
  return [`The writer failed; what it did not write is quoted from the documents: ${why}`];
}

function unjudgedText(why: string | undefined): string[] {
  return why === undefined ? [] : [`The judge failed; what it did not check is quoted from the documents: ${why}`];
}

/** Explains a text over its word limit, which only happens if unavoidable. */
function tooLongText({ sentences }: Summary, { maxWords }: ComposeInput): string[] {
  const words = wordsIn(sentences.map(({ text }) => text));
  if (maxWords === null || words <= maxWords) return [];
  const why = sentences.some(({ framing }) => framing)
    ? 'it must say what the documents do not answer'
    : 'no relevant key point is short enough, so the shortest is used';
  return [`The summary has ${words} words; the limit was ${maxWords}: ${why}.`];
}

function poorText(
  { drafted, kept, judged, mended, tooMany }: WritingReport,
  isPoor: boolean,
  isFailed: boolean,
): string[] {
  const good = kept + judged + mended;
  const maxKept = drafted - tooMany;
  if (drafted === 0) return isFailed ? [] : ['The language model wrote nothing; the summary quotes the documents.'];
  if (!isPoor) return [];
  const held = good === 0 ? 'None' : `Only ${good}`;
  const sentences = maxKept === 1 ? 'one sentence' : `${maxKept} sentences`;
  return [
    `${held} of the ${sentences} that the language model wrote could be kept; the rest of the summary quotes the documents. The writer "compose" would work as well.`,
  ];
}
