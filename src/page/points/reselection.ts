import { useEffect, useState } from 'preact/hooks';
import type { SelectionsAnswer, SelectionsRequest } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { leavesOf, optionsFrom, strategyIn, withOptions } from '../parts/options.ts';
import { OWN_LABELS } from '../parts/strategies.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';

type SelectionInput = NonNullable<SelectionsRequest['selection']>;
type Resolved = StoredDigest['digest']['selection'];

/** Values by the paths of their options; the digest's apply to the others. */
type Changes = Readonly<Record<string, unknown>>;

/** Options that a digest reports and a request may repeat: not the stored relevance, nor the background, which is not stored. */
const REPEATED = new RegExp(
  `^selection\\.(?:preset|strategy|size|seed|refine|relevance\\.(?:form|weight|gate|surroundings)|support\\.threshold|(?:kernel|salience|coverage|sources|${Object.keys(OWN_LABELS).join('|')})\\..*)$`,
);

/** Options of which null says that they were not used; of others it is a value. */
const UNUSED = /^selection\.(?:size|kernel\.sigma|coverage\.threshold)$/;

/** The request that repeats a digest's selection. */
export function selectionRequest(selection: Resolved): SelectionInput {
  const set = leavesOf({ selection }).filter(([path, value]) => value !== null || !UNUSED.test(path));
  return optionsFrom(set.filter(([path]) => REPEATED.test(path))).selection ?? {};
}

/** The digest's options with changes. @param picked default size if the strategy needs one */
export function changedRequest(resolved: Resolved, changes: Changes, picked: number): SelectionInput {
  const { selection = {} } = withOptions({ selection: selectionRequest(resolved) }, changes);
  const needsSize = strategyIn(selection).sizes.length > 0 && selection.size === undefined;
  return needsSize ? { ...selection, size: { keyPoints: Math.max(1, picked) } } : selection;
}

interface Answer {
  /** The new selection; null if the digest's own is shown. */
  readonly answer: SelectionsAnswer | null;
  readonly isWaiting: boolean;
  readonly failure: unknown;
}

export type Reselection = ReturnType<typeof useReselection>;

const NOTHING: Answer = { answer: null, isWaiting: false, failure: null };

/** Milliseconds without a change after which the service is asked. */
const PAUSE = 50;

/** Selects a digest's key points again with changed settings. A further change replaces a request. */
export function useReselection({ id, selection }: StoredDigest['digest'], picked: number) {
  const { client } = useService();
  const [changes, setChanges] = useState<Changes | null>(null);
  const [answered, setAnswered] = useState(NOTHING);
  useEffect(() => {
    if (changes === null) return setAnswered(NOTHING);
    const leaving = new AbortController();
    const { signal } = leaving;
    const ask = async (): Promise<void> => {
      const request = { digest: id, selection: changedRequest(selection, changes, picked) };
      try {
        setAnswered({ ...NOTHING, answer: await client.selections.create(request, { signal }) });
      } catch (failure) {
        if (!signal.aborted) setAnswered((before) => ({ ...before, isWaiting: false, failure }));
      }
    };
    setAnswered((before) => ({ ...before, isWaiting: true }));
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, id, selection, picked, changes]);
  return {
    ...(changes === null ? NOTHING : answered),
    isChanged: changes !== null,
    /** The request with the changes. */
    selection: changedRequest(selection, changes ?? {}, picked),
    move: (part: Changes) => setChanges((before) => ({ ...before, ...part })),
    reset() {
      setChanges(null);
      announce('The digest’s own selection.');
    },
  };
}
