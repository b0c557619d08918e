import { ModelCallError } from '../../models/index.ts';

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
