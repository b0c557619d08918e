import type { DigestDeps } from '../../digest/index.ts';
import type { JudgeRequest } from '../../evaluation/index.ts';
import {
  BadRecordsError,
  expectedCalls,
  isFileSystem,
  type JudgeIdentity,
  judgeIdentity,
  madeOutputs,
  type PlannedOutput,
  planRun,
  type RunSet,
  runOutputs,
  type SetRun,
  type System,
  setReport,
  systemRecord,
  UnusableSystemError,
  unscored,
} from '../../lab/index.ts';
import { costOf, ModelCallError } from '../../models/index.ts';
import { VERSION } from '../../server/index.ts';
import { INTERRUPTED, noteSkipped, stopped } from '../run-notes.node.ts';
import { countingLine, withProgress } from '../with-progress.ts';
import type { CommandStreams } from './command.ts';
import { announced, isAgreed } from './make-with-model.node.ts';
import type { RunFiles } from './read-run.node.ts';

export interface PlannedSet {
  readonly set: RunSet;
  readonly outputs: readonly PlannedOutput[];
}

interface PlanningOptions {
  readonly path: string;
  readonly limit: number;
  readonly judge: JudgeIdentity;
  readonly stderr: CommandStreams['stderr'];
  readonly signal: AbortSignal;
}

/**
 * @returns null if aborted
 * @throws BadRecordsError if the service or a case lacks something; ModelCallError if an endpoint fails for good
 */
async function planSets(
  systems: readonly System[],
  sets: readonly RunSet[],
  deps: DigestDeps,
  { path, limit, judge, stderr, signal }: PlanningOptions,
): Promise<PlannedSet[] | null> {
  const retrievers = retrieversOf(systems, deps);
  if (retrievers.length > 0) stderr.write(`To retrieve, documents are ${retrievers.join(' and ')}.\n`);
  if (systems.some(isShownSummaries)) {
    stderr.write('Summaries of documents in the place of these are made by Tessera without a language model.\n');
  }
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

function isShownSummaries(system: System): boolean {
  const show = isFileSystem(system) ? undefined : system.retrieval?.show;
  return show !== undefined && 'summary' in show;
}

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

function leftOut({ set, outputs }: PlannedSet, systems: readonly System[]): string[] {
  return systems.flatMap((system) => {
    if (isFileSystem(system)) return [];
    const there = new Set(outputs.filter(({ arm }) => arm === system.name).map(({ datum }) => datum));
    const missing = set.cases.filter(({ id }) => !there.has(id)).map(({ id }) => id);
    if (missing.length === 0) return [];
    return [`${set.name}, ${system.name}: left out, as nothing says what to retrieve: ${missing.join(', ')}`];
  });
}

export interface RanSets {
  readonly planned: readonly PlannedSet[];
  readonly runs: readonly SetRun[];
}

export interface RunOptions {
  readonly judge: JudgeRequest;
  readonly restart: boolean;
  readonly yes: boolean;
  readonly limit: number;
}

/**
 * Runs systems over sets, after one estimate and consent for all of them.
 * @param step name of the subcommand, for messages
 * @returns the exit code if aborted or declined
 * @throws BadRecordsError if the service or a case lacks something
 */
export async function runSets(
  step: string,
  path: string,
  parts: readonly RunFiles[],
  options: RunOptions,
  deps: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<RanSets | number> {
  const { stderr } = streams;
  const judge = judgeIdentity(options.judge, deps);
  const hasModel = deps.models.model !== null;
  const isSkipped = (each: System) => !hasModel && !isFileSystem(each) && each.needsModel;
  const skipped = parts.flatMap(({ systems }) => systems.filter(isSkipped)).map(({ name }) => name);
  noteSkipped(skipped, stderr);
  const planned: (PlannedSet & { readonly files: RunFiles })[] = [];
  for (const files of parts) {
    const systems = files.systems.filter((each) => !isSkipped(each));
    let sets: PlannedSet[] | null;
    try {
      sets = await planSets(systems, files.sets, deps, { path, limit: options.limit, judge, stderr, signal });
    } catch (failure) {
      if (!(failure instanceof ModelCallError)) throw failure;
      stderr.write(`${failure.message} What is retrieved is kept: the same command goes on from there.\n`);
      return 1;
    }
    if (sets === null) return stopped(stderr);
    for (const line of sets.flatMap((each) => leftOut(each, systems))) stderr.write(`${line}\n`);
    planned.push(...sets.map((each) => ({ ...each, files })));
  }
  const outputs = planned.flatMap((each) => each.outputs);
  const open = options.restart ? outputs : await unscored(outputs, deps);
  if (!(await isWanted(step, open, options, deps, streams, signal))) return signal.aborted ? INTERRUPTED : 1;
  const runs: SetRun[] = [];
  for (const { set, outputs, files } of planned) {
    const { judge, restart } = options;
    const run = await withProgress(`running ${set.name}`, stderr, (onProgress) =>
      runOutputs(outputs, { judge, restart, signal, onProgress }, deps),
    );
    if (run.isStopped) return stopped(stderr);
    runs.push({ set, run, report: setReport(set, { ...files, skipped }, run), records: recordsOf(outputs) });
  }
  return { planned, runs };
}

function recordsOf(outputs: readonly PlannedOutput[]): SetRun['records'] {
  return Object.fromEntries(
    outputs.flatMap(({ arm, identity }) => (identity === null ? [] : [[arm, systemRecord(identity)]])),
  );
}

async function madeBefore(open: readonly PlannedOutput[], deps: DigestDeps): Promise<Set<string>> {
  const made = new Set<string>();
  const asking = open.filter(({ usesModel }) => usesModel);
  for await (const [{ outputKey }, output] of madeOutputs(asking, deps)) if (output !== undefined) made.add(outputKey);
  return made;
}

async function isWanted(
  step: string,
  open: readonly PlannedOutput[],
  { judge, restart, yes }: RunOptions,
  deps: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<boolean> {
  const { model } = deps.models;
  if (model === null) return true;
  const made = restart ? new Set<string>() : await madeBefore(open, deps);
  const isJudge = judge.judge === 'llm';
  const estimate = expectedCalls(open, { isJudge, made, contextTokens: model.contextTokens });
  if (estimate.calls === 0) return true;
  const name = judge.engine?.model ?? model.defaultModel ?? 'the models that are named';
  const cost = costOf(model.priceOf?.(name), estimate.promptTokens, estimate.completionTokens);
  streams.stderr.write(`${announced(step, name, { ...estimate, known: 0 }, cost)}\n`);
  return yes || isAgreed(streams, signal);
}
