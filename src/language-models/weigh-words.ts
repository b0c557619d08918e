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

const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i;
const NOT_LETTERS = /[^\p{L}]+/gu;

/**
 * Reads an answer that should be one of some words.
 *
 * @param words in capitals, none the beginning of another
 * @returns null where it names none of them
 */
export function weighWords(
  text: string,
  choices: readonly TokenChoice[] | null,
  words: readonly string[],
): WeighedWord | null {
  const said = text.replace(THOUGHTS, '').toUpperCase().split(NOT_LETTERS);
  const word = said.find((each) => words.includes(each));
  const shares = choices === null ? null : sharesOf(choices, words);
  if (word !== undefined) return { word, shares };
  if (shares === null) return null;
  return { word: words[shares.indexOf(Math.max(...shares))], shares };
}

/** Where the first letters stand, the answer begins; whatever comes before (white space, quotes) decides nothing. */
function sharesOf(choices: readonly TokenChoice[], words: readonly string[]): number[] | null {
  const first = choices.find(({ token }) => lettersOf(token) !== '');
  if (first === undefined) return null;
  const weights = words.map(() => 0);
  for (const { token, logprob } of first.top) {
    const letters = lettersOf(token);
    const meant = words.flatMap((word, place) => (letters !== '' && word.startsWith(letters) ? [place] : []));
    if (meant.length === 1) weights[meant[0]] += Math.exp(logprob);
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? weights.map((weight) => weight / total) : null;
}

function lettersOf(token: string): string {
  return token.toUpperCase().replace(NOT_LETTERS, '');
}
