import { sentences } from '../../documents/sentences.ts';
import { wordRecall } from '../../kernel/word-recall.ts';
import { oppositionOf, sameSide } from '../contradiction/opposites.ts';
import { keyOf } from '../contradiction/vocabulary.ts';
import { contradiction } from '../contradiction.ts';
import { type Clause, clausesOf } from './polarity.ts';

/** What is reduced or avoided need not be there in full: "without complexities" and "reduces complexities". */
const TAKES_AWAY = new Set('reduce avoid prevent stop eliminate remove escape spare cut end'.split(' ').map(keyOf));
/** They compare what stands behind them: opposed only where the whole sentence is the same, which `contradiction` tells. */
const COMPARATIVES = new Set('more less fewer'.split(' ').map(keyOf));
/** Oppositions that decide only beside the same word. */
const ALSO_OPPOSED: readonly (readonly string[])[] = [['pass', 'fail'].map(keyOf)];

/**
 * Whether an English sentence denies what its quotes affirm, affirms what they deny, or says the opposite. False where one
 * of the quotes is on its side, where words of denial make it hard to tell, and for other languages.
 */
export function contradictsQuotes(sentence: string, quotes: readonly string[]): boolean {
  if (sentence.includes('?') || quotes.length === 0) return false;
  const own = clausesOf(sentence);
  if (!own) return false;
  const quoted = quotes.flatMap((quote) => claimsOf(quote).flatMap((claim) => clausesOf(claim) ?? []));
  return (
    deniesWhatIsAffirmed(own, quoted) ||
    affirmsWhatIsDenied(own, quoted) ||
    turnsAround(own, quoted) ||
    contradictsNearest(sentence, quotes)
  );
}

/** "The vaccine does not prevent illness", of "the vaccine prevents illness". */
function deniesWhatIsAffirmed(own: readonly Clause[], quoted: readonly Clause[]): boolean {
  return own.some(
    (clause) =>
      !clause.tangled &&
      [...clause.denied].some((key) => {
        // "It works here but not there": the sentence says both.
        if (own.some((other) => other !== clause && other.keys.includes(key))) return false;
        const about = quoted.filter((other) => other.keys.includes(key));
        return about.some((other) => isOfSame(clause, other, key)) && about.every((other) => !other.denies);
      }),
  );
}

/** "Traffic has fallen", of "traffic has not fallen". */
function affirmsWhatIsDenied(own: readonly Clause[], quoted: readonly Clause[]): boolean {
  if (own.some((clause) => clause.denies)) return false;
  return quoted.some(
    (denying) =>
      !denying.tangled &&
      [...denying.denied].some((key) => {
        if (quoted.some((other) => other.keys.includes(key) && !other.denied.has(key))) return false;
        return own.some(
          (clause) =>
            clause.keys.includes(key) &&
            !clause.keys.some((word) => TAKES_AWAY.has(word)) &&
            isOfSame(clause, denying, key),
        );
      }),
  );
}

/** "Output fell", of "output rose": an opposed word beside the same word. */
function turnsAround(own: readonly Clause[], quoted: readonly Clause[]): boolean {
  const ownKeys = own.flatMap((clause) => clause.keys);
  const quotedKeys = quoted.flatMap((clause) => clause.keys);
  return own.some(
    (clause) =>
      !clause.denies &&
      clause.keys.some((key, at) => {
        if (COMPARATIVES.has(key) || quotedKeys.some((other) => other === key || sameSide(key, other))) return false;
        return quoted.some(
          (other) =>
            !other.denies &&
            other.keys.some(
              (opposed, there) =>
                areOpposed(key, opposed) &&
                !ownKeys.some((word) => word === opposed || sameSide(word, opposed)) &&
                beside(clause.keys, at).some((word) => beside(other.keys, there).includes(word)),
            ),
        );
      }),
  );
}

function areOpposed(a: string, b: string): boolean {
  return oppositionOf(a, b) !== null || ALSO_OPPOSED.some((pair) => a !== b && pair.includes(a) && pair.includes(b));
}

/** Holds the sentence against the claims of the quote that it shares most words with, if no other quote disputes them. */
function contradictsNearest(sentence: string, quotes: readonly string[]): boolean {
  const shared = quotes.map((quote) => wordRecall(sentence, [quote], () => 1));
  const nearest = shared.indexOf(Math.max(...shared));
  return claimsOf(quotes[nearest]).some((claim) => {
    if (!contradiction(sentence, claim)) return false;
    return !quotes.some((quote, i) => i !== nearest && claimsOf(quote).some((other) => contradiction(other, claim)));
  });
}

/** Whether two clauses speak of the same beyond one word. */
function isOfSame(a: Clause, b: Clause, key: string): boolean {
  return a.keys.some((other) => other !== key && b.keys.includes(other));
}

function beside(keys: readonly string[], at: number): string[] {
  return [keys[at - 1], keys[at + 1]].filter((key) => key !== undefined);
}

function claimsOf(quote: string): string[] {
  return sentences(quote).map(({ start, end }) => quote.slice(start, end));
}
