import {
  BadRecordsError,
  checkRecords,
  type JudgedRecord,
  judgedRecordSchema,
  type RecordProblem,
  splitRecords,
  type TextFile,
} from '../lab/index.ts';

/**
 * The records of a file that name what a judge is asked.
 *
 * @param undone what is not done where they are wrong
 * @returns null where the first record names no task
 * @throws BadRecordsError with everything that is wrong with them
 */
export function readJudgedRecords(file: TextFile, undone = 'judged'): JudgedRecord[] | null {
  const [first] = splitRecords(file.path, file.text).records;
  const value: unknown = first?.value;
  if (typeof value !== 'object' || value === null || !('task' in value)) return null;
  const { placed, problems } = checkRecords([file], judgedRecordSchema);
  const seen = new Set<string>();
  const repeated = placed.flatMap(({ where, record: { task, id, system = '' } }): RecordProblem[] => {
    const key = JSON.stringify([task, id, system]);
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen ? [{ where, pointer: '/id', detail: `"${id}" came before with this task and system` }] : [];
  });
  if (problems.length + repeated.length > 0) throw new BadRecordsError([...problems, ...repeated], undone);
  return placed.map(({ record }) => record);
}
