import { WINDOW_OVERLAP, windowBytes } from '../../digest/index.ts';
import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { utf8Length } from '../../text/index.ts';
import type { CallEstimate } from '../asking/asked-model.ts';
import { roomOf } from './aggregate-points.ts';

/** Key points that a stretch of a part gives, and rounds that are gone before one adds little: as models have been seen to do. */
const [LIKELY_POINTS, LIKELY_ROUNDS] = [6, 2];
/** UTF-8 bytes of a stretch, where a part is not shorter. */
const STRETCH = 7200;
/** Of the points, what is left when they were merged batch by batch, and is gone through again. */
const LEFT = 0.8;
/** What prompts say beside what is filled in. */
const RULES = { read: 450, merge: 450, weigh: 280 };
const TOKENS = { point: 25, found: 400, group: 20, word: 2 };

/**
 * Calls for key points: to read documents part by part and round by round, and for each case to merge and weigh what is found.
 *
 * @param cases texts of the documents of each
 * @param rounds over a part, at most
 */
export function estimateCalls(
  cases: readonly (readonly string[])[],
  rounds: number,
  contextTokens: number,
): CallEstimate {
  const partBytes = Math.max(1, (1 - WINDOW_OVERLAP) * windowBytes(contextTokens));
  const room = roomOf({ contextTokens });
  const batch = Math.max(2, Math.min(room.points, Math.floor(room.bytes / (TOKENS.point * BYTES_PER_TOKEN))));
  const steps = cases.flatMap((texts) => {
    const sizes = texts.map((text) => utf8Length(text));
    const count = (of: number) => sizes.reduce((sum, size) => sum + Math.ceil(size / of), 0);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const stretches = count(Math.min(partBytes, STRETCH));
    const readings = count(partBytes) * Math.min(rounds, LIKELY_ROUNDS);
    const points = stretches * LIKELY_POINTS;
    const shown = points > batch ? points + LEFT * points : points;
    const merges = points > batch ? Math.ceil(points / batch) + Math.ceil((LEFT * points) / batch) : Number(points > 1);
    return [
      {
        calls: readings,
        prompt: RULES.read * readings + (bytes / BYTES_PER_TOKEN) * Math.min(rounds, LIKELY_ROUNDS),
        completion: TOKENS.found * stretches * Math.min(rounds, LIKELY_ROUNDS),
      },
      { calls: merges, prompt: RULES.merge * merges + TOKENS.point * shown, completion: TOKENS.group * shown },
      { calls: points, prompt: (RULES.weigh + TOKENS.point) * points, completion: TOKENS.word * points },
    ];
  });
  const total = (of: (step: (typeof steps)[number]) => number) =>
    Math.ceil(steps.reduce((sum, step) => sum + of(step), 0));
  return {
    calls: total(({ calls }) => calls),
    promptTokens: total(({ prompt }) => prompt),
    completionTokens: total(({ completion }) => completion),
  };
}
