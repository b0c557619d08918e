import { tokensOf } from './contradiction/tokens.ts';
import { keyOf, looksEnglish } from './contradiction/vocabulary.ts';
import { contradict } from './contradiction.ts';
import { figuresBeside, figuresIn } from './figures.ts';
import type { Verdict } from './verify/check-sentence.ts';
import { unsupportedNames } from './verify/names.ts';
import { unsupportedNumbers } from './verify/numbers.ts';
import { isVerbatim } from './verify/verbatim.ts';

/** A statement of a source that is to be cited for another statement. */
export interface Evidence {
  readonly text: string;
  /** Its title and speaker, which names may come from. */
  readonly names: readonly string[];
}

/** How a statement compares with one of a source by its numbers. */
interface Closeness {
  /** What the sentence checker finds of the claim, held against the evidence alone. */
  readonly verdict: Verdict;
  /** S between claim and evidence. */
  readonly similarity: number;
  /** Recall from which the wording of a claim counts as found. */
  readonly found: number;
}

/** How many say about the same, beside S: what makes agreement trustworthy where things are said in short, many times. */
interface Echo {
  /** S between claim and evidence. */
  readonly similarity: number;
  /** Other documents with a point that joined the claim. */
  readonly documents: number;
  /** S from which a statement tells a reader nothing new, of the encoder. */
  readonly familiar: number;
}

const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/u;
const words = (list: string) => new Set(list.trim().split(/\s+/u));

const DENYING = words(`
not no never cannot without neither nor nobody nothing none hardly barely scarcely rarely seldom lack lacks lacked lacking
refuse refuses refused refusing reject rejects rejected rejecting fail fails failed failing deny denies denied denying unable
instead except`);
/** What is only possible, wanted or conditional; what is to come; what ought to be. */
const MOODS = [
  words(`
may might could would can possibly perhaps maybe likely unlikely probably potentially if unless whether provided plan plans planned
planning propose proposes proposed hope hopes hoped consider considers considering expect expects expected almost nearly`),
  words('will shall'),
  words('should ought'),
];
const PERIODS = new Set(['second', 'minute', 'hour', 'day', 'night', 'week', 'month', 'year', 'decade'].map(keyOf));
/** How far below the level of a claim's wording its two words may lie that are found worst. */
const PAIR_BELOW = 0.15;
/** Fewer documents than this are no echo. */
const MIN_ECHO = 5;
/** How far S may lie under `familiar` for every e-fold more documents, and how far above it has to lie for one alone. */
const ECHO_WEIGHT = 0.05;
const ABOVE_FAMILIAR = 0.02;

/**
 * Whether a source states a claim, so that it can be cited for it: in the claim's own wording, or with every word of it found and
 * the same numbers, names, polarity and mood.
 */
export function states(claim: string, evidence: Evidence, { verdict, similarity, found }: Closeness): boolean {
  if (isVerbatim(claim, [evidence.text], [])) return true;
  const { supported, worst } = verdict;
  if (!supported || (worst ?? 0) < found - PAIR_BELOW || differsFrom(claim, evidence.text)) return false;
  // "No widespread damage" is not "no damage": what narrows a denial takes from it, so both have to say the same.
  return similarity >= found || denials(claim) === 0;
}

/**
 * Whether a short statement without figures is one of many that say the same: the more documents agree with the claim, the
 * further the wording may lie from its own. Where nothing repeats this is never so (docs/agreement.md).
 */
export function echoes(claim: string, { text, names }: Evidence, { similarity, documents, familiar }: Echo): boolean {
  if (documents < MIN_ECHO || similarity + ECHO_WEIGHT * Math.log1p(documents) < familiar + ABOVE_FAMILIAR)
    return false;
  if (figuresIn(claim).length > 0 || unsupportedNumbers(claim, [text]).length > 0) return false;
  if (unsupportedNames({ text: claim, quotes: [text], allowedNames: names }).length > 0) return false;
  return !contradict(claim, text);
}

/**
 * Whether the statement of a source, though worded much like a claim, says something else or more: it denies what the claim does
 * not deny or the reverse, speaks of what may be, will be or should be where the claim does not, or gives another figure of the
 * same kind beside the claim's own ("from 32 to 38 euros"). In other languages than English it may, so it does.
 */
function differsFrom(claim: string, evidence: string): boolean {
  const [own, other] = [claim, evidence].map(lowerCased);
  if (OTHER_SCRIPT.test(claim) || !looksEnglish([...own, ...other])) return true;
  if (denies(claim) !== denies(evidence)) return true;
  if (MOODS.some((mood) => own.some((word) => mood.has(word)) !== other.some((word) => mood.has(word)))) return true;
  return contradict(claim, evidence) || givesOtherFigure(claim, evidence);
}

function lowerCased(text: string): string[] {
  return tokensOf(text).map(({ lower }) => lower);
}

/** Whether a text denies, by an odd number of words that do. */
function denies(text: string): boolean {
  return denials(text) % 2 === 1;
}

function denials(text: string): number {
  return lowerCased(text).filter((word) => DENYING.has(word) || word.endsWith("n't")).length;
}

/** "From 32 to 38 euros" of "32 euros", and "three days" of "three weeks". */
function givesOtherFigure(claim: string, evidence: string): boolean {
  const [own, other] = [figuresIn(claim), figuresIn(evidence)];
  const isOfOtherPeriod = own.some(
    ({ kind, ...figure }) =>
      kind !== null &&
      PERIODS.has(kind) &&
      figuresBeside(
        [{ ...figure, kind }],
        other.filter((each) => each.kind === kind),
      ).length > 0,
  );
  const besides = figuresBeside(other, own).some(
    ({ kind }) => kind !== null && kind !== 'year' && own.some((figure) => figure.kind === kind),
  );
  return isOfOtherPeriod || besides;
}
