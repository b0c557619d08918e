import { mean } from '../../evaluation/mean.ts';
import { type Estimate, estimateMean } from './estimate.ts';
import { FIGURES, figuresOf } from './figures.ts';
import type { ScoredRecord } from './record.ts';

/** How much higher a system's figures are than another's on the records that both have. */
export interface Difference {
  readonly system: string | null;
  readonly against: string | null;
  /** Ids that both have. */
  readonly shared: number;
  readonly figures: Readonly<Record<string, Estimate>>;
}

/** Paired differences by id of two systems' records of one metric, each in canonical order. */
export function differenceOf(ours: readonly ScoredRecord[], theirs: readonly ScoredRecord[]): Difference {
  const [a, b] = [byId(ours), byId(theirs)];
  const ids = [...a.keys()].filter((id) => b.has(id));
  const { metric } = ours[0].answer;
  const figures = FIGURES[metric].map(({ name }) => {
    const differences = ids.map((id) => {
      const [mine, other] = [meanOf(a.get(id), name), meanOf(b.get(id), name)];
      return mine === null || other === null ? null : mine - other;
    });
    return [name, estimateMean(differences, ids)] as const;
  });
  return {
    system: ours[0].record.system ?? null,
    against: theirs[0].record.system ?? null,
    shared: ids.length,
    figures: Object.fromEntries(figures),
  };
}

function byId(scored: readonly ScoredRecord[]): Map<string, ScoredRecord[]> {
  const found = new Map<string, ScoredRecord[]>();
  for (const each of scored) found.set(each.record.id, [...(found.get(each.record.id) ?? []), each]);
  return found;
}

/** Over the orders of documents that an id was asked with. */
function meanOf(scored: readonly ScoredRecord[] = [], name: string): number | null {
  return mean(scored.map(({ answer }) => figuresOf(answer)[name] ?? null).filter((value) => value !== null));
}
