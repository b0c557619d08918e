import { useEffect, useRef, useState } from 'preact/hooks';
import type { SelectionsRequest } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { OWN_LABELS, sizeKindOf, strategyOf } from '../parts/options.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { type Picture, pictureOf } from './points.ts';

type SelectionInput = NonNullable<SelectionsRequest['selection']>;
type Resolved = StoredDigest['digest']['selection'];

/** Changed settings; the digest's apply to the others. */
interface Changes {
  readonly strategy?: SelectionInput['strategy'] | undefined;
  readonly keyPoints?: number | undefined;
  readonly weight?: number | undefined;
  readonly seed?: number | undefined;
}

/** The request that repeats a digest's selection, without the stored relevance and the background, which is not stored. */
export function selectionRequest(resolved: Resolved): SelectionInput {
  const { preset, strategy, size, seed, kernel, relevance, salience, coverage, sources, support, refine } = resolved;
  const { similarity, form, sigma, idf } = kernel;
  const { weight, gate, surroundings } = relevance;
  return {
    preset,
    strategy,
    ...(size !== null && { size }),
    seed,
    kernel: { similarity, form, ...(sigma !== null && { sigma }), idf },
    relevance: { form: relevance.form, weight, gate, surroundings },
    salience: { weight: salience.weight, threshold: salience.threshold },
    coverage: { weight: coverage.weight, ...(coverage.threshold !== null && { threshold: coverage.threshold }) },
    ...(sources !== undefined && { sources: { weight: sources.weight } }),
    support: { threshold: support.threshold },
    ...Object.fromEntries(Object.keys(OWN_LABELS).map((key) => [key, Reflect.get(resolved, key)])),
    refine,
  };
}

/** The digest's options with changes. @param picked default size if the strategy needs one */
export function changedRequest(resolved: Resolved, changes: Changes, picked: number): SelectionInput {
  const { size, ...own } = selectionRequest(resolved);
  const strategy = changes.strategy ?? resolved.strategy;
  const { sizes } = strategyOf(strategy);
  const wanted = changes.keyPoints === undefined ? size : { keyPoints: changes.keyPoints };
  const kind = sizeKindOf(wanted);
  const usable = kind !== undefined && sizes.includes(kind) ? wanted : { keyPoints: Math.max(1, picked) };
  return {
    ...own,
    strategy,
    ...(sizes.length > 0 && { size: usable }),
    ...(changes.seed !== undefined && { seed: changes.seed }),
    relevance: { ...own.relevance, ...(changes.weight !== undefined && { weight: changes.weight }) },
  };
}

export function isChanged(changes: Changes): boolean {
  return Object.values(changes).some((value) => value !== undefined);
}

interface Answer {
  /** The new selection; null if the digest's own is shown. */
  readonly picture: Picture | null;
  /** Response time; null before the first answer. */
  readonly milliseconds: number | null;
  readonly isWaiting: boolean;
  readonly failure: unknown;
}

export interface Reselection extends Answer {
  readonly changes: Changes;
  move(part: Changes): void;
  reset(): void;
  again(): void;
}

const NOTHING: Answer = { picture: null, milliseconds: null, isWaiting: false, failure: null };

/** Selects a digest's key points again with changed settings, one request at a time, each with the latest changes. */
export function useReselection({ id, selection }: StoredDigest['digest'], picked: number): Reselection {
  const { client } = useService();
  const [changes, setChanges] = useState<Changes>({});
  const [answer, setAnswer] = useState<Answer>(NOTHING);
  const latest = useRef<Changes>({});
  const isBusy = useRef(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);

  const ask = async (): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    const { signal } = leaving.current;
    let asked: Changes | null = null;
    while (asked !== latest.current && isChanged(latest.current) && !signal.aborted) {
      asked = latest.current;
      const begun = performance.now();
      const sent = { digest: id, selection: changedRequest(selection, asked, picked) };
      const next = await client.selections.create(sent, { signal }).then(
        (found) => ({ picture: pictureOf(found), milliseconds: performance.now() - begun, failure: null }),
        (failure: unknown) => ({ failure }),
      );
      // A reset in the meantime wins.
      if (isChanged(latest.current))
        setAnswer((before) => ({ ...before, ...next, isWaiting: asked !== latest.current }));
    }
    isBusy.current = false;
  };
  const change = (next: Changes): void => {
    latest.current = next;
    setChanges(next);
    setAnswer(isChanged(next) ? (before) => ({ ...before, isWaiting: true }) : NOTHING);
    void ask();
  };
  return {
    ...answer,
    changes,
    move: (part) => change({ ...latest.current, ...part }),
    reset: () => change({}),
    again: () => change({ ...latest.current }),
  };
}
