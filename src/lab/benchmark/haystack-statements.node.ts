import { z } from 'zod';
import { type LabelledStatement, statementProblems } from '../haystack/statement-pool.ts';
import { LIMITS, text } from '../../contract/schemas.ts';
import { BadRecordsError } from '../cli/bad-records-error.ts';
import { checkRecords } from '../cli/check-records.ts';
import { readTextFiles } from '../cli/read-files.node.ts';

const line = (most: number) =>
  text(most)
    .transform((given) => given.replace(/\s+/gu, ' ').trim())
    .refine((given) => given !== '', 'is blank');

/** Null as if it were absent: exporters write it so. */
const orAbsent = (schema: z.ZodType<string>) => schema.nullish().transform((given) => given ?? undefined);

const statement: z.ZodType<LabelledStatement> = z.strictObject({
  topic: line(500),
  query: orAbsent(line(LIMITS.intentCharacters)),
  insight: orAbsent(line(4000)),
  statement: text(20_000)
    .transform((given) => given.trim())
    .refine((given) => /[\p{L}\p{N}]/u.test(given), 'holds no letter or digit'),
});

/**
 * The labelled statements of a file of JSON or JSON Lines.
 *
 * @throws UnreadableFileError; BadRecordsError with everything that is wrong with them
 */
export function readStatements(path: string): LabelledStatement[] {
  const [{ text: content }] = readTextFiles([path]);
  const { placed, problems } = checkRecords([{ path, text: content }], statement);
  const all = [...problems, ...statementProblems(placed)];
  if (all.length > 0) throw new BadRecordsError(all, 'made');
  const records = placed.map(({ record }) => record);
  if (records.every(({ insight }) => insight === undefined)) {
    throw new BadRecordsError([{ where: path, pointer: '', detail: 'holds no statement with an "insight"' }], 'made');
  }
  return records;
}
