import { type JudgeRequest, judgeOptionsOf } from '../../evaluation/index.ts';
import {
  type JudgedOutput,
  type JudgedRecord,
  judgedRecordSchema,
  judgeRecord,
  madeOutputs,
  recordsOfRun,
  type SetRun,
} from '../../lab/index.ts';
import type { Working } from './command.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { writeLines } from './set-file.node.ts';

const SAMPLE = 100;

const TASKS: Readonly<Record<JudgedRecord['task'], string>> = {
  answers: 'answers to questions',
  coverage: 'coverage of insights',
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

/** Writes some of what the judge was asked, for people to label. @throws UsageError if the file cannot be written */
export async function writeRecords(
  path: string,
  { sample, seed }: Sample,
  runs: readonly SetRun[],
  request: JudgeRequest,
  { deps, streams: { stderr }, signal }: Working,
): Promise<void> {
  const judged: JudgedOutput[] = [];
  for (const { set, outputs, run } of runs) {
    const scored = new Set<unknown>(run.made.map(({ item }) => item));
    const made = outputs.filter((output) => scored.has(output));
    for await (const [each, output] of madeOutputs(made, deps)) {
      const id = runs.length > 1 ? `${set.name}: ${each.datum}` : each.datum;
      if (output === undefined) continue;
      judged.push({ id, system: each.arm, case: each.case, collection: each.collection, output });
    }
  }
  const { records, drawn } = await recordsOfRun(judged, sample, seed, async (record) => {
    // Judging kept its verdicts, except unreadable ones.
    const known = await judgeRecord(record, request, deps, signal).catch(() => null);
    return (place) => `${known?.levelAt(place, 'answerable')} ${known?.levelAt(place, 'correct')}`;
  });
  if (records.length === 0) {
    stderr.write(`No records for ${path}: no case that was run has insights, questions, key points or nuggets.\n`);
    return;
  }
  const fitting = records.filter((record) => judgedRecordSchema.safeParse(record).success);
  const lines = fitting.map((record) => JSON.stringify(record));
  await writeLines(path, lines);
  const labels = path.replace(/(?:\.jsonl?)?$/, '.labels.jsonl');
  const { judge } = request;
  const { encoder, model } = judgeOptionsOf(request);
  const asked = [judge === 'llm' && '--judge llm', encoder && `--encoder ${encoder}`, model && `--model ${model}`];
  const notes = [
    `Records for people to label, drawn with seed ${seed}, are in ${path}:`,
    ...drawn.map(({ task, drawn: count, of }) => `  ${TASKS[task]}: ${count} of ${of}`),
    records.length > fitting.length &&
      `Left out, as they are too long for a record: ${records.length - fitting.length}`,
    `Next: tessera benchmark annotate ${path} --out ${labels} --annotator NAME`,
    ['Then: tessera eval judge', path, '--labels', labels, ...asked.filter(Boolean)].join(' '),
  ];
  stderr.write(`${notes.filter((note) => note !== false).join('\n')}\n`);
}
