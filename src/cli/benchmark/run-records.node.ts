import type { DigestDeps } from '../../digest/index.ts';
import type { JudgeRequest } from '../../evaluation/index.ts';
import {
  asDrafted,
  type DrawnVerdicts,
  type JudgedOutput,
  type JudgedRecord,
  judgedRecordSchema,
  madeOutputs,
  recordsOfRun,
} from '../../lab/index.ts';
import { groupBy } from '../../text/index.ts';
import type { CommandStreams } from './command.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import type { PlannedSet, RanSets } from './run-sets.node.ts';
import { writeLines } from './set-file.node.ts';

export const SAMPLE_FLAGS = { sample: { type: 'string' }, seed: { type: 'string' } } as const;

const SAMPLE = 100;

export interface RecordsOptions {
  readonly path: string;
  readonly sample: number;
  readonly seed: number;
}

type SampleFlags = Readonly<Record<keyof typeof SAMPLE_FLAGS, string | undefined>>;

/** @throws UsageError for an invalid number */
export function recordsOptions(path: string, { sample, seed }: Partial<SampleFlags>): RecordsOptions {
  return { path, sample: wholeNumber('--sample', sample, SAMPLE), seed: wholeNumber('--seed', seed, 1, 0) };
}

/** Writes the judge's decisions for people to label, without its verdicts. @throws UsageError if the file cannot be written */
export async function writeRecords(
  { path, sample, seed }: RecordsOptions,
  { planned, runs }: RanSets,
  judge: JudgeRequest,
  deps: DigestDeps,
  stderr: CommandStreams['stderr'],
): Promise<void> {
  const judged: JudgedOutput[] = [];
  for (const [place, { set, outputs }] of planned.entries()) {
    judged.push(...(await judgedOutputs({ set, outputs }, runs[place], planned.length > 1, deps)));
  }
  const { records, drawn } = recordsOfRun(judged, sample, seed);
  if (records.length === 0) {
    stderr.write(`No records for ${path}: no case that was run has questions, key points or nuggets.\n`);
    return;
  }
  const fitting = records.filter((record) => judgedRecordSchema.safeParse(record).success);
  await writeLines(
    path,
    fitting.map((record) => JSON.stringify(record)),
  );
  const labels = path.replace(/(?:\.jsonl?)?$/, '.labels.jsonl');
  const notes = [
    `Records for people to label, drawn evenly over the judge's verdicts with seed ${seed}, are in ${path}:`,
    ...[...groupBy(drawn, ({ task }) => task)].map(([task, verdicts]) => drawnLine(task, verdicts)),
    records.length > fitting.length &&
      `Left out, as they are too long for a record: ${records.length - fitting.length}`,
    `Next: tessera benchmark annotate ${path} --out ${labels}`,
    `Then: tessera eval judge ${path} --labels ${labels}${flagsOf(judge)}`,
  ];
  stderr.write(`${notes.filter((note) => note !== false).join('\n')}\n`);
}

async function judgedOutputs(
  { outputs }: PlannedSet,
  { set, run }: RanSets['runs'][number],
  isOneOfSeveral: boolean,
  deps: DigestDeps,
): Promise<JudgedOutput[]> {
  const keyOf = (system: string, datum: string) => JSON.stringify([system, datum]);
  const scored = new Map(run.made.map(({ item, result }) => [keyOf(item.arm, item.datum), result]));
  const judged: JudgedOutput[] = [];
  for await (const [{ arm, datum, text, case: benchmarkCase, collection }, made] of madeOutputs(outputs, deps)) {
    const result = scored.get(keyOf(arm, datum));
    if (made === undefined || result === undefined) continue;
    const output = text === 'draft' ? asDrafted(made) : made;
    const id = isOneOfSeveral ? `${set.name}: ${datum}` : datum;
    judged.push({ id, system: arm, case: benchmarkCase, collection, output, verdicts: result.verdicts });
  }
  return judged;
}

const TASKS: Readonly<Record<JudgedRecord['task'], string>> = {
  answers: 'answers to questions',
  entailment: 'key points',
  nuggets: 'nuggets in sentences',
  argue: 'outcomes of sentences',
};

function drawnLine(task: JudgedRecord['task'], verdicts: readonly DrawnVerdicts[]): string {
  const counts = verdicts.map(({ verdict, drawn, of }) => `${verdict} ${drawn} of ${of}`);
  return `  ${TASKS[task]}: ${counts.join(', ')}`;
}

function flagsOf({ judge, engine = {} }: JudgeRequest): string {
  const { encoder, model } = engine;
  const flags = [
    judge === 'llm' && '--judge llm',
    encoder !== undefined && `--encoder ${encoder}`,
    model !== undefined && `--model ${model}`,
  ];
  return flags.flatMap((flag) => (flag === false ? [] : ` ${flag}`)).join('');
}
