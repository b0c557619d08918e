import { tokensOf } from '../contradiction/tokens.ts';
import { looksEnglish } from '../contradiction/vocabulary.ts';
import { contentOf } from './embedding.ts';
import { numbersIn, unsupportedNumbers } from './numbers.ts';

/** Between two clauses; a comma or colon inside a number is none. */
const BETWEEN =
  /[;:,](?!\d)|\s[-–—]\s|—|\b(?:and|but|while|whereas|although|though|yet|after|before|because|since|when|which|who|where|with|despite|than|compared)\b/giu;
/** Content words of a clause, without numbers: fewer do not tell which quote it was made from. */
const LEAST_WORDS = 2;
/** Share of those words that a quote has to have. */
const LEAST_RECALL = 0.5;
/** Quotes that have nearly as many of them as the best may be the source as well. */
const NEARLY = 0.8;

/** Whether a clause of an English sentence, made from one of several quotes, has numbers of another. */
export function mixesNumbers(sentence: string, quotes: readonly string[]): boolean {
  if (quotes.length < 2 || !looksEnglish(tokensOf(sentence).map((token) => token.lower))) return false;
  const contents = quotes.map(wordsOf);
  return sentence.split(BETWEEN).some((clause) => {
    if (numbersIn(clause).length === 0) return false;
    const own = [...wordsOf(clause)];
    if (own.length < LEAST_WORDS) return false;
    const recalls = contents.map((content) => own.filter((key) => content.has(key)).length / own.length);
    const best = Math.max(...recalls);
    if (best < LEAST_RECALL) return false;
    // What no quote has is for `unsupportedNumbers` to tell, of the whole sentence.
    if (unsupportedNumbers(clause, quotes).length > 0) return false;
    return !quotes.some((quote, i) => recalls[i] >= NEARLY * best && unsupportedNumbers(clause, [quote]).length === 0);
  });
}

/** Content words that are no numbers and no units. */
function wordsOf(text: string): Set<string> {
  const inNumbers = new Set(numbersIn(text).flatMap((number) => number.text.toLowerCase().split(' ')));
  return new Set([...contentOf(text)].filter((key) => !/^\d|^percent$/u.test(key) && !inNumbers.has(key)));
}
