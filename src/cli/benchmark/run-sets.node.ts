import { type JudgeRequest, judgeOptionsOf } from '../../evaluation/index.ts';
import {
  expectedCalls,
  isFileSystem,
  judgeIdentity,
  madeOutputs,
  type PlannedOutput,
  planRun,
  type RunFiles,
  type RunSet,
  runOutputs,
  type SetRun,
  type System,
  setReport,
  systemRecord,
  unscored,
} from '../../lab/index.ts';
import { ModelCallError } from '../../models/index.ts';
import { countingLine, INTERRUPTED, stopped, withProgress } from '../progress.ts';
import type { Working } from './command.node.ts';
import { announced, isAgreed } from './make-with-model.node.ts';

function leftOut(set: RunSet, outputs: readonly PlannedOutput[], systems: readonly System[]): string[] {
  return systems.flatMap((system) => {
    const own = outputs.filter(({ arm }) => arm === system.name);
    const missing = set.cases.map(({ id }) => id).filter((id) => own.every(({ datum }) => datum !== id));
    if (missing.length === 0 || isFileSystem(system)) return [];
    return [`${set.name}, ${system.name}: left out, as nothing says what to retrieve: ${missing.join(', ')}`];
  });
}

const SLOW: readonly (string | undefined)[] = ['embedding', 'reranker'];

interface RunOptions {
  readonly judge: JudgeRequest;
  readonly restart: boolean;
  /** Neither announces nor asks for consent. */
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
  parts: readonly RunFiles[],
  options: RunOptions,
  working: Working,
): Promise<SetRun[] | number> {
  const { deps, signal } = working;
  const { stderr } = working.streams;
  const { judge, restart, limit } = options;
  const identity = judgeIdentity(judge, deps);
  const isSkipped = (each: System) => deps.models.model === null && !isFileSystem(each) && each.needsModel;
  const skipped = parts.flatMap(({ systems }) => systems.filter(isSkipped)).map(({ name }) => name);
  if (skipped.length > 0) {
    stderr.write(`Left out, as they need a language model and none is configured: ${skipped.join('; ')}\n`);
  }
  const planned: { readonly set: RunSet; readonly outputs: readonly PlannedOutput[]; readonly files: RunFiles }[] = [];
  for (const files of parts) {
    const systems = files.systems.filter((each) => !isSkipped(each));
    const isSlow = systems.some((each) => !isFileSystem(each) && SLOW.includes(each.retrieval?.by));
    for (const whole of files.sets) {
      const set = { ...whole, cases: whole.cases.slice(0, limit) };
      const line = countingLine(stderr, `planning ${set.name}`);
      const onPlanned = (done: number) => {
        if (isSlow) line.notify(done, set.cases.length, '');
      };
      try {
        const outputs = await planRun({ ...files, systems }, set, deps, { judge: identity, onPlanned, signal });
        if (outputs === null) return stopped(stderr, 'made', restart);
        planned.push({ set, outputs, files });
        for (const note of leftOut(set, outputs, systems)) stderr.write(`${note}\n`);
      } catch (failure) {
        if (!(failure instanceof ModelCallError)) throw failure;
        stderr.write(`${failure.message} What is retrieved is kept: the same command goes on from there.\n`);
        return 1;
      } finally {
        line.end();
      }
    }
  }
  const all = planned.flatMap(({ outputs }) => outputs);
  if (!(await isWanted(step, all, options, working))) return signal.aborted ? INTERRUPTED : 1;
  const runs: SetRun[] = [];
  for (const { set, outputs, files } of planned) {
    const run = await withProgress(`running ${set.name}`, stderr, (onProgress) =>
      runOutputs(outputs, { judge, restart, signal, onProgress }, deps),
    );
    if (run.isStopped) return stopped(stderr, 'made', restart);
    const records = outputs.flatMap(({ arm, identity: own }) => (own === null ? [] : [[arm, systemRecord(own)]]));
    const report = setReport(set, { ...files, skipped }, run);
    runs.push({ set, outputs, run, report, records: Object.fromEntries(records) });
  }
  return runs;
}

async function isWanted(
  step: string,
  planned: readonly PlannedOutput[],
  { judge, restart, yes }: RunOptions,
  { deps, streams, signal }: Working,
): Promise<boolean> {
  const { model } = deps.models;
  if (yes || model === null) return true;
  const open = restart ? planned : await unscored(planned, deps);
  const made = new Set<string>();
  if (!restart) {
    for await (const [{ outputKey }, output] of madeOutputs(open, deps)) if (output !== undefined) made.add(outputKey);
  }
  const asking = { isJudge: judge.judge === 'llm', made, contextTokens: model.contextTokens };
  const estimate = expectedCalls(open, asking);
  if (estimate.calls === 0) return true;
  const name = judgeOptionsOf(judge).model ?? model.defaultModel ?? 'the models that are named';
  streams.stderr.write(`${announced(step, name, { ...estimate, known: 0 }, model)}\n`);
  return isAgreed(streams, signal);
}
