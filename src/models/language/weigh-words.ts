import { THOUGHTS } from './thoughts.ts';
/** What a model would have said at one place of its answer, the likeliest first. */
export interface TokenChoice {
  /** What it said. */
  readonly token: string;
  readonly top: readonly { readonly token: string; readonly logprob: number }[];
}

/** Which of some words a model answered with. */
export interface WeighedWord {
  readonly word: string;
  /**
   * Probability of each word among all of them, in their order: exp(logprob) over their sum (Qi et al. 2024, appendix A.2);
   * null where the server tells no probabilities.
   */
  readonly shares: readonly number[] | null;
}

const LETTERS = /\p{L}+/gu;
/** Probability of all words together from which an answer that names none is taken for the likeliest. */
const LIKELY = 0.1;
const NOT_LETTERS = /[^\p{L}]+/gu;

/**
 * Reads an answer that should be one of some words.
 *
 * @param words in capitals, none the beginning of another
 * @returns null where it names none of them and none of them was likely either
 */
export function choiceProbabilities(
  text: string,
  choices: readonly TokenChoice[] | null,
  words: readonly string[],
): WeighedWord | null {
  const from = THOUGHTS.exec(text)?.[0].length ?? 0;
  const said = [...text.slice(from).matchAll(LETTERS)]
    .map(({ 0: letters, index }) => ({ word: letters.toUpperCase(), at: from + index }))
    .find(({ word }) => words.includes(word));
  const choice = choices === null ? undefined : choiceAt(text, said?.at ?? from, choices);
  const weights = choice === undefined ? [] : weightsOf(choice, words);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = total > 0 ? weights.map((weight) => weight / total) : null;
  if (said !== undefined) return { word: said.word, shares };
  if (shares === null || total < LIKELY) return null;
  return { word: words[shares.indexOf(Math.max(...shares))], shares };
}

/**
 * The first choice of letters from an offset of the text on: of what comes before (white space, marks, thoughts, "The
 * answer is") none decides. Servers may tell tokens that they leave out of the text, at its beginning or end; where the
 * text cannot be found in the tokens it is the first of all.
 */
function choiceAt(text: string, offset: number, choices: readonly TokenChoice[]): TokenChoice | undefined {
  const shown = text.trim();
  const at =
    shown === ''
      ? -1
      : choices
          .map(({ token }) => token)
          .join('')
          .lastIndexOf(shown);
  const least = at < 0 ? 0 : at + offset - (text.length - text.trimStart().length);
  let end = 0;
  return choices.find(({ token }) => {
    end += token.length;
    return end > least && lettersOf(token) !== '';
  });
}

/** The probability of each word, as far as the tokens tell. */
function weightsOf({ top }: TokenChoice, words: readonly string[]): number[] {
  const weights = words.map(() => 0);
  for (const { token, logprob } of top) {
    const letters = lettersOf(token);
    const meant = words.flatMap((word, place) => (letters !== '' && word.startsWith(letters) ? [place] : []));
    if (meant.length === 1) weights[meant[0]] += Math.exp(logprob);
  }
  return weights;
}

function lettersOf(token: string): string {
  return token.toUpperCase().replace(NOT_LETTERS, '');
}
