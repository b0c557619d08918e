import type { Digest, SelectionRequest } from '../../src/contract/index.ts';

/** The options of a digest, as they are sent to select among its points again. */
export function sameSelection({ selection }: Pick<Digest, 'selection'>): SelectionRequest {
  const { preset, strategy, size, seed, kernel, relevance, salience, coverage, sources, support, mmr, exact, refine } =
    selection;
  const { sigma, ...compared } = kernel;
  const { form, weight, gate, surroundings } = relevance;
  return {
    preset,
    strategy,
    ...(size !== null && { size }),
    seed,
    kernel: { ...compared, ...(sigma !== null && { sigma }) },
    relevance: { form, weight, gate, surroundings },
    salience,
    coverage: { weight: coverage.weight, ...(coverage.threshold !== null && { threshold: coverage.threshold }) },
    sources,
    support: { threshold: support.threshold },
    mmr,
    exact,
    refine,
  };
}
