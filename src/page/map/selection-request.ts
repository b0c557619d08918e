import type { SelectionsRequest } from '../../client/index.ts';
import { isUnsized, OWN_LABELS, takesSize } from '../parts/strategies.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';

type SelectionInput = NonNullable<SelectionsRequest['selection']>;
type Resolved = StoredDigest['digest']['selection'];

/** What can be moved on the map; what is absent stays as the digest has it. */
export interface Changes {
  readonly strategy?: SelectionInput['strategy'] | undefined;
  readonly keyPoints?: number | undefined;
  readonly weight?: number | undefined;
  readonly sigma?: number | 'median' | undefined;
  readonly seed?: number | undefined;
}

/**
 * The options of a digest as they are sent to have it selected again: those that its answer gives resolved, without what came of
 * them. How relevance was found is not asked again, since it stays as it is stored; nor is a background, which is not stored.
 */
export function selectionRequest(resolved: Resolved): SelectionInput {
  const { preset, strategy, size, seed, kernel, relevance, salience, coverage, sources, support, refine } = resolved;
  return {
    preset,
    strategy,
    ...(size !== null && { size }),
    seed,
    kernel: {
      similarity: kernel.similarity,
      form: kernel.form,
      ...(kernel.sigma !== null && { sigma: kernel.sigma }),
      idf: kernel.idf,
    },
    relevance: {
      form: relevance.form,
      weight: relevance.weight,
      gate: relevance.gate,
      surroundings: relevance.surroundings,
    },
    salience: { weight: salience.weight, threshold: salience.threshold },
    coverage: { weight: coverage.weight, ...(coverage.threshold !== null && { threshold: coverage.threshold }) },
    ...(sources !== undefined && { sources: { weight: sources.weight } }),
    support: { threshold: support.threshold },
    ...Object.fromEntries(Object.keys(OWN_LABELS).map((key) => [key, Reflect.get(resolved, key)])),
    refine,
  };
}

/**
 * The digest's own options with changes on top.
 *
 * @param picked how many the digest picked: the size where a strategy needs one and the digest's has none that it takes
 */
export function changedRequest(resolved: Resolved, changes: Changes, picked: number): SelectionInput {
  const { size, ...own } = selectionRequest(resolved);
  const strategy = changes.strategy ?? resolved.strategy;
  const wanted = changes.keyPoints === undefined ? size : { keyPoints: changes.keyPoints };
  const fits = wanted === undefined ? isUnsized(strategy) : takesSize(strategy, kindOf(wanted));
  const usable = fits ? wanted : isUnsized(strategy) ? undefined : { keyPoints: Math.max(1, picked) };
  return {
    ...own,
    strategy,
    ...(usable !== undefined && { size: usable }),
    ...(changes.seed !== undefined && { seed: changes.seed }),
    kernel: { ...own.kernel, ...(changes.sigma !== undefined && { sigma: changes.sigma }) },
    relevance: { ...own.relevance, ...(changes.weight !== undefined && { weight: changes.weight }) },
  };
}

/** Whether anything was moved. */
export function isChanged(changes: Changes): boolean {
  return Object.values(changes).some((value) => value !== undefined);
}

function kindOf(size: NonNullable<SelectionInput['size']>): 'keyPoints' | 'words' | 'auto' {
  if (size === 'auto') return 'auto';
  return 'keyPoints' in size ? 'keyPoints' : 'words';
}
