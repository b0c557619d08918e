import { z } from 'zod';
import type { PeoplePoints } from '../key-points/extraction-recall.ts';
import { text } from '../../contract/schemas.ts';
import { BadRecordsError } from '../cli/bad-records-error.ts';
import { checkRecords, type TextFile } from '../cli/check-records.ts';

const peoplePointsSchema: z.ZodType<PeoplePoints> = z.strictObject({
  case: text(500).min(1),
  keyPoints: z.array(text(20_000).regex(/\S/, 'is blank')).min(1),
});

/**
 * Key points of people: JSON, or JSON Lines, of `{"case": id, "keyPoints": ["…"]}`.
 *
 * @param cases ids of the cases that there are
 * @throws BadRecordsError with everything that is wrong, cases that there are not and those that come twice with it
 */
export function readPeoplePoints(file: TextFile, cases: readonly string[]): PeoplePoints[] {
  const { placed, problems } = checkRecords([file], peoplePointsSchema);
  const known = new Set(cases);
  const seen = new Set<string>();
  const odd = placed.flatMap(({ where, record: { case: id } }) => {
    const isSeen = seen.has(id);
    seen.add(id);
    if (!known.has(id)) return [{ where, pointer: '/case', detail: `"${id}" is no case of the set with an intent` }];
    return isSeen ? [{ where, pointer: '/case', detail: `"${id}" came before` }] : [];
  });
  if (problems.length + odd.length > 0) throw new BadRecordsError([...problems, ...odd], 'made');
  return placed.map(({ record }) => record);
}
