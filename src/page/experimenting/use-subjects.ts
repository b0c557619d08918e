import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client, Experiment } from '../../client/index.ts';

/** Results that are asked for at once: they are worked out from all outcomes. */
const AT_ONCE = 2;

/** How many subjects experiments that have begun have: told one after another, null where it cannot be told. */
export function useSubjects(client: Client, experiments: readonly Experiment[]): ReadonlyMap<string, number | null> {
  const [subjects, setSubjects] = useState<ReadonlyMap<string, number | null>>(new Map());
  const asked = useRef(new Set<string>());
  const shown = useRef(experiments);
  shown.current = experiments;
  const giving = useRef(new AbortController());
  useEffect(() => {
    const own = new AbortController();
    giving.current = own;
    return () => own.abort();
  }, []);
  const { length } = experiments;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list only grows
  useEffect(() => {
    const { signal } = giving.current;
    const waiting = shown.current.filter(({ key, status }) => status !== 'draft' && !asked.current.has(key));
    for (const { key } of waiting) asked.current.add(key);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
        const { key } = next;
        const exposed = await client.experiments.results(key, { signal }).then(
          (results) => results.exposed,
          () => null,
        );
        if (!signal.aborted) setSubjects((before) => new Map(before).set(key, exposed));
      }
    };
    for (let each = 0; each < AT_ONCE; each++) void work();
  }, [client, length]);
  return subjects;
}
