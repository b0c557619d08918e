import { LIMITS, type SummarySentence } from '../../contract/index.ts';
import { isFatal, ModelCallError } from '../../models/index.ts';
import { groupBy } from '../../text/index.ts';
import { speltWords } from '../sentence-text.ts';
import { foreignIn } from '../verify/foreign.ts';
import { isQuoted } from '../verify/hold-points.ts';
import { type Claim, type Finding, judgeTwice, type Verifier } from '../verify/judge-twice.ts';
import { type Assembly, type Drafted, listOf, type Slot } from './assembly.ts';
import type { Material, NumberedPoint } from './material.ts';
import { type DraftSentence, labelled, parseDraft } from './parse-draft.ts';

export interface Failing {
  readonly draft: DraftSentence;
  readonly cited: readonly NumberedPoint[];
  readonly wrong: string;
}

export type Again = (failing: readonly Failing[]) => Promise<ReadonlyMap<number, string>>;

export function newTally() {
  const refused = { uncited: 0, foreign: 0, repeated: 0, tooLong: 0, tooMany: 0 };
  return { drafted: 0, kept: 0, judged: 0, mended: 0, ...refused, askedAgain: 0 };
}

export interface Job {
  readonly material: Material;
  readonly text: Assembly;
  readonly verifier: Verifier;
  readonly tally: ReturnType<typeof newTally>;
  readonly onDrafted: (sentence: Drafted) => void;
  readonly failures: ModelCallError[];
  readonly unjudged: ModelCallError[];
}

export interface Pending extends Failing {
  readonly slot: Slot;
}

/**
 * Verifies the draft and the worded points against the quotes: one judgement of all, then one rewrite of what failed,
 * judged together with doubtful acceptances.
 * @returns for each worded point that the text uses, whether its wording stands
 */
export async function holdDraft(
  pending: readonly Pending[],
  leftOut: ReadonlySet<NumberedPoint>,
  again: Again | null,
  job: Job,
): Promise<ReadonlyMap<NumberedPoint, boolean>> {
  const { material, text, verifier, failures, unjudged } = job;
  const reported = new Set([...pending.flatMap(({ cited }) => cited), ...text.missing(leftOut)]);
  const worded = material.points.filter((point) => point.quoted !== null && reported.has(point));
  const sound = new Map(worded.map((point) => [point, verifier.mode === 'off']));
  if (verifier.mode !== 'judge' || failures.some(isFatal) || pending.length + worded.length === 0) return sound;
  const lists = groupBy(pending, ({ draft }) => listOf(draft));
  const claimOf = (each: Pending): Claim => claimUnder(each, lists.get(listOf(each.draft)) ?? []);
  const ownClaims = worded.map(({ own, passage }): Claim => ({ text: own.text, passages: [passage] }));
  let mended: readonly Pending[] = [];
  const settle = (place: number, finding: Finding): void => {
    if (!finding.supported || (place < pending.length && pending[place].wrong !== '')) return;
    const point = worded[place - pending.length];
    if (point !== undefined) sound.set(point, true);
    else if (place < pending.length) keep(pending[place], finding, 'judged', job);
    else keep(mended[place - pending.length - worded.length], finding, 'mended', job);
  };
  const mend = async (found: readonly Finding[], doubted: (place: number) => readonly string[]): Promise<Claim[]> => {
    // Also rewrite doubtful sentences: their second judgement comes too late for another rewrite.
    const failing = pending.flatMap((each, place) => {
      const { supported, wrong } = found[place];
      const words = each.wrong || (supported ? doubted(place).join(', ') : wrong);
      return each.slot.repeats || (supported && words === '') ? [] : [{ ...each, wrong: words }];
    });
    const accepted = new Set(pending.filter((_, place) => found[place].supported).map(({ slot }) => slot));
    const rewritten = again === null ? [] : await askAgain(failing, again, job);
    mended = rewritten.filter((each) => accepted.has(each.slot) || !keepQuoted(each, job));
    return mended.map(claimOf);
  };
  try {
    await judgeTwice([...pending.map(claimOf), ...ownClaims], verifier.judge, settle, mend);
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    unjudged.push(failure);
  }
  return sound;
}

function keepQuoted({ slot, draft, cited }: Pending, { text, tally }: Job): boolean {
  const passages = cited.map(({ passage }) => passage);
  if (slot.sentence !== null || slot.repeats || draft.label !== undefined || !isQuoted(draft.text, passages))
    return false;
  tally[text.fill(slot, draft.text, cited, 'verbatim') ?? 'mended']++;
  return true;
}

/** Maximum number of passages of other items shown for a list's label. */
const MAX_HEADED = 8;

function claimUnder({ draft, cited }: Pending, list: readonly Pending[]): Claim {
  const passages = cited.map(({ passage }) => passage);
  const claim = { text: labelled(draft.label, draft.text), passages };
  if (draft.label === undefined) return claim;
  const others = new Set(list.flatMap((item) => item.cited.map(({ passage }) => passage)));
  for (const passage of passages) others.delete(passage);
  return others.size === 0 ? claim : { ...claim, headed: [...others].slice(0, MAX_HEADED) };
}

function keep({ slot, draft, cited }: Pending, { idle }: Finding, as: 'judged' | 'mended', { text, tally }: Job): void {
  if (slot.sentence !== null) return;
  const needed = cited.filter((_, index) => !idle.includes(index));
  const failed = text.fill(slot, draft.text, needed.length > 0 ? needed : cited, as);
  if (!slot.repeats) tally[failed ?? as]++;
}

async function askAgain(
  failing: readonly Pending[],
  again: Again,
  { material, tally, failures }: Job,
): Promise<Pending[]> {
  if (failing.length === 0) return [];
  tally.askedAgain = failing.length;
  let lines: ReadonlyMap<number, string>;
  try {
    lines = await again(failing);
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    failures.push(failure);
    return [];
  }
  return failing.flatMap((each, index) => {
    const [sentence] = parseDraft(lines.get(index + 1) ?? '');
    if (sentence === undefined || sentence.text.length > LIMITS.sentenceCharacters) return [];
    const named = citedBy(sentence, material.points).filter((point) => each.cited.includes(point));
    const draft = { ...each.draft, text: textUnder(each.draft.label, sentence.text) };
    const cited = named.length > 0 ? named : each.cited;
    return foreignOf(draft, cited) === '' ? [{ ...each, draft, cited }] : [];
  });
}

function textUnder(label: string | undefined, text: string): string {
  if (label === undefined) return text;
  const [name, rest = ''] = text.split(/:\s+(.*)/su, 2);
  const words = speltWords(label);
  const isName = rest !== '' && [...speltWords(name)].every((word) => words.has(word));
  return isName ? rest : text;
}

export function ownOf({ own, quoted }: NumberedPoint, isSound: boolean, { mode }: Verifier): SummarySentence {
  if (quoted === null) return own;
  if (!isSound) return quoted;
  return { ...own, support: null, verification: mode === 'off' ? 'unverified' : 'judged' };
}

/** What acts in a sentence and stands in no cited quote, so that no judge can let it in; empty if nothing does. */
export function foreignOf({ text }: DraftSentence, cited: readonly NumberedPoint[]): string {
  const quotes = cited.flatMap(({ passage }) => passage.quotes.map((quote) => quote.text));
  return foreignIn(text, quotes) ?? '';
}

/** Maximum number of points cited by one sentence: readers check no more, and a judge reads all of them. */
const MAX_CITED = 12;

export function citedBy({ numbers }: DraftSentence, points: readonly NumberedPoint[]): NumberedPoint[] {
  return numbers.flatMap((number) => points[number - 1] ?? []).slice(0, MAX_CITED);
}
