import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DigestDeps } from '../../digest/index.ts';
import {
  ablationReport,
  BadRecordsError,
  type BenchmarkSet,
  type DigestSystem,
  judgeIdentity,
  type PublishedArm,
  printReport,
  type RunCase,
  type RunSet,
  reportCsv,
  reportPage,
  runReport,
  type SetRun,
  setReport,
  sweptSystems,
} from '../../lab/index.ts';
import { onlyPositional, parseFlags, UsageError } from '../command.node.ts';
import { judgeRequest, limitOf } from '../eval-options.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import type { RunFiles } from './read-run.node.ts';
import { reportFailed, runJson, writeOutputs } from './run.node.ts';
import { type RecordsOptions, recordsOptions, SAMPLE_FLAGS, writeRecords } from './run-records.node.ts';
import { type RunOptions, runSets } from './run-sets.node.ts';
import { readSet, writeJson, writeWhole } from './set-file.node.ts';

interface ArmEntry {
  readonly name: string;
  readonly arm: PublishedArm;
  readonly options?: { readonly selection: Record<string, unknown> };
  readonly sweep?: Record<string, unknown[]>;
}

const SIGMA_1 = { 'selection.kernel.sigma': [1] };
const LINEAR = { selection: { kernel: { form: 'linear' } } };

/** Table 1 and figures 2 and 3: without an intent, for every kernel. */
const WITHOUT_INTENT: readonly ArmEntry[] = [
  { name: 'Naive LLM', arm: 'naive' },
  { name: 'All key points', arm: 'all-key-points' },
  { name: 'LLM-selected', arm: 'llm-selected' },
  { name: 'Random', arm: 'random' },
  { name: 'DPP of sentences', arm: 'extracted-sentences', sweep: SIGMA_1 },
  { name: 'DPP', arm: 'dpp', sweep: { 'selection.kernel.sigma': [0.1, 1, 10] } },
  { name: 'DPP, linear', arm: 'dpp', options: LINEAR },
];

/** Table 2: with an intent, used or ignored. */
const WITH_INTENTS: readonly ArmEntry[] = [
  { name: 'Naive LLM, relevant', arm: 'naive-relevant' },
  { name: 'All key points', arm: 'all-key-points' },
  { name: 'LLM-selected', arm: 'llm-selected' },
  { name: 'LLM-selected, relevant', arm: 'llm-selected-relevant' },
  { name: 'Random', arm: 'random' },
  { name: 'DPP', arm: 'dpp', sweep: SIGMA_1 },
  { name: 'DPP, relevant', arm: 'dpp-relevant', sweep: SIGMA_1 },
];

/** Repeats the ablation of Padmakumar et al. (2025) on any set with questions. */
export const ablationCommand: BenchmarkCommand = {
  summary: 'Repeat the ablation of the DPP paper on a set with questions, with its tables and figures.',
  usage: `SET --out FOLDER [--key-points N] [--judge embedded|llm] [--encoder NAME] [--model NAME] [--limit N]
                        [--sample N] [--seed N] [--restart] [--yes]`,
  examples: ['tessera benchmark ablation ours.json --out ablation --judge llm'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, {
      out: { type: 'string' },
      'key-points': { type: 'string' },
      judge: { type: 'string' },
      encoder: { type: 'string' },
      model: { type: 'string' },
      limit: { type: 'string' },
      ...SAMPLE_FLAGS,
      restart: { type: 'boolean' },
      yes: { type: 'boolean' },
    });
    const path = onlyPositional(positionals, 'a set');
    const { out, restart = false, yes = false, 'key-points': k } = values;
    if (out === undefined) throw new UsageError('Name the folder for the results: --out FOLDER.');
    const options = { judge: judgeRequest(values), restart, yes, limit: limitOf(values.limit) };
    const records = recordsOptions(join(out, 'records.jsonl'), values);
    const keyPoints = k === undefined ? undefined : wholeNumber('--key-points', k, 1);
    const parts = partsOf(path, readSet(path), keyPoints);
    const deps = await service();
    if (deps.models.model === null) {
      throw new UsageError('The ablation needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL.');
    }
    return runAblation(path, out, parts, { ...options, records }, deps, streams, signal);
  },
};

interface Parts {
  readonly name: string;
  readonly withoutIntent: RunFiles | null;
  readonly withIntents: RunFiles | null;
}

/** @throws BadRecordsError for a set without questions */
function partsOf(path: string, { cases, ...set }: BenchmarkSet, keyPoints: number | undefined): Parts {
  const whole = set.collections.flatMap(({ id, questions = [] }): RunCase[] =>
    questions.length === 0 ? [] : [{ id, collection: id, questions }],
  );
  const asking = cases
    .filter(({ intent, questions = [] }) => intent !== undefined && questions.length > 0)
    .map(({ id, collection, intent, questions }): RunCase => ({ id, collection, intent, questions }));
  if (whole.length + asking.length === 0) {
    const detail = 'has no questions; "tessera benchmark questions" makes them';
    throw new BadRecordsError([{ where: path, pointer: '/collections', detail }], 'run');
  }
  const part = (name: string, own: readonly RunCase[], entries: readonly ArmEntry[], baseline: string) => {
    if (own.length === 0) return null;
    const ran: RunSet = { ...set, name: `${set.name}, ${name}`, cases: own, keyPoints };
    const systems = systemsOf(entries, keyPoints === undefined ? baseline : undefined);
    return { name: set.name, sets: [ran], systems, baseline, metrics: null };
  };
  return {
    name: set.name,
    withoutIntent: part('without an intent', whole, WITHOUT_INTENT, 'DPP, sigma 1'),
    withIntents: part('with intents', asking, WITH_INTENTS, 'DPP, relevant, sigma 1'),
  };
}

function systemsOf(entries: readonly ArmEntry[], sizedBy: string | undefined): DigestSystem[] {
  return entries.flatMap((entry, place) => {
    const arm = sizedBy === undefined ? ofFixedSize(entry) : entry;
    const { systems, problems } = sweptSystems({ options: {}, ...arm }, 'ablation', `/${place}`);
    if (problems.length > 0) throw new TypeError(`an arm of the ablation is no digest: ${problems[0].detail}`);
    return entry.arm === 'random' ? systems.map((each) => ({ ...each, sizedBy })) : systems;
  });
}

/** In order of preference; a baseline that selected nothing for most cases is skipped. */
const BASELINES: readonly string[] = ['DPP, relevant, sigma 1', 'DPP, sigma 1', 'All key points'];

/** Picks the first baseline that selected something for at least half of the cases; `why` explains a fallback. */
function withBaseline(run: SetRun, files: RunFiles): { readonly run: SetRun; readonly why: string | null } {
  const emptyOf = (name: string) => {
    const own = run.run.made.filter(({ item }) => item.arm === name);
    return { empty: own.filter(({ result }) => result.figures['digest.selected'] === 0).length, of: own.length };
  };
  const { empty, of } = emptyOf(files.baseline);
  if (2 * empty <= of) return { run, why: null };
  const baseline = BASELINES.slice(BASELINES.indexOf(files.baseline) + 1).find((name) => {
    const other = emptyOf(name);
    return other.of > 0 && 2 * other.empty <= other.of;
  });
  if (baseline === undefined) return { run, why: null };
  const report = setReport(run.set, { ...files, baseline, skipped: [] }, run.run);
  const why = `compared with "${baseline}", as "${files.baseline}" selected no key point for ${empty} of ${of} cases`;
  return { run: { ...run, report }, why };
}

const DRAWN_BY_DPP: readonly PublishedArm[] = ['dpp', 'dpp-relevant', 'extracted-sentences'];

function ofFixedSize(entry: ArmEntry): ArmEntry {
  if (!DRAWN_BY_DPP.includes(entry.arm)) return entry;
  return { ...entry, options: { selection: { ...entry.options?.selection, strategy: 'k-dpp' } } };
}

async function runAblation(
  path: string,
  out: string,
  { name, withoutIntent, withIntents }: Parts,
  options: RunOptions & { readonly records: RecordsOptions },
  deps: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = streams;
  try {
    mkdirSync(out, { recursive: true });
  } catch (cause) {
    throw new UsageError(`${out} cannot be made.`, { cause });
  }
  const parts = [withoutIntent, withIntents].flatMap((files) => files ?? []);
  const done = await runSets('ablation', path, parts, options, deps, streams, signal);
  if (typeof done === 'number') return done;
  const { planned } = done;
  const chosen = done.runs.map((run, place) => withBaseline(run, parts[place]));
  const runs = chosen.map(({ run }) => run);
  const runOf = (files: RunFiles | null) => (files === null ? null : chosen[parts.indexOf(files)]);
  const { judge } = judgeIdentity(options.judge, deps);
  const of = { withoutIntent: runOf(withoutIntent), withIntents: runOf(withIntents) };
  const report = ablationReport(name, judge, of);
  const printed = printReport(report);
  const systems = parts.flatMap((files) => files.systems);
  const distinct = [...new Map(systems.map((system) => [JSON.stringify(system), system])).values()];
  stdout.write(`${printed}\n`);
  writeWhole(join(out, 'tables.txt'), `${printed}\n`);
  writeWhole(join(out, 'tables.csv'), reportCsv(report));
  writeWhole(join(out, 'report.html'), await reportPage(runReport(name, judge, runs, distinct)));
  writeJson(join(out, 'run.json'), runJson(name, judge, runs), stdout);
  await writeOutputs(join(out, 'outputs.jsonl'), planned, deps, stderr);
  await writeRecords(options.records, done, options.judge, deps, stderr);
  return reportFailed(runs, stderr);
}
