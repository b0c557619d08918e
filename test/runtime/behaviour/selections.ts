import { expect } from 'vitest';
import { type DrawsAnswer, type SelectionsAnswer, selectionsAnswerSchema } from '../../../src/contract/index.ts';
import { MODEL_STRATEGIES, STRATEGY_NAMES } from '../../../src/selection/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { answered } from '../../support/promises.ts';
import { type Service, type Suite, told } from '../service.ts';

const items = [
  'Traffic in the centre fell by 18 percent.',
  'The charge raised 40 million euros.',
  'Shops lost some customers in the first year.',
  'Deliveries arrive before seven in the morning.',
  'Traffic in the centre fell by 18 percent.',
  '空气质量有所改善。',
].map((text, i) => ({ id: `i${i}`, text }));
const intent = 'How did traffic in the centre change?';
const embeddings = [
  [3, 0, 0],
  [0.1, 0, 0],
  [0, 1, 0],
  [0, 1, 1],
];
/** Positive definite. */
const kernel = [
  [2, 0.5, 0.1, 0],
  [0.5, 1, 0.3, 0.2],
  [0.1, 0.3, 1.5, 0.4],
  [0, 0.2, 0.4, 1],
];
const STRATEGIES = STRATEGY_NAMES.filter((name) => !MODEL_STRATEGIES.includes(name));
const SIZED = { keyPoints: 3 };
/** Strategies that decide for themselves how many. */
const UNSIZED: readonly string[] = ['dpp-sample', 'all'];

async function select({ post }: Service, request: object): Promise<SelectionsAnswer> {
  const json = await told<SelectionsAnswer>(post('/v1/selections', request));
  expect(selectionsAnswerSchema.parse(json)).toEqual(json);
  return json;
}

const chosen = ({ selected }: Pick<SelectionsAnswer, 'selected'>) => selected.map(({ index }) => index);

/** Selection alone. */
export const selections: Suite = (holds) => {
  holds('of items: relevant and different, with a receipt for each', async (service) => {
    const answer = await select(service, { items, intent, selection: { size: SIZED } });
    expect(answer.items.map(({ index, id }) => [index, id])).toEqual(items.map(({ id }, index) => [index, id]));
    expect(answer.selected.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(chosen(answer).filter((index) => index === 0 || index === 4)).toHaveLength(1); // the same words once
    expect(answer.selected.reduce((sum, { gain }) => sum + Number(gain), 0)).toBeCloseTo(Number(answer.objective), 9);
    expect(answer).toMatchObject({ stoppedBy: 'size', engine: { matrix: 'portable' }, gate: { kept: 6, dropped: 0 } });
    const turned = await select(service, { items: items.toReversed(), intent, selection: { size: SIZED } });
    expect(turned.objective).toBe(answer.objective);
  });

  holds('of a digest: its points, with other options, without encoding them again', async (service) => {
    const { digest, runtime } = service;
    const made = await digest({ documents: CITY, intent: CITY_INTENT });
    const before = runtime.ai.texts.length;
    const selection = { strategy: 'mmr', size: SIZED };
    const answer = await select(service, { digest: made.id, intent: CITY_INTENT, selection });
    expect(answer.items.map(({ id }) => id)).toEqual(made.keyPoints.map(({ id }) => id));
    expect(answer.selected).toHaveLength(3);
    expect(runtime.ai.texts.slice(before).filter((text) => !text.endsWith(CITY_INTENT))).toEqual([]);
    expect(answered(await digest({ documents: CITY, intent: CITY_INTENT }))).toEqual(answered(made));
  });

  for (const strategy of STRATEGIES) {
    holds(`by ${strategy}: the same every time`, async (service) => {
      const selection = { strategy, seed: 7, ...(UNSIZED.includes(strategy) ? {} : { size: SIZED }) };
      for (const given of [{ items, intent }, { embeddings }, { kernel }]) {
        // Relevance is no part of a kernel.
        const scores =
          'kernel' in given && ['mmr', 'relevance'].includes(strategy) ? { relevanceScores: [1, 3, 2, 0] } : {};
        const request = { ...given, ...scores, selection };
        const answer = await select(service, request);
        expect(answer.strategy).toBe(strategy);
        if (strategy === 'all') expect(answer.selected).toHaveLength(answer.items.length);
        else if (strategy !== 'dpp-sample') expect(answer.selected.length).toBeLessThanOrEqual(3);
        expect({ ...(await select(service, request)), usage: null, timings: null }).toEqual({
          ...answer,
          usage: null,
          timings: null,
        });
      }
    });
  }

  holds('draws: as many sets as asked for, by the probabilities of the kernel', async ({ post }) => {
    const selection = { strategy: 'dpp-sample', seed: 3 };
    const answer = await told<DrawsAnswer>(post('/v1/selections', { kernel, selection, draws: 1000 }));
    expect(answer.draws).toHaveLength(1000);
    const mean = answer.draws.reduce((sum, { selected }) => sum + selected.length, 0) / 1000;
    expect(mean).toBeCloseTo(Number(answer.expectedSize), 0);
    expect(Math.abs(mean - Number(answer.expectedSize))).toBeLessThan(0.15);
  });
};
