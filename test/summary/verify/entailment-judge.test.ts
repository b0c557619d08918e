import { describe, expect, it } from 'vitest';
import type { EntailmentModel, EntailmentQuestion } from '../../../src/models/index.ts';
import { entailmentJudge, type Passage } from '../../../src/summary/index.ts';
import { SIMAV } from './passages.ts';

const RENTS: Passage = { document: 'd', quotes: [{ text: 'Rents rose by 8 percent.' }, { text: 'So did «prices».' }] };

function judging(probability: (question: EntailmentQuestion) => number) {
  const asked: EntailmentQuestion[][] = [];
  const model: EntailmentModel = {
    id: 'entailment/scripted/q8',
    entailment: async (questions) => {
      asked.push([...questions]);
      return Float64Array.from(questions, probability);
    },
  };
  return { judge: entailmentJudge(model), asked };
}

describe('an entailment model as judge', () => {
  it('reads all passages of a claim, in their surroundings or by the quotes alone, in one call', async () => {
    const { judge, asked } = judging(() => 1);
    await judge([
      { text: 'The quake hit Simav, and rents rose.', passages: [SIMAV, RENTS] },
      { text: 'Rents rose.', passages: [RENTS], doubted: ['8'] },
    ]);
    const rents = 'Rents rose by 8 percent.\nSo did «prices».';
    const origin = '“Quake in Turkey”, Friday 20 May 2011:\nsaid by Ana Lopez: ';
    const quote = 'The quake hit the town at 11:15 p.m.';
    expect(asked).toEqual([
      [
        {
          claim: 'The quake hit Simav, and rents rose.',
          premises: [
            `${origin}Simav lies in western Turkey. ${quote} Two people died.\n\n${rents}`,
            `${origin}${quote}\n\n${rents}`,
          ],
        },
        { claim: 'Rents rose.', premises: [rents, rents] },
      ],
    ]);
  });

  it('accepts what is likelier entailed than not, names no words, and drops no passage', async () => {
    const levels = [0, 0.4, 0.5, 0.51, 1];
    const { judge } = judging(({ claim }) => Number(claim));
    const found = await judge(levels.map((level) => ({ text: String(level), passages: [RENTS] })));
    expect(found.map(({ supported }) => supported)).toEqual([false, false, false, true, true]);
    for (const { wrong, idle } of found) expect([wrong, idle]).toEqual(['', []]);
  });
});
