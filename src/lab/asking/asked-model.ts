import { ModelCallError, type Prompt, type Question, type StageModel } from '../../models/index.ts';
import type { FailedAttempt } from '../benchmark-set.ts';

/**
 * The answer to a question, or null where the model gave none that could be read, or the server did not take the question
 * for what it holds; the model has counted it. Whatever else a call fails with ends the making.
 */
export async function nullIfUnanswerable<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (failure) {
    if (isUnanswerable(failure)) return null;
    throw failure;
  }
}

/** Whether a call failed for what it asks, so that another run would fail alike. */
export function isUnanswerable(failure: unknown): failure is ModelCallError {
  return (
    failure instanceof ModelCallError &&
    (failure.failure === 'malformed' || (failure.failure === 'refused' && !failure.isFatal))
  );
}

/** How far a model says yes. */
interface WeighedYes {
  /** exp(YES) / (exp(YES) + exp(NO)) of the log probabilities (Qi et al. 2024, appendix A.2). */
  readonly share: number;
  /** Whether that is a probability; else it is 1 or 0, after the word that the model answered with. */
  readonly isWeighed: boolean;
}

const ANSWER_TOKENS = 16;

/**
 * Asks a question of YES or NO.
 *
 * @returns null where the model could not be brought to answer
 * @throws ModelCallError where the call failed otherwise than for what it asked
 */
export async function yesProbability(
  model: AskedModel,
  question: Pick<Question, 'prompt' | 'values'>,
): Promise<WeighedYes | null> {
  const answer = await nullIfUnanswerable(model.weigh({ ...question, maxTokens: ANSWER_TOKENS }, ['YES', 'NO']));
  if (answer === null) return null;
  const { shares, word } = answer;
  return { share: shares === null ? Number(word === 'YES') : shares[0], isWeighed: shares !== null };
}

/** The language model as the making of a benchmark asks it: every answer is kept, and no question asked twice. */
export interface AskedModel extends StageModel {
  /**
   * A prompt of the making, by its id; it is recorded as used.
   *
   * @throws TypeError where there is none: a mistake in the code that asks
   */
  prompt(id: string): Prompt;
  counts(): AskingCounts;
  /** Hashes of the prompts used, by id, in order of these. */
  prompts(): Readonly<Record<string, string>>;
  /** Why a question had no answer, of the first that had none in this run; null where all had one. */
  firstFailure(): string | null;
  /** Takes no further questions, and waits for the answers that are under way. */
  close(): Promise<void>;
}

/** Of one run; `calls`, `malformed`, `refused` and `askedAgain` are the same for a run that was resumed. */
export interface AskingCounts {
  /** Questions answered, now or in an earlier run. */
  readonly calls: number;
  /** Of them, answered in an earlier run. */
  readonly known: number;
  /** Questions whose second answer could not be read either. */
  readonly malformed: number;
  /** Questions that the server would not take, for what they hold: too long, say. */
  readonly refused: number;
  /** Questions whose first answer could not be read. */
  readonly askedAgain: number;
}

/** Calls that a making expects, from what it is given. */
export interface CallEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A step of the making of a set that asks a language model. */
export interface Protocol<Result> {
  readonly step: string;
  readonly version: number;
  /** What decides the result beside the input and the model, by flag. */
  readonly options: Readonly<Record<string, string | number | boolean | null>>;
  /** Calls in all; later stages as they are likely. */
  expected(): CallEstimate;
  /** Calls at the most, where there is a bound that means something. */
  most?(): number;
  /**
   * Makes it. A question that the model cannot answer in the asked form is counted by the model and gives nothing; the
   * making goes on (`orNothing`). It must not fail where nothing at all is answered.
   */
  make(model: AskedModel): Promise<MadeBy<Result>>;
}

export interface MadeBy<Result> {
  readonly result: Result;
  /** What came out and what was dropped, by name; the counts of the model are added. */
  readonly counts: Readonly<Record<string, number>>;
  readonly failedAttempts?: readonly FailedAttempt[] | undefined;
}
