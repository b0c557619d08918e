import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';
import type { CoverageVerdict } from '../judge.ts';
import type { CoverageLevel } from '../summhay/shapes.ts';
import type { Unit, Verdict, VerdictAsker } from './ask-verdicts.ts';
import { byHash, nearestFirst, type Piece, packed, pieces } from './pieces.ts';

const LEVELS = { NO: 0, PARTIAL: 50, FULL: 100 } as const satisfies Readonly<Record<string, CoverageLevel>>;
const LEVEL_NAMES = ['NO', 'PARTIAL', 'FULL'] as const;

/** A level, and the number of the bullet from 1. */
const ASKED = z.object({ coverage: z.enum(LEVEL_NAMES), bullet: z.int().nullable() });
type CoverageAnswer = z.infer<typeof ASKED>;

/** The answer about so many bullets: one that covers has a number among theirs. */
export function coverageForm(bullets: number): JsonForm<CoverageAnswer> {
  const schema = ASKED.refine(
    ({ coverage, bullet }) => coverage === 'NO' || (bullet !== null && bullet >= 1 && bullet <= bullets),
    { message: `what covers the insight has to be the number of a bullet, 1 to ${bullets}`, path: ['bullet'] },
  );
  return { name: 'coverage', schema, asked: ASKED };
}

interface Shown extends Piece {
  /** Place of the bullet, from 0. */
  readonly place: number;
}

interface LevelVerdict extends Verdict {
  readonly level: CoverageLevel;
  /** Among those shown, from 0; null where none covers the insight. */
  readonly shown: number | null;
}

const ANSWER_TOKENS = 200;

/**
 * How far the best bullet covers each insight (Laban et al. 2024, section 3 and appendix): one call an insight, with all
 * bullets that fit into it. Where none covers it, the bullet is the one that shares most words with it.
 */
export async function modelCoverage(
  asker: VerdictAsker,
  insights: readonly string[],
  bullets: readonly string[],
): Promise<CoverageVerdict[]> {
  const room = asker.room('judge-coverage');
  const places = new Map([...bullets.entries()].reverse().map(([place, text]) => [text, place]));
  const shown = [...places]
    .flatMap(([text, place]) => pieces(text, room).map((piece): Shown => ({ ...piece, place })))
    .sort((a, b) => byHash(a, b) || a.place - b.place);
  const parts = packed(shown, room);
  const firstPlace = bullets.length === 0 ? null : 0;
  await asker.lookUp(insights.flatMap((insight) => parts.map((part) => unitOf(insight, part))));
  return asker.all(
    insights.map((insight) => async () => {
      let best: { readonly level: CoverageLevel; readonly place: number } | null = null;
      for (const part of parts) {
        const { level, shown: at } = await asker.ask(unitOf(insight, part));
        if (at !== null && level > (best?.level ?? 0)) best = { level, place: part[at].place };
        if (level === LEVELS.FULL) break;
      }
      if (best !== null) return { level: best.level, score: best.level / 100, bullet: best.place };
      const [nearest] = nearestFirst(insight, shown);
      const place = shown.find(({ hash }) => hash === nearest?.hash)?.place;
      return { level: 0, score: 0, bullet: place ?? firstPlace };
    }),
  );
}

function unitOf(insight: string, part: readonly Shown[]): Unit<CoverageAnswer, LevelVerdict> {
  return {
    purpose: 'judge-coverage',
    hashes: [contentHash(insight), ...part.map(({ hash }) => hash)],
    values: () => ({
      insight: asData('insight', insight),
      bullets: part.map(({ text }, i) => asData('bullet', text, i + 1)).join('\n'),
    }),
    form: coverageForm(part.length),
    maxTokens: ANSWER_TOKENS,
    read: ({ coverage, bullet }) => ({
      level: LEVELS[coverage],
      shown: coverage === 'NO' || bullet === null ? null : bullet - 1,
    }),
    none: { level: LEVELS.NO, shown: null },
  };
}
