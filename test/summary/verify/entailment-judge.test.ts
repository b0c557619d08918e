import { describe, expect, it } from 'vitest';
import type { EntailmentModel, EntailmentQuestion } from '../../../src/models/index.ts';
import { entailmentJudge, holdPoints, type Passage, type SelectedPoint } from '../../../src/summary/index.ts';
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

  it('holds key points: what it does not accept gives way to the quote, and an alarm is looked at once more', async () => {
    const { judge, asked } = judging(({ claim }) => (claim.includes('fell') ? 0 : 1));
    const point = (text: string): SelectedPoint => ({
      ...{
        id: text,
        document: 'd',
        text,
        isWorded: true,
        relevance: 1,
        salience: 1,
        rank: 1,
        facet: null,
        supports: [],
      },
      quote: { ...RENTS.quotes[0], start: 0, end: RENTS.quotes[0].text.length },
    });
    const texts = ['Rents fell.', 'Rents went up.', 'Rents went up by 9 percent.', 'Rents rose by 8 percent.'];
    const { points, failure } = await holdPoints(texts.map(point), [{ id: 'd' }], { mode: 'judge', judge });
    expect(points.map(({ text, verification }) => [text, verification])).toEqual([
      ['Rents rose by 8 percent.', 'verbatim'],
      ['Rents went up.', 'judged'],
      ['Rents went up by 9 percent.', 'judged'],
      ['Rents rose by 8 percent.', 'verbatim'],
    ]);
    expect(asked.map((questions) => questions.map(({ claim }) => claim))).toEqual([texts.slice(0, 3), [texts[2]]]);
    expect(failure).toBeNull();
  });

  it('a model that breaks is no verdict', async () => {
    const { judge } = judging(() => {
      throw new Error('broken');
    });
    await expect(judge([{ text: 'Rents rose.', passages: [RENTS] }])).rejects.toThrow('broken');
  });
});
