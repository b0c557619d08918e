import { isFatal, ModelCallError } from '../../language-models/model-call-error.ts';
import { framingOf } from '../compose.ts';
import { countWords } from '../count-words.ts';
import { finishSummary } from '../finish-summary.ts';
import { type Outline, outlineOf } from '../outline.ts';
import type { ComposeInput, Summary, SummarySentence } from '../summary.ts';
import type { Verdict } from '../verify/check-sentence.ts';
import type { SentenceChecker } from '../verify/sentence-checker.ts';
import { WordBudget } from '../word-budget.ts';
import { type Assembly, assembly, type OnSentence, type Slot } from './assembly.ts';
import type { Judge } from './judge-translations.ts';
import { type Material, materialOf, type NumberedPoint } from './material.ts';
import { type DraftSentence, parseDraft } from './parse-draft.ts';
import { pointsStated } from './points-stated.ts';
import type { Failing } from './writing-prompt.ts';

/** Whoever writes: what it drafts is checked, whatever it is. */
export interface Writer {
  /** Parts of a draft, in their order; their sentences cite the numbers of the material. */
  drafts(material: Material): readonly AsyncIterable<DraftSentence>[];
  /** Writes sentences that failed once more, by their places from 1; null where nobody is asked twice. */
  readonly again: ((failing: readonly Failing[]) => Promise<ReadonlyMap<number, string>>) | null;
}

export interface RewriteOptions {
  readonly checker: SentenceChecker;
  /** Judges sentences in another language than their quotes, whose words cannot be compared; null: they do not stand. */
  readonly judge?: Judge | null | undefined;
  /** Streams: told of every sentence as soon as it and all before it stand. */
  readonly onSentence?: OnSentence | undefined;
}

/** What became of the sentences of a model's draft, and of the points. */
export interface WritingReport {
  /** Sentences that the model wrote. */
  readonly drafted: number;
  /** Of these, kept word for word. */
  readonly kept: number;
  /** Kept on a model's judgement, because they are in another language than their quotes. */
  readonly judged: number;
  /** Of those asked for again, kept then. */
  readonly mended: number;
  /** Sentences in the points' own wording in the place of what could not be kept. */
  readonly replaced: number;
  /** Removed: without a key point that exists, or said before. */
  readonly uncited: number;
  readonly repeated: number;
  /** Left out, because the words that are left would not have held what else has to be said. */
  readonly tooLong: number;
  /** Sentences that were asked for again. */
  readonly askedAgain: number;
  /** Selected points that no sentence cited, added in their own wording. */
  readonly added: number;
}

export interface Rewritten {
  readonly summary: Summary;
  readonly report: WritingReport;
  /** Calls that failed for good; what they should have written stands in the points' own wording. */
  readonly failures: readonly ModelCallError[];
}

type Tally = { -readonly [Name in Exclude<keyof WritingReport, 'replaced' | 'added'>]: WritingReport[Name] };

/**
 * Has the summary of a selection written, and lets nothing stand that the cited quotes do not support: markers of points
 * that are not there are dropped, uncited sentences removed, unsupported ones asked for once more and then replaced by the
 * points' own wording, and selected points that no sentence cites are added. So every sentence is cited or framing, every
 * selected point is cited, and `maxWords` holds, whatever the writer answers.
 */
export async function rewrite(
  input: ComposeInput,
  writer: Writer,
  options: RewriteOptions,
  outline: Outline = outlineOf(input),
): Promise<Rewritten> {
  const { format, documents, maxWords } = input;
  const onSentence = options.onSentence ?? (() => {});
  const material = materialOf(outline, documents, format);
  const own = outline.sentences.map(({ text }) => text);
  const isEmpty = material.points.length === 0;
  const budget = new WordBudget(isEmpty ? null : maxWords, own);
  // What nobody speaks to has to be said, in English where need be.
  const { notice, openParts } = framingOf(input, outline.points.length, budget);
  for (const sentence of notice) onSentence(sentence);
  const framed = wordsOf([...notice, ...openParts]);
  const words = maxWords === null ? Number.POSITIVE_INFINITY : maxWords - framed;
  const text = assembly({ format, ...material, words, onSentence });

  const job: Job = { material, text, checker: options.checker, tally: newTally(), failures: [] };
  const unsupported = isEmpty ? [] : await placeAll(writer.drafts(material), job);
  const failing = await acceptTranslations(withoutFilled(unsupported, job), options.judge ?? null, job);
  if (failing.length > 0 && writer.again !== null) await mend(failing, writer.again, job);
  const { paragraphs, replaced, added } = text.finish();
  for (const sentence of openParts) onSentence(sentence);
  const told = format === 'bullets' ? [paragraphs.flat()] : paragraphs;
  return {
    summary: finishSummary([notice, ...told, openParts], input),
    report: { ...job.tally, replaced, added },
    failures: job.failures,
  };
}

/** What one rewriting works on. */
interface Job {
  readonly material: Material;
  readonly text: Assembly;
  readonly checker: SentenceChecker;
  readonly tally: Tally;
  readonly failures: ModelCallError[];
}

interface Pending extends Failing {
  readonly slot: Slot;
}

/** Sentences that are read for each point, and beside: a model that writes more goes round in circles. */
const SENTENCES = { each: 3, more: 20 };

/** Places the sentences of all parts in order; a part that breaks off leaves those it gave. */
async function placeAll(drafts: readonly AsyncIterable<DraftSentence>[], job: Job): Promise<Pending[]> {
  const pending: Pending[] = [];
  const most = SENTENCES.each * job.material.points.length + SENTENCES.more;
  let first = 0;
  for (const draft of drafts) {
    // A draft that started anew goes on where it was: what is told stays told, in its order.
    let paragraph = first;
    try {
      for await (const sentence of draft) {
        if (job.tally.drafted >= most) break;
        paragraph = Math.max(paragraph, first + sentence.paragraph);
        const failed = await placeSentence({ ...sentence, paragraph }, job);
        if (failed !== null) pending.push(failed);
      }
    } catch (failure) {
      if (!(failure instanceof ModelCallError)) throw failure;
      job.failures.push(failure);
    }
    first = paragraph + 1;
  }
  return pending;
}

/** Without the sentences for which another came, as the bullet of their point. */
function withoutFilled(failing: readonly Pending[], { tally }: Job): readonly Pending[] {
  const open = failing.filter(({ slot }) => slot.sentence === null);
  tally.repeated += failing.length - open.length;
  return open;
}

/** Puts one sentence where it belongs; one that its quotes do not support is given back. */
async function placeSentence(draft: DraftSentence, { material, text, checker, tally }: Job): Promise<Pending | null> {
  tally.drafted++;
  const cited = citedBy(draft, material.points);
  if (cited.length === 0) {
    tally.uncited++;
    return null;
  }
  const slot = text.place(draft.text, cited, draft.paragraph);
  if (slot === null) {
    tally.repeated++;
    return null;
  }
  const verdict = await checkOne(draft.text, cited, checker);
  if (!verdict.supported) return { slot, draft, cited, reasons: verdict.reasons };
  const stated = await pointsStated(draft.text, cited, verdict, checker);
  if (text.fill(slot, draft.text, stated.points, stated.score)) tally.kept++;
  else tally.tooLong++;
  return null;
}

/** Keeps sentences that a judge finds to be translations of their quotes; numbers, which need no translation, have to agree. */
async function acceptTranslations(
  failing: readonly Pending[],
  judge: Judge | null,
  { text, tally, failures }: Job,
): Promise<readonly Pending[]> {
  const comparable = failing.filter(({ reasons }) => !reasons.includes('number'));
  if (judge === null || comparable.length === 0 || failures.some(isFatal)) return failing;
  try {
    const supported = await judge(comparable);
    const kept = comparable.filter(
      ({ slot, draft, cited }, index) => supported.has(index + 1) && text.fill(slot, draft.text, cited, null),
    );
    tally.judged = kept.length;
    return failing.filter((each) => !kept.includes(each));
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    failures.push(failure);
    return failing;
  }
}

/** Asks once more for the sentences that failed, all in one call; what fails again is left to `finish`. */
async function mend(
  failing: readonly Pending[],
  again: NonNullable<Writer['again']>,
  { material, text, checker, tally, failures }: Job,
): Promise<void> {
  if (failures.some(isFatal)) return;
  tally.askedAgain = failing.length;
  let lines: ReadonlyMap<number, string>;
  try {
    lines = await again(failing);
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    failures.push(failure);
    return;
  }
  for (const [index, { slot, cited: before }] of failing.entries()) {
    const [sentence] = parseDraft(lines.get(index + 1) ?? '');
    if (sentence === undefined) continue;
    const named = citedBy(sentence, material.points).filter((point) => before.includes(point));
    const cited = named.length > 0 ? named : before;
    const verdict = await checkOne(sentence.text, cited, checker);
    if (!verdict.supported) continue;
    const stated = await pointsStated(sentence.text, cited, verdict, checker);
    if (text.fill(slot, sentence.text, stated.points, stated.score)) tally.mended++;
  }
}

async function checkOne(text: string, cited: readonly NumberedPoint[], checker: SentenceChecker): Promise<Verdict> {
  const quotes = cited.flatMap((point) => point.quotes);
  const [verdict] = await checker.check([{ text, quotes, allowedNames: cited.flatMap((point) => point.allowedNames) }]);
  return verdict;
}

function citedBy({ numbers }: DraftSentence, points: readonly NumberedPoint[]): NumberedPoint[] {
  return numbers.map((number) => points[number - 1]).filter((point) => point !== undefined);
}

function newTally(): Tally {
  return { drafted: 0, kept: 0, judged: 0, mended: 0, uncited: 0, repeated: 0, tooLong: 0, askedAgain: 0 };
}

function wordsOf(sentences: readonly SummarySentence[]): number {
  return sentences.reduce((sum, { text }) => sum + countWords(text), 0);
}
