import { pickOneByOne } from './one-by-one.ts';
import { ANY_SIZE, type Strategy, type StrategyInput, type StrategyResult } from './strategy.ts';

/** @param passesOver whether to skip an item that is too long for the remaining room, rather than stop */
export async function greedyMap(
  input: Pick<StrategyInput, 'newObjective' | 'items' | 'fits' | 'limit'>,
  passesOver = false,
): Promise<StrategyResult> {
  const objective = input.newObjective();
  const next = () => objective.leaders()[0];
  try {
    return await pickOneByOne(input, { next, take: objective.pick, pass: passesOver ? objective.dismiss : undefined });
  } finally {
    objective.release();
  }
}

export const dppMap: Strategy = {
  objective:
    'The set with the largest log det(L_S) + mu cov(S) + nu sources(S), greedily: relevant points that differ.',
  source: 'Chen, Zhang & Zhou, NeurIPS 2018; lazily: Minoux 1978',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: false,
  needs: {},
  select: (input) => greedyMap(input, input.options.size === 'auto'),
};
