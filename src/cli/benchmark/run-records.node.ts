import type { DigestDeps } from '../../digest/index.ts';
import type { JudgeRequest } from '../../evaluation/index.ts';
import {
  type JudgedOutput,
  type JudgedRecord,
  judgedRecordSchema,
  madeOutputs,
  recordsOfRun,
} from '../../lab/index.ts';
import { groupBy } from '../../text/index.ts';
import type { CommandStreams } from './command.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import type { RanSets } from './run-sets.node.ts';
import { writeLines } from './set-file.node.ts';

const SAMPLE = 100;

const TASKS: Readonly<Record<JudgedRecord['task'], string>> = {
  answers: 'answers to questions',
  entailment: 'key points',
  nuggets: 'nuggets in sentences',
  argue: 'outcomes of sentences',
};

interface Sample {
  readonly sample: number;
  readonly seed: number;
}

/** @throws UsageError for an invalid number */
export function sampleOf({ sample, seed }: { readonly [flag in keyof Sample]?: string | undefined }): Sample {
  return { sample: wholeNumber('--sample', sample, SAMPLE), seed: wholeNumber('--seed', seed, 1, 0) };
}

/** Writes the judge's decisions for people to label, without its verdicts. @throws UsageError if the file cannot be written */
export async function writeRecords(
  path: string,
  { sample, seed }: Sample,
  ran: RanSets,
  judge: JudgeRequest,
  deps: DigestDeps,
  stderr: CommandStreams['stderr'],
): Promise<void> {
  const { records, drawn } = recordsOfRun(await judgedOutputs(ran, deps), sample, seed);
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
  const counts = [...groupBy(drawn, ({ task }) => task)].map(([task, verdicts]) => {
    return `  ${TASKS[task]}: ${verdicts.map((each) => `${each.verdict} ${each.drawn} of ${each.of}`).join(', ')}`;
  });
  const { encoder, model } = judge.engine ?? {};
  const asked = [
    judge.judge === 'llm' && '--judge llm',
    encoder && `--encoder ${encoder}`,
    model && `--model ${model}`,
  ];
  const notes = [
    `Records for people to label, drawn evenly over the judge's verdicts with seed ${seed}, are in ${path}:`,
    ...counts,
    records.length > fitting.length &&
      `Left out, as they are too long for a record: ${records.length - fitting.length}`,
    `Next: tessera benchmark annotate ${path} --out ${labels}`,
    ['Then: tessera eval judge', path, '--labels', labels, ...asked.filter(Boolean)].join(' '),
  ];
  stderr.write(`${notes.filter((note) => note !== false).join('\n')}\n`);
}

async function judgedOutputs({ planned, runs }: RanSets, deps: DigestDeps): Promise<JudgedOutput[]> {
  const judged: JudgedOutput[] = [];
  for (const [place, { set, outputs }] of planned.entries()) {
    const keyOf = (system: string, datum: string) => JSON.stringify([system, datum]);
    const scored = new Map(runs[place].run.made.map(({ item, result }) => [keyOf(item.arm, item.datum), result]));
    for await (const [{ arm, datum, case: benchmarkCase, collection }, output] of madeOutputs(outputs, deps)) {
      const result = scored.get(keyOf(arm, datum));
      if (output === undefined || result === undefined) continue;
      const id = planned.length > 1 ? `${set.name}: ${datum}` : datum;
      judged.push({ id, system: arm, case: benchmarkCase, collection, output, verdicts: result.verdicts });
    }
  }
  return judged;
}
