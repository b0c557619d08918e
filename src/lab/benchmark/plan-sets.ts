import type { DigestDeps } from '../../digest/index.ts';
import { VERSION } from '../../server/index.ts';
import type { JudgeIdentity } from '../bulk/judge-identity.ts';
import { BadRecordsError } from '../cli/check-records.ts';
import { countingLine } from '../cli/counting-line.ts';
import { type PlannedOutput, planRun } from '../run/plan-run.ts';
import type { RunSet } from '../run/system.ts';
import { isFileSystem, type System, UnusableSystemError } from '../run/system.ts';
import type { CommandStreams } from './command.ts';

export interface PlannedSet {
  readonly set: RunSet;
  readonly outputs: readonly PlannedOutput[];
}

interface PlanningOptions {
  /** Of the configuration, to name it. */
  readonly path: string;
  /** Cases of each set. */
  readonly limit: number;
  readonly judge: JudgeIdentity;
  readonly stderr: CommandStreams['stderr'];
  /** Ends it between two cases. */
  readonly signal: AbortSignal;
}

/**
 * What systems are to make of sets. Where documents are encoded or ranked to find those that a system is given, which takes
 * a while, that and how far it is are told.
 *
 * @returns null where it was ended
 * @throws BadRecordsError where a system asks for what cannot be had here, or for a case; ModelCallError where an encoder or
 *   reranker behind an endpoint fails for good
 */
export async function planSets(
  systems: readonly System[],
  sets: readonly RunSet[],
  deps: DigestDeps,
  { path, limit, judge, stderr, signal }: PlanningOptions,
): Promise<PlannedSet[] | null> {
  const retrievers = retrieversOf(systems, deps);
  if (retrievers.length > 0) stderr.write(`To retrieve, documents are ${retrievers.join(' and ')}.\n`);
  const planned: PlannedSet[] = [];
  for (const whole of sets) {
    const set = { ...whole, cases: whole.cases.slice(0, limit) };
    const line = countingLine(stderr, `planning ${set.name}`);
    const onPlanned = (done: number) => {
      if (retrievers.length > 0) line.notify(done, set.cases.length, '');
    };
    try {
      const outputs = await planRun(systems, set, deps, { version: VERSION, judge, onPlanned, signal });
      if (outputs === null) return null;
      planned.push({ set, outputs });
    } catch (error) {
      if (!(error instanceof UnusableSystemError)) throw error;
      const where = `${path} system "${error.system}"`;
      throw new BadRecordsError([{ where, pointer: error.pointer, detail: error.message }], 'run');
    } finally {
      line.end();
    }
  }
  return planned;
}

/** What is done to documents to retrieve them, and by what: each once, without what is not here and will be refused. */
function retrieversOf(systems: readonly System[], { engine }: DigestDeps): string[] {
  const { encoders, rerankers, defaultEncoder } = engine;
  const done = systems.flatMap((system) => {
    const { by, name } = (isFileSystem(system) ? undefined : system.retrieval) ?? {};
    if (by === 'embedding') return encoders.has(name ?? defaultEncoder) ? [`encoded by ${name ?? defaultEncoder}`] : [];
    if (by !== 'reranker') return [];
    const named = [...rerankers.keys()].filter((each) => name === undefined || each === name);
    return named.length === 1 ? [`ranked by ${named[0]}`] : [];
  });
  return [...new Set(done)];
}

/** The cases of a set that a system cannot be given documents for, in a line each. */
export function leftOut({ set, outputs }: PlannedSet, systems: readonly System[]): string[] {
  return systems.flatMap((system) => {
    if (isFileSystem(system)) return [];
    const there = new Set(outputs.filter(({ arm }) => arm === system.name).map(({ datum }) => datum));
    const lacking = set.cases.filter(({ id }) => !there.has(id)).map(({ id }) => id);
    if (lacking.length === 0) return [];
    return [`${set.name}, ${system.name}: left out, as nothing says what to retrieve: ${lacking.join(', ')}`];
  });
}
