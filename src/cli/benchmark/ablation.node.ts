import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VariantOptions } from '../../contract/index.ts';
import {
  ablationReport,
  armSchema,
  BadRecordsError,
  type BenchmarkCase,
  type BenchmarkSet,
  type DigestSystem,
  judgeIdentity,
  type PublishedArm,
  printReport,
  type RunFiles,
  reportCsv,
  reportPage,
  runReport,
} from '../../lab/index.ts';
import { one, UsageError } from '../command.node.ts';
import { judgeRequest } from '../eval-options.ts';
import { JUDGE_FLAGS, RUN_FLAGS, SAMPLE_FLAGS, YES_FLAG } from '../flags.ts';
import { reportFailed, runJson } from '../reports.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { writeOutputs } from './run.node.ts';
import { sampleOf, writeRecords } from './run-records.node.ts';
import { runSets } from './run-sets.node.ts';
import { readSet, writeJson, writeWhole } from './set-file.node.ts';

interface ArmEntry {
  readonly name: string;
  readonly arm: PublishedArm;
  readonly options?: { readonly selection: Record<string, unknown> };
  readonly sweep?: Record<string, unknown[]>;
}

const SIGMA_1 = { 'selection.kernel.sigma': [1] };
const LINEAR = { selection: { kernel: { form: 'linear' } } };

/** Tables 1 and 2 and figures 2 and 3: without an intent, for every kernel. */
const WITHOUT_INTENT: readonly ArmEntry[] = [
  { name: 'Naive LLM', arm: 'naive' },
  { name: 'All key points', arm: 'all-key-points' },
  { name: 'LLM-selected', arm: 'llm-selected' },
  { name: 'Random', arm: 'random' },
  { name: 'DPP of sentences', arm: 'extracted-sentences', sweep: SIGMA_1 },
  { name: 'DPP', arm: 'dpp', sweep: { 'selection.kernel.sigma': [0.1, 1, 10] } },
  { name: 'DPP, linear', arm: 'dpp', options: LINEAR },
];

/** Table 4: with an intent, used or ignored. */
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
export const ablationCommand = benchmarkCommand({
  summary: 'Repeat the ablation of the DPP paper on a set with questions, with its tables and figures.',
  usage: 'SET --out FOLDER',
  flags: {
    out: { type: 'string', value: 'FOLDER', about: 'folder for the results' },
    'kernel-encoder': { type: 'string', value: 'NAME', about: 'encoder of the kernel; default TESSERA_ENCODER' },
    'relevance-encoder': {
      type: 'string',
      value: 'NAME',
      about: 'encoder of relevance; by default that of the kernel',
    },
    'key-points': { type: 'string', value: 'N', about: 'number of key points of all arms that select some' },
    ...JUDGE_FLAGS,
    ...RUN_FLAGS,
    ...SAMPLE_FLAGS,
    ...YES_FLAG,
  },
  examples: ['tessera benchmark ablation ours.json --out ablation --judge llm'],
  takes: one('a set'),
  async run(values, [path], service, streams, signal) {
    const { out, restart = false, yes = false } = values;
    if (out === undefined) throw new UsageError('Name the folder for the results: --out FOLDER.');
    const limit = wholeNumber('--limit', values.limit, Number.POSITIVE_INFINITY);
    const options = { judge: judgeRequest(values), restart, yes, limit };
    const drawn = sampleOf(values);
    const { 'key-points': k, 'kernel-encoder': encoder, 'relevance-encoder': relevance } = values;
    const shared = {
      ...(encoder !== undefined && { engine: { encoder } }),
      ...(relevance !== undefined && { selection: { relevance: { encoder: relevance } } }),
    };
    const parts = partsOf(path, readSet(path), shared, k === undefined ? k : wholeNumber('--key-points', k, 1));
    const working = { deps: await service(), streams, signal };
    if (working.deps.models.model === null) {
      throw new UsageError('The ablation needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL.');
    }
    try {
      mkdirSync(out, { recursive: true });
    } catch (cause) {
      throw new UsageError(`${out} cannot be made.`, { cause });
    }
    const runs = await runSets('ablation', parts, options, working);
    if (typeof runs === 'number') return runs;
    const { stdout } = streams;
    const [{ name }] = parts;
    const { judge } = judgeIdentity(options.judge, working.deps);
    const report = ablationReport(name, judge, runs);
    const printed = `${printReport(report)}\n`;
    stdout.write(printed);
    writeWhole(join(out, 'tables.txt'), printed);
    writeWhole(join(out, 'tables.csv'), reportCsv(report));
    writeWhole(join(out, 'report.html'), await reportPage(runReport(name, judge, runs)));
    writeJson(join(out, 'run.json'), runJson(name, judge, runs), stdout);
    await writeOutputs(join(out, 'outputs.jsonl'), runs, working);
    await writeRecords(join(out, 'records.jsonl'), drawn, runs, options.judge, working);
    return reportFailed(runs, streams.stderr);
  },
});

/** Without an intent, then with intents, as far as there are questions. @throws BadRecordsError without any */
function partsOf(
  path: string,
  { cases, ...set }: BenchmarkSet,
  shared: VariantOptions,
  keyPoints: number | undefined,
): RunFiles[] {
  const made = set.collections.flatMap(({ id, questions = [] }): BenchmarkCase[] =>
    questions.length === 0 ? [] : [{ id, collection: id, questions }],
  );
  const given = cases
    .filter(({ questions = [] }) => questions.length > 0)
    .map(({ id, collection, intent, questions }): BenchmarkCase => ({ id, collection, intent, questions }));
  const whole = made.length > 0 ? made : given.filter(({ intent }) => intent === undefined);
  const asking = given.filter(({ intent }) => intent !== undefined);
  if (whole.length + asking.length === 0) {
    const detail = 'has no questions; "tessera benchmark questions" makes them';
    throw new BadRecordsError([{ where: path, pointer: '/collections', detail }], 'run');
  }
  const part = (name: string, own: readonly BenchmarkCase[], entries: readonly ArmEntry[], baseline: string) => {
    if (own.length === 0) return [];
    const ran = { ...set, name: `${set.name}, ${name}`, cases: own, keyPoints };
    const systems = systemsOf(entries, shared, keyPoints === undefined ? baseline : undefined);
    return [{ path, name: set.name, sets: [ran], systems, baseline, metrics: null }];
  };
  return [
    ...part('without an intent', whole, WITHOUT_INTENT, 'DPP, sigma 1'),
    ...part('with intents', asking, WITH_INTENTS, 'DPP, relevant, sigma 1'),
  ];
}

const DRAWN_BY_DPP: readonly PublishedArm[] = ['dpp', 'dpp-relevant', 'extracted-sentences'];

/** @param sizedBy system whose number of key points the random arm copies; undefined if all DPPs have a fixed size */
function systemsOf(entries: readonly ArmEntry[], shared: VariantOptions, sizedBy: string | undefined): DigestSystem[] {
  return entries.flatMap((entry) => {
    const isFixed = sizedBy === undefined && DRAWN_BY_DPP.includes(entry.arm);
    const selection = { ...shared.selection, ...entry.options?.selection, ...(isFixed && { strategy: 'k-dpp' }) };
    const systems = armSchema.parse({ ...entry, options: { ...shared, selection } });
    return entry.arm === 'random' ? systems.map((each) => ({ ...each, sizedBy })) : systems;
  });
}
