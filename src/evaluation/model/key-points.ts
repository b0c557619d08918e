import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import type { Unit, Verdict, VerdictAsker } from './ask-verdicts.ts';
import { evidenceIn, type Piece, pieces } from './pieces.ts';

export const ANSWER_POINTS = {
  name: 'key-points',
  schema: z.object({ keyPoints: z.array(z.object({ evidence: z.string().nullish(), text: z.string() })) }),
  asked: z.object({ keyPoints: z.array(z.object({ evidence: z.string(), text: z.string() })) }),
} satisfies JsonForm<unknown>;
type AnswerPoints = z.infer<typeof ANSWER_POINTS.schema>;

interface ExtractedPoints extends Verdict {
  readonly points: readonly string[];
}

/** Points take about twice their own text, and the answer is read in parts. */
const ANSWER_TOKENS = 3000;
const MAX_PART_BYTES = 4000;

/**
 * The key points of an answer, extracted as those of documents are (Qi et al. 2024, section 3.4): one call, or one for each part of a long
 * answer. A point whose words the answer does not hold is dropped.
 */
export async function modelKeyPoints(asker: VerdictAsker, answer: string): Promise<string[]> {
  const units = pieces(answer, Math.min(MAX_PART_BYTES, asker.room('judge-key-points'))).map(unitOf);
  await asker.lookUp(units);
  const found = await asker.all(units.map((unit) => async () => (await asker.ask(unit)).points));
  return [...new Set(found.flat())];
}

function unitOf({ text, hash }: Piece): Unit<AnswerPoints, ExtractedPoints> {
  return {
    purpose: 'judge-key-points',
    hashes: [hash],
    values: () => ({ answer: asData('answer', text) }),
    form: ANSWER_POINTS,
    maxTokens: ANSWER_TOKENS,
    read({ keyPoints }) {
      const stated = keyPoints.filter(({ evidence }) => evidenceIn(text, evidence ?? '') !== null);
      const points = stated.map((point) => point.text.trim()).filter((point) => point !== '');
      return { points, unfounded: stated.length < keyPoints.length };
    },
    none: { points: [] },
  };
}
