import type { ModelCallError } from '../language-models/model-call-error.ts';
import { compose } from '../summary/compose.ts';
import { outlineOf } from '../summary/outline.ts';
import type { OnSentence } from '../summary/rewrite/assembly.ts';
import { rewrite, type Writer, type WritingReport } from '../summary/rewrite/rewrite.ts';
import type { ComposeInput, SelectedPoint, Summary } from '../summary/summary.ts';
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
  /** Whether the text is in English, as the service's own sentences are. */
  readonly isEnglish: boolean;
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
  const { checker, isEnglish, onSentence } = options;
  const { summary, report, failures } = await rewrite(
    input,
    writer,
    { checker: checker(), isFramed: isEnglish, onSentence },
    outline,
  );
  // Where nothing was written, the text is composed as a whole; streamed sentences stand as they were told.
  const isNothing = failures.length > 0 && report.drafted === 0 && onSentence === undefined;
  return {
    summary: isNothing ? compose(input, outline) : summary,
    writer: report.drafted === 0 && failures.length > 0 ? 'compose' : name,
    report,
    stated,
    lacking: failures.length > 0,
    warnings: [...failedText(failures), ...poorText(report)],
  };
}

function failedText([failure]: readonly ModelCallError[]): string[] {
  if (failure === undefined) return [];
  return [`The writer failed, and what it did not write stands in the documents' own wording: ${failure.message}`];
}

/** Share of a draft below which the model made the digest no better than it would be without. */
const POOR = 0.5;

/** Says where a model was of little use: its sentences were mostly not what the quotes say. */
function poorText({ drafted, kept, mended }: WritingReport): string[] {
  if (drafted === 0 || kept + mended >= POOR * drafted) return [];
  const held = kept + mended === 0 ? 'None' : `Only ${kept + mended}`;
  return [
    `${held} of the ${drafted} sentences that the language model wrote could be kept; the rest of the summary stands in the documents' own wording. The writer "compose" would do as well.`,
  ];
}
