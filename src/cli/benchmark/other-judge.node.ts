import { z } from 'zod';
import { type JudgeRecord, number } from '../../evaluation/index.ts';
import {
  type JudgeCorrelation,
  type JudgedSet,
  judgeCorrelations,
  oneRecord,
  otherOutput,
  printJudge,
  textTable,
} from '../../lab/index.ts';
import { UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';

const judge = z.object({
  name: z.enum(['embedded', 'llm']),
  encoder: z.string().nullable(),
  version: z.string(),
  model: z
    .object({
      model: z.string(),
      temperature: z.number().nullable(),
      topP: z.number().nullable(),
      seed: z.number().nullable(),
      prompt: z.string(),
    })
    .nullable(),
  prompts: z.record(z.string(), z.string()),
});
const figure = z.number().nullable();

const reportSchema = z.object({
  judge,
  sets: z.array(
    z.object({
      set: z.string(),
      arms: z.array(z.object({ name: z.string(), figures: z.record(z.string(), z.object({ value: figure })) })),
      outputs: z.array(
        z.object({ datum: z.string(), arm: z.string(), figures: z.record(z.string(), figure.optional()) }),
      ),
    }),
  ),
});

export interface OtherJudge {
  readonly path: string;
  readonly judge: JudgeRecord;
  readonly sets: readonly JudgedSet[];
}

/** @throws UnreadableFileError; BadRecordsError if the file is no report */
export function readOtherJudge(path: string): OtherJudge {
  return { path, ...oneRecord(readTextFiles([path]), reportSchema, 'run') };
}

/** @throws UsageError if the runs share no output, or if a shared output differs */
export function correlationsWith(ours: readonly JudgedSet[], { path, sets }: OtherJudge): JudgeCorrelation[] {
  const { shared, differing } = otherOutput(ours, sets);
  if (shared === 0) throw new UsageError(`${path} has none of the outputs of this run.`);
  if (differing !== null) {
    const { set, datum, arm } = differing;
    const advice = 'Score the outputs of one run by both judges, over one TESSERA_DB or from --outputs.';
    throw new UsageError(`${path} is of other outputs: that of "${arm}" to "${datum}" in "${set}" differs. ${advice}`);
  }
  return judgeCorrelations(ours, sets);
}

export function printCorrelations(mine: JudgeRecord, other: JudgeRecord, rows: readonly JudgeCorrelation[]): string {
  const cells = rows.map(({ set, metric, systems, outputs }) => [
    set,
    metric,
    ...[systems, outputs].flatMap(({ n, kendall, pearson }) => [String(n), number(kendall, 3), number(pearson, 3)]),
  ]);
  const heads = ['set', 'metric', 'systems', 'Kendall', 'Pearson', 'outputs', 'Kendall', 'Pearson'];
  const title = `two judges: ${printJudge(mine)}, and ${printJudge(other)}`;
  return `${title}\ncorrelations of the means of systems, and of single outputs\n${textTable(heads, cells, 2)}`;
}
