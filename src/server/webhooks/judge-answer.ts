import { waitAfter } from './retry-schedule.ts';

/** What came of sending: the status of the answer, or the name of what went wrong. */
export type Answer =
  | {
      readonly status: number;
      /** Milliseconds that the receiver asks to wait. */
      readonly retryAfter: number | null;
    }
  | { readonly failure: string };

/** What becomes of the message, and why. */
export type Verdict =
  | { readonly state: 'delivered' | 'failed'; readonly outcome: string }
  | { readonly state: 'waiting'; readonly outcome: string; readonly waitMilliseconds: number };

/** The receiver wants no more of it. */
const GONE = 410;

/** Judges an attempt, counted from 1: delivered by any 2xx, and otherwise tried again while the schedule lasts. */
export function judgeAnswer(answer: Answer, attempt: number, random: () => number): Verdict {
  if ('failure' in answer) return again(answer.failure, attempt, null, random);
  const { status, retryAfter } = answer;
  const outcome = String(status);
  if (status >= 200 && status < 300) return { state: 'delivered', outcome };
  if (status === GONE) return { state: 'failed', outcome };
  return again(outcome, attempt, retryAfter, random);
}

function again(outcome: string, attempt: number, asked: number | null, random: () => number): Verdict {
  const waitMilliseconds = waitAfter(attempt, asked, random);
  return waitMilliseconds === null ? { state: 'failed', outcome } : { state: 'waiting', outcome, waitMilliseconds };
}
