import { pickOneByOne } from './one-by-one.ts';
import { ONE_BY_ONE, type Strategy, type StrategyInput, type StrategyResult } from './strategy.ts';

/** @param passesOver whether to skip an item that is too long for the remaining room, rather than stop */
export function greedyMap(
  input: Pick<StrategyInput, 'newObjective' | 'items' | 'fits' | 'limit'>,
  passesOver = false,
): Promise<StrategyResult> {
  const objective = input.newObjective();
  const next = () => objective.leaders()[0];
  const pass = passesOver ? objective.dismiss : undefined;
  return pickOneByOne(input, { next, take: objective.pick, pass, end: objective.release });
}

export const dppMap: Strategy = {
  ...ONE_BY_ONE,
  objective:
    'The set with the largest log det(L_S) + mu cov(S) + nu sources(S), greedily: relevant points that differ.',
  source: 'Chen, Zhang & Zhou, NeurIPS 2018; lazily: Minoux 1978',
  select: (input) => greedyMap(input, input.options.size === 'auto'),
};
