import { type Format, LIMITS } from '../../contract/index.ts';
import { MAX_ANSWER_LENGTH, ModelCallError } from '../../models/index.ts';
import { beginning } from '../../text/index.ts';
import { closingSentences, framingReserve } from '../framing.ts';
import { type ComposeInput, type Intent, sentenceLimit } from '../input.ts';
import { finishSummary, layoutOf, type Position } from '../layout.ts';
import { type Outline, outlineOf } from '../outline.ts';
import { countWords } from '../sentence-text.ts';
import { foreignIn } from '../verify/foreign.ts';
import { type Held, isQuoted } from '../verify/hold-points.ts';
import type { Verifier } from '../verify/judge-twice.ts';
import { assembly, type Drafted, type OnSentence } from './assembly.ts';
import type { Draft, DraftNotes } from './draft.ts';
import { type Again, citedBy, foreignOf, holdDraft, type Job, newTally, ownOf, type Pending } from './hold-draft.ts';
import { type Material, materialOf, type NumberedPoint } from './material.ts';
import { type DraftSentence, labelled } from './parse-draft.ts';

export interface Writer {
  drafts(material: Material): readonly Draft[];
  /** Rewrites rejected sentences, by their places from 1; null without a second attempt. */
  readonly again: Again | null;
}

interface RewriteOptions {
  readonly verifier: Verifier;
  /** Whether the report includes the draft as received. */
  readonly keepsDraft?: boolean | undefined;
  readonly onSentence?: OnSentence | undefined;
  readonly onDrafted?: ((sentence: Drafted) => void) | undefined;
}

export type Rewritten = Awaited<ReturnType<typeof rewrite>>;

/**
 * Has a writer summarise a selection and keeps only what the cited quotes support: drops invalid markers, removes
 * uncited sentences, verifies the others, rewrites failures once, then falls back to quotes. Adds omitted points as far
 * as they fit unless the writer left them out on purpose. Every sentence is cited or framing, every selected point is
 * cited or named in the report, and `maxWords` holds, whatever the writer answers.
 */
export async function rewrite(
  input: ComposeInput,
  writer: Writer,
  options: RewriteOptions,
  outline: Outline = outlineOf(input),
) {
  const { format, documents, maxWords } = input;
  const { verifier, keepsDraft = false, onSentence = () => {}, onDrafted = () => {} } = options;
  const material = materialOf(outline, documents, input.others);
  // Unanswered parts must be named, in English if necessary.
  const reserve = maxWords === null ? 0 : Math.min(framingReserve(input), Math.floor(FRAMING_SHARE * maxWords));
  const words = maxWords ?? Number.POSITIVE_INFINITY;
  const sentences = sentenceLimit(format) ?? Number.POSITIVE_INFINITY;
  const layout = layoutOf(format);
  const tally = newTally();
  let isUnwritten = false;
  // Where nothing of a draft stands, the text is composed as a whole.
  const tell: OnSentence = (sentence) => {
    if (tally.drafted > 0 && !isUnwritten) onSentence(sentence);
  };
  const text = assembly({ points: material.ranked, words, reserve, sentences, layout, onSentence: tell });

  const job: Job = { material, text, verifier, tally, onDrafted, failures: [], unjudged: [] };
  const drafts = material.points.length === 0 ? [] : writer.drafts(material);
  const placed = await placeAll(drafts, format, job);
  const notes = drafts.map((draft) => draft.notes());
  const isRefused = input.intent !== null && notes.length > 0 && notes.every(({ unanswered }) => unanswered?.all);
  const told = isRefused ? 0 : Math.max(1, placed.length);
  const open = closingSentences({ ...input, intent: answeredBy(input.intent, notes, true) }, told);
  const gone = text.reserve(open.reduce((sum, sentence) => sum + countWords(sentence.text), 0));
  tally.tooLong += gone.size;
  // Sources of repetitions first, while what they repeat is not sent yet.
  const pending = placed
    .filter(({ slot }) => !gone.has(slot))
    .sort((one, other) => Number(other.slot.repeats) - Number(one.slot.repeats));
  const leftOut = isRefused || tally.drafted > 0 ? leftOutOf(notes, isRefused, material) : new Set<NumberedPoint>();
  const sound = await holdDraft(pending, leftOut, writer.again, job);
  const standing = (point: NumberedPoint) => ownOf(point, sound.get(point) ?? false, verifier);
  const good = tally.kept + tally.judged + tally.mended;
  const isPoor = good < POOR * (tally.drafted - tally.tooMany);
  const isWhole = material.documents !== null;
  isUnwritten = !isRefused && (tally.drafted === 0 || (isWhole && good === 0));
  // Who reads the documents whole has left out the rest, unless much was rejected or nobody judged: then quotes must do.
  const isBare = isWhole && !isUnwritten && !isPoor && job.unjudged.length === 0;
  const omitted = isBare ? new Set(material.points) : leftOut;
  const { sentences: emitted, replaced, added, leftOut: lost } = text.finish(standing, omitted, !isBare);
  const intent = answeredBy(input.intent, notes, emitted.length > 0);
  const closing = closingSentences({ ...input, intent }, emitted.length).map((sentence) => layout(sentence, LAST));
  for (const sentence of closing) tell(sentence);
  return {
    summary: finishSummary([...emitted, ...closing], input),
    intent,
    isRefused,
    isUnwritten,
    isPoor,
    held: new Map(
      material.points.flatMap((point) => {
        if (!point.isWorded || (point.quoted !== null && !sound.has(point))) return [];
        const { verification } = standing(point);
        const text = point.quoted !== null && verification === 'verbatim' ? point.quoteText : point.text;
        return [[point.own.keyPoints[0], { text, verification: verification ?? 'verbatim' } satisfies Held]];
      }),
    ),
    report: {
      ...job.tally,
      replaced,
      added,
      leftOut: lost.map(({ point, reason }) => ({ keyPoint: point.own.keyPoints[0], reason })),
      draft: keepsDraft ? beginning(drafts.map((draft) => draft.text()).join('\n\n'), MAX_ANSWER_LENGTH) : null,
    },
    parts: drafts.length,
    failures: job.failures,
    unjudged: job.unjudged,
  };
}

/** If a smaller share of a draft stands, quotes take the place of the rest. */
const POOR = 0.5;

const LAST: Position = { paragraph: Number.POSITIVE_INFINITY };

/** Maximum share of the words reserved for naming unanswered parts. */
const FRAMING_SHARE = 0.3;

/** Points that the writer reports as left out: all uncited ones if it says so or says that nothing answers. */
function leftOutOf(notes: readonly DraftNotes[], isRefused: boolean, { points }: Material): ReadonlySet<NumberedPoint> {
  const numbers = new Set(notes.flatMap(({ leftOut }) => [...(leftOut?.numbers ?? [])]));
  const isRest = notes.length > 0 && notes.every(({ leftOut }) => leftOut?.all);
  return new Set(points.filter(({ number }) => isRest || isRefused || numbers.has(number)));
}

/** Marks the answered parts by the writer's notes: a part is open if every draft says so, else answered for sure. */
function answeredBy(intent: Intent | null, notes: readonly DraftNotes[], isAnswer: boolean): Intent | null {
  const said = notes.flatMap(({ unanswered }) => unanswered ?? []);
  if (intent === null) return null;
  const isTold = said.length > 0 && said.length === notes.length;
  const isOpen = (part: number): boolean => said.every(({ all, numbers }) => all || numbers.has(part + 1));
  const facets = intent.facets.map(({ text, matched }, part) => ({
    text,
    matched: isTold ? isAnswer && !isOpen(part) : matched,
  }));
  return { ...intent, facets, matched: isTold ? facets.some(({ matched }) => matched) : intent.matched };
}

const SENTENCES = { each: 3, more: 20 };

async function placeAll(drafts: readonly Draft[], format: Format, job: Job): Promise<Pending[]> {
  const pending: Pending[] = [];
  const most = SENTENCES.each * job.material.points.length + SENTENCES.more;
  let first = { paragraph: 0, item: 0 };
  for (const draft of drafts) {
    // A retried draft continues at its last position: sentences already sent keep their order.
    let { paragraph, item: last } = first;
    let before: DraftSentence | null = null;
    try {
      for await (const sentence of draft.sentences) {
        if (job.tally.drafted >= most) break;
        paragraph = Math.max(paragraph, first.paragraph + sentence.paragraph);
        const item = sentence.item === undefined ? undefined : first.item + sentence.item;
        last = Math.max(last, item ?? 0);
        const failed = placeSentence(inForm({ ...sentence, paragraph, item }, before, format, job), job);
        before = sentence;
        if (failed !== null) pending.push(failed);
      }
    } catch (failure) {
      if (!(failure instanceof ModelCallError)) throw failure;
      job.failures.push(failure);
    }
    first = { paragraph: paragraph + 1, item: last + 1 };
  }
  return pending;
}

/** Drops the label of a list if it cannot be verified; in running text the label precedes the first sentence under it. */
function inForm(
  sentence: DraftSentence,
  before: DraftSentence | null,
  format: Format,
  { verifier }: Job,
): DraftSentence {
  const { text, label } = sentence;
  if (label === undefined) return sentence;
  if (format === 'brief') {
    return { ...sentence, label: undefined, text: before?.label === label ? text : labelled(label, text) };
  }
  const isHeld = verifier.mode !== 'rules' && foreignIn(label, []) === null;
  return isHeld ? sentence : { ...sentence, label: undefined };
}

function placeSentence(draft: DraftSentence, { material, text, verifier, tally, onDrafted }: Job): Pending | null {
  tally.drafted++;
  const cited = citedBy(draft, material.points);
  const documents = cited.map(({ document }) => document);
  onDrafted({ text: draft.text, documents: [...new Set(documents)], citation: cited[0]?.own.citations[0] ?? null });
  if (draft.text.length > LIMITS.sentenceCharacters) {
    tally.tooLong++;
    return null;
  }
  if (cited.length === 0) {
    tally.uncited++;
    return null;
  }
  const passages = cited.map(({ passage }) => passage);
  const isOwn = isQuoted(draft.text, passages);
  // A label is verified together with its sentence.
  const foreign = foreignOf(draft, cited);
  if (foreign !== '') tally.foreign++;
  const isFirm = foreign === '' && (verifier.mode === 'off' || (isOwn && draft.label === undefined));
  const slot = text.place(draft.text, cited, draft, isFirm);
  if (typeof slot === 'string') {
    tally[slot]++;
    return null;
  }
  if (slot.repeats) tally.repeated++;
  if (!isFirm) return { slot, draft, cited, wrong: foreign };
  const failed = text.fill(slot, draft.text, cited, isOwn ? 'verbatim' : 'unverified');
  if (!slot.repeats) tally[failed ?? 'kept']++;
  return null;
}
