import type { ReportInput } from '../../client/index.ts';
import type { StoredDigest } from './stored-digest.ts';

/** What was asked, as it is shown. */
interface Asked {
  readonly heading: string;
  readonly userStory: string | null;
  /** What the reader knew already, in words. */
  readonly background: string | null;
  /** Id of the digest that the reader knew already. */
  readonly earlier: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** Stands where a question would, of digests without one. */
export const NO_QUESTION = 'What these documents say';

const NOTHING = { userStory: null, background: null, earlier: null, from: null, to: null };

export function askedOf(intent: StoredDigest['request']['intent']): Asked {
  if (intent === null || intent === undefined) return { heading: NO_QUESTION, ...NOTHING };
  if (typeof intent === 'string') return { heading: intent, ...NOTHING };
  const { problem, userStory = null, background = null, publishedAfter = null, publishedBefore = null } = intent;
  return {
    heading: problem,
    userStory,
    background: typeof background === 'string' ? background : null,
    earlier: background !== null && typeof background === 'object' ? background.digest : null,
    from: publishedAfter,
    to: publishedBefore,
  };
}

/** Another question of the same reader about documents of the same dates. What was new once is not asked for again. */
export function followUpIntent(before: StoredDigest['request']['intent'], problem: string): string | ReportInput {
  if (typeof before !== 'object' || before === null) return problem;
  const { userStory, publishedAfter, publishedBefore } = before;
  if (userStory === undefined && publishedAfter === undefined && publishedBefore === undefined) return problem;
  return {
    problem,
    ...(userStory !== undefined && { userStory }),
    ...(publishedAfter !== undefined && { publishedAfter }),
    ...(publishedBefore !== undefined && { publishedBefore }),
  };
}
