import pLimit from 'p-limit';
import type { ComparedDigest } from './compare-digest.ts';

/** One digest to make: by an arm, of a datum. */
export interface ComparisonWork {
  readonly arm: { readonly name: string };
  readonly datum: { readonly id: string };
  /** Names what comes of it, so that a later run finds it: it changes with anything that the figures depend on. */
  readonly key: string;
  /** What is read and encoded for it: the same for arms that share this. */
  readonly reading: string;
  /** Whether making the digest asks a language model. */
  readonly usesModel: boolean;
  /** Whether anything does, a judge of it too; as `usesModel` where absent. */
  readonly asksModel?: boolean | undefined;
}

export interface ComparisonDeps<Work extends ComparisonWork, Made extends ComparedDigest> {
  /** What earlier runs kept, by key. */
  readonly known: (keys: readonly string[]) => Promise<ReadonlyMap<string, Made>>;
  readonly make: (work: Work) => Promise<Made>;
  readonly keep: (key: string, made: Made) => Promise<void>;
  readonly onProgress: (progress: ComparisonProgress) => void;
  /** Whether every further digest for which a language model is asked would fail alike. */
  readonly isFatal: (failure: unknown) => boolean;
  /** Digests under way at once. */
  readonly atOnce: number;
  /** No digest is begun after it. */
  readonly signal: AbortSignal;
}

interface ComparisonProgress {
  readonly done: number;
  readonly total: number;
  readonly known: number;
  readonly failed: number;
}

export interface MadeComparison<Made extends ComparedDigest = ComparedDigest> {
  readonly arm: string;
  readonly datum: string;
  readonly digest: Made;
  /** Whether it was made in an earlier run. */
  readonly known: boolean;
}

export interface FailedComparison {
  readonly arm: string;
  readonly datum: string;
  readonly failure: unknown;
}

export interface ComparisonRun<Made extends ComparedDigest = ComparedDigest> {
  /** In the order of what was planned. */
  readonly made: readonly MadeComparison<Made>[];
  readonly failed: readonly FailedComparison[];
  readonly isStopped: boolean;
}

type Outcome<Made extends ComparedDigest> =
  | { readonly made: MadeComparison<Made> }
  | { readonly failed: FailedComparison }
  | null;

/**
 * Makes the digests of a comparison, each kept as soon as it is there; those of earlier runs are not made again, and arms
 * whose options come to the same share one. Digests that fail, or of which a part failed, are tried again by the next run.
 * The data come one after the other, and of each the first digest that reads documents in a way of its own goes ahead, so
 * that the rest find what it read.
 */
export async function runComparison<Work extends ComparisonWork, Made extends ComparedDigest>(
  planned: readonly Work[],
  deps: ComparisonDeps<Work, Made>,
): Promise<ComparisonRun<Made>> {
  const { signal, onProgress } = deps;
  const before = await deps.known([...new Set(planned.map(({ key }) => key))]);
  const known = planned.filter(({ key }) => before.has(key)).length;
  const total = planned.length;
  let [done, failed] = [known, 0];
  onProgress({ done, total, known, failed });

  let fatal: { readonly failure: unknown } | null = null;
  const underWay = new Map<string, Promise<Made>>();
  const makeOnce = (each: Work): Promise<Made> => {
    const made =
      underWay.get(each.key) ??
      deps.make(each).then(async (digest) => {
        if (!digest.isPartial) await deps.keep(each.key, digest);
        return digest;
      });
    underWay.set(each.key, made);
    return made;
  };
  const outcomeOf = async (each: Work): Promise<Outcome<Made>> => {
    const place = { arm: each.arm.name, datum: each.datum.id };
    const digest = before.get(each.key);
    if (digest !== undefined) return { made: { ...place, digest, known: true } };
    if (signal.aborted) return null;
    try {
      if (fatal !== null && (each.asksModel ?? each.usesModel)) throw fatal.failure;
      return { made: { ...place, digest: await makeOnce(each), known: false } };
    } catch (failure) {
      if (signal.aborted) return null;
      if (deps.isFatal(failure)) fatal = { failure };
      failed++;
      return { failed: { ...place, failure } };
    } finally {
      done++;
      if (!signal.aborted) onProgress({ done, total, known, failed });
    }
  };

  const limit = pLimit(deps.atOnce);
  const outcomes = new Map<Work, Outcome<Made>>();
  for (const ofDatum of byDatum(planned)) {
    const isNew = ofDatum.filter(({ key }) => !before.has(key));
    for (const ahead of firstOfEach(isNew)) outcomes.set(ahead, await outcomeOf(ahead));
    const rest = ofDatum.filter((each) => !outcomes.has(each));
    await Promise.all(rest.map((each) => limit(async () => outcomes.set(each, await outcomeOf(each)))));
  }
  const inOrder = planned.map((each) => outcomes.get(each) ?? null);
  return {
    made: inOrder.flatMap((outcome) => (outcome !== null && 'made' in outcome ? [outcome.made] : [])),
    failed: inOrder.flatMap((outcome) => (outcome !== null && 'failed' in outcome ? [outcome.failed] : [])),
    isStopped: signal.aborted,
  };
}

function byDatum<Work extends ComparisonWork>(planned: readonly Work[]): Work[][] {
  const found = new Map<string, Work[]>();
  for (const each of planned) found.set(each.datum.id, [...(found.get(each.datum.id) ?? []), each]);
  return [...found.values()];
}

/** The first digest of every way of reading documents. */
function firstOfEach<Work extends ComparisonWork>(planned: readonly Work[]): Work[] {
  return [...new Map(planned.toReversed().map((each) => [each.reading, each])).values()].toReversed();
}
