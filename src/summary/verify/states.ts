import { STOP_WORDS } from '../../text/index.ts';
import { isVerbatim } from './hold-points.ts';
import { unsupportedNames } from './names.ts';
import { numbersIn, unsupportedNumbers } from './numbers.ts';
import type { Verdict } from './sentence-checker.ts';

export interface Evidence {
  readonly text: string;
  readonly names: readonly string[];
}

/** How far the worst pair of words may lie below the threshold of the wording. */
const PAIR_BELOW = 0.15;

/**
 * Whether a source states a claim and can be cited for it: verbatim, or with every word found and equal numbers, names,
 * polarity and mood (docs/decisions/citing-sources.md).
 * @param verdict of the sentence checker on the claim against the evidence alone
 * @param similarity S between claim and evidence
 * @param found threshold of recall for the wording of a claim
 */
export function states(
  claim: string,
  evidence: Evidence,
  { verdict, similarity, found }: { readonly verdict: Verdict; readonly similarity: number; readonly found: number },
): boolean {
  if (isVerbatim(claim, [evidence.text], [])) return true;
  const { supported, worst } = verdict;
  if (!supported || worst < found - PAIR_BELOW || differsFrom(claim, evidence.text)) return false;
  // "No widespread damage" is not "no damage": a qualified denial needs the same words on both sides.
  return similarity >= found || denials(claim) === 0;
}

const MIN_ECHO = 5;
/** How far S may lie below `familiar` per e-fold of documents, and how far above it for a single document. */
const ECHO_WEIGHT = 0.05;
const ABOVE_FAMILIAR = 0.02;

/**
 * Whether a short statement without figures echoes the claim: the more documents agree, the further the wording may
 * differ. Running text has no echoes (docs/decisions/citing-sources.md).
 * @param similarity S between claim and evidence
 * @param documents other documents with a point merged into the claim
 * @param familiar threshold of S of the encoder for a statement that is not new
 */
export function echoes(
  claim: string,
  { text, names }: Evidence,
  {
    similarity,
    documents,
    familiar,
  }: { readonly similarity: number; readonly documents: number; readonly familiar: number },
): boolean {
  if (documents < MIN_ECHO || similarity + ECHO_WEIGHT * Math.log1p(documents) < familiar + ABOVE_FAMILIAR)
    return false;
  if (hasFigure(claim) || unsupportedNumbers(claim, [text]).length > 0) return false;
  return unsupportedNames({ text: claim, quotes: [text], allowedNames: names }).length === 0;
}

const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/u;
const words = (list: string) => new Set(list.trim().split(/\s+/u));

const DENYING = words(`
not no never cannot without neither nor nobody nothing none hardly barely scarcely rarely seldom lack lacks lacked lacking
refuse refuses refused refusing reject rejects rejected rejecting fail fails failed failing deny denies denied denying unable
instead except nicht kein keine keinen keinem keiner keines niemals nie pas jamais aucun aucune nunca ningún ninguna nessun
nessuna não nem niet geen nooit inte aldrig nigdy не нет никогда`);
/** Possible, wanted or conditional; future; obligatory. */
const MOODS = [
  words(`
may might could would can possibly perhaps maybe likely unlikely probably potentially if unless whether provided plan plans planned
planning propose proposes proposed hope hopes hoped consider considers considering expect expects expected almost nearly`),
  words('will shall'),
  words('should ought'),
];

/**
 * Whether a similarly worded source says something else: only one of the two denies, or speaks of what may, will or
 * should be; or the source gives another figure of the same kind ("from 32 to 38 euros"). Always true outside English,
 * which has no such rules.
 */
function differsFrom(claim: string, evidence: string): boolean {
  const [own, other] = [claim, evidence].map(lowerCasedWords);
  if (OTHER_SCRIPT.test(claim) || !isEnglish([...own, ...other])) return true;
  if (denials(claim) % 2 !== denials(evidence) % 2) return true;
  if (MOODS.some((mood) => own.some((word) => mood.has(word)) !== other.some((word) => mood.has(word)))) return true;
  return hasFigure(claim) && unsupportedNumbers(evidence, [claim]).length > 0;
}

/** Number of denying words, in English and the commonest of nine other languages. */
export function denials(text: string): number {
  return lowerCasedWords(text).filter((word) => DENYING.has(word) || word.endsWith("n't")).length;
}

const FOREIGN = words(`
der die das und ist nicht ein eine mit für auf von el la los las que es un una por con del le les des est et une pas dans il lo gli
della che di non è het een niet van och är inte att det não os da do em um uma para jest nie się`);

/** A cheap test, not a language detector: false if words of other languages outnumber English ones. */
export function looksEnglish(text: string): boolean {
  return isEnglish(lowerCasedWords(text));
}

function isEnglish(lowerCased: readonly string[]): boolean {
  const foreign = lowerCased.filter((word) => FOREIGN.has(word)).length;
  return foreign === 0 || lowerCased.filter((word) => STOP_WORDS.has(word)).length > foreign;
}

const WORD = /\p{L}(?:[\p{L}\p{M}\p{N}]|['’-](?=\p{L}|\p{N}))*/gu;

function lowerCasedWords(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase().replaceAll('’', "'"));
}

function hasFigure(text: string): boolean {
  return numbersIn(text).some(({ weak }) => !weak);
}
