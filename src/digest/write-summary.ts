import type { ModelCallError } from '../language-models/model-call-error.ts';
import { compose } from '../summary/compose.ts';
import { outlineOf } from '../summary/outline.ts';
import type { OnSentence } from '../summary/rewrite/assembly.ts';
import type { Judge } from '../summary/rewrite/judge-translations.ts';
import type { DraftSentence } from '../summary/rewrite/parse-draft.ts';
import { rewrite, type Writer, type WritingReport } from '../summary/rewrite/rewrite.ts';
import type { ComposeInput, SelectedPoint, Summary, SummarySentence } from '../summary/summary.ts';
import type { SentenceChecker } from '../summary/verify/sentence-checker.ts';

/** A summary, and how it came about. */
export interface Written {
  readonly summary: Summary;
  readonly writer: string;
  readonly report: WritingReport | null;
  /** The selected points without those supporters that contradict them. */
  readonly stated: readonly SelectedPoint[];
  /** Whether a model that was to write failed. */
  readonly lacking: boolean;
  readonly warnings: readonly string[];
}

export interface WritingOptions {
  /** Null: every point in its own wording. */
  readonly writer: { readonly name: string; readonly writer: Writer } | null;
  readonly checker: () => SentenceChecker;
  readonly judge: Judge;
  readonly onSentence: OnSentence | undefined;
}

/** Writes the summary; where a model that was asked wrote nothing, every point stands in its own wording. */
export async function writeSummary(input: ComposeInput, options: WritingOptions): Promise<Written> {
  const outline = outlineOf(input);
  const stated = outline.points;
  if (options.writer === null || input.points.length === 0) {
    const summary = compose(input, outline);
    for (const sentence of summary.sentences) options.onSentence?.(sentence);
    return { summary, writer: 'compose', report: null, stated, lacking: false, warnings: [] };
  }
  const { name, writer } = options.writer;
  const { checker, judge, onSentence } = options;
  const held = heldBack(writer, onSentence ?? (() => {}));
  const { summary, report, failures } = await rewrite(
    input,
    held.writer,
    { checker: checker(), judge, onSentence: held.onSentence },
    outline,
  );
  const isNothing = report.drafted === 0;
  const composed = isNothing ? compose(input, outline) : null;
  for (const sentence of composed?.sentences ?? []) onSentence?.(sentence);
  return {
    summary: composed ?? summary,
    writer: isNothing ? 'compose' : name,
    report,
    stated,
    lacking: failures.length > 0,
    warnings: [...failedText(failures), ...judgedText(report), ...poorText(report, failures.length > 0)],
  };
}

/** Tells of sentences once a draft has begun: where none does, the text is composed as a whole. */
function heldBack(
  writer: Writer,
  onSentence: OnSentence,
): { readonly writer: Writer; readonly onSentence: OnSentence } {
  const held: SummarySentence[] = [];
  let isBegun = false;
  async function* telling(draft: AsyncIterable<DraftSentence>): AsyncGenerator<DraftSentence> {
    for await (const sentence of draft) {
      isBegun = true;
      for (const early of held.splice(0)) onSentence(early);
      yield sentence;
    }
  }
  return {
    writer: { ...writer, drafts: (material) => writer.drafts(material).map(telling) },
    onSentence: (sentence) => {
      if (isBegun) onSentence(sentence);
      else held.push(sentence);
    },
  };
}

function failedText([failure]: readonly ModelCallError[]): string[] {
  if (failure === undefined) return [];
  return [`The writer failed, and what it did not write stands in the documents' own wording: ${failure.message}`];
}

/** Says what rests on a model's word alone. */
function judgedText({ judged }: WritingReport): string[] {
  if (judged === 0) return [];
  const [sentences, stand, quotes] =
    judged === 1 ? ['One sentence', 'stands', 'its quotes'] : [`${judged} sentences`, 'stand', 'their quotes'];
  return [
    `${sentences} in another language than ${quotes} ${stand} on the judgement of a language model: words of two languages cannot be compared here.`,
  ];
}

/** Share of a draft below which the model made the digest no better than it would be without. */
const POOR = 0.5;

/** Says where a model was of little use: its sentences were mostly not what the quotes say. */
function poorText({ drafted, kept, judged, mended }: WritingReport, isFailed: boolean): string[] {
  const good = kept + judged + mended;
  if (drafted === 0) {
    return isFailed ? [] : ["The language model wrote nothing; the summary stands in the documents' own wording."];
  }
  if (good >= POOR * drafted) return [];
  const held = good === 0 ? 'None' : `Only ${good}`;
  const sentences = drafted === 1 ? 'one sentence' : `${drafted} sentences`;
  return [
    `${held} of the ${sentences} that the language model wrote could be kept; the rest of the summary stands in the documents' own wording. The writer "compose" would do as well.`,
  ];
}
