import { unsupportedNames } from './names.ts';
import { unsupportedNumbers } from './numbers.ts';
import { isVerbatim } from './verbatim.ts';

/**
 * Why quotes do not support a sentence: wording too far off, or a number or name that they do not bear out. What denies or turns
 * around is for `states.ts` to tell.
 */
type Unsupported = 'words' | 'number' | 'name';

export interface SentenceToCheck {
  readonly text: string;
  /** The quotes it cites. */
  readonly quotes: readonly string[];
  /** Titles and speakers, which names may come from; numbers may not. */
  readonly allowedNames: readonly string[];
  /** ISO 639-3; names are not told by capitals alone where nouns have them too. */
  readonly language?: string | undefined;
}

interface MeasuredSentence extends SentenceToCheck {
  /** Recall of its tokens or words in the quotes; null where it could not be measured. */
  readonly recall: number | null;
  /** Recall of the stretch that is found worst, which shows claims added to others, and the level it has to reach. */
  readonly weakest?: { readonly recall: number; readonly level: number } | undefined;
  /** Recall of its two neighbouring tokens (without tokens: of its stretch of words) found worst; null where not measured. */
  readonly worstPair?: number | null | undefined;
  /** Cosine with the quotes, where it is to be weighed with the recall of words. */
  readonly cosine: number | null;
  /** Score from which its wording counts as supported. */
  readonly level: number;
  /** Lower-case words that are known as names from elsewhere, for the first word of the sentence. */
  readonly knownNames?: ReadonlySet<string> | undefined;
}

export interface Verdict {
  readonly supported: boolean;
  /** How far the quotes support the wording, in [0, 1]; 1 for their own. */
  readonly score: number;
  readonly reasons: readonly Unsupported[];
  /** How well what is found worst of it is found, in [0, 1]; 1 for the quotes' own wording, null where not measured. */
  readonly worst: number | null;
}

/** Decides whether quotes support the sentence that cites them. */
export function checkSentence(sentence: MeasuredSentence): Verdict {
  const { text, quotes, allowedNames, level, weakest } = sentence;
  if (isVerbatim(text, quotes, allowedNames)) return { supported: true, score: 1, reasons: [], worst: 1 };
  const score = supportScore(sentence.recall, sentence.cosine);
  const reasons: Unsupported[] = [];
  const isAdding = weakest !== undefined && weakest.recall < weakest.level;
  if (score < level || isAdding || quotes.length === 0) reasons.push('words');
  if (unsupportedNumbers(text, quotes).length > 0) reasons.push('number');
  if (unsupportedNames(sentence).length > 0) reasons.push('name');
  return { supported: reasons.length === 0, score, reasons, worst: sentence.worstPair ?? null };
}

/** Recall, or the mean of recall and cosine where there is one. */
function supportScore(recall: number | null, cosine: number | null): number {
  const parts = [recall, cosine].filter((part) => part !== null);
  if (parts.length === 0) return 0;
  return Math.max(0, Math.min(1, parts.reduce((sum, part) => sum + part, 0) / parts.length));
}
