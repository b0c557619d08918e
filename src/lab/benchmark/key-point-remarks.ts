import type { CaseKeyPoints } from '../key-points/make-key-points.ts';

type Counts = Readonly<Record<string, number>>;

/** What whoever uses the key points of a set should know of them, a line each; found is the sum of what became of them. */
export function keyPointRemarks(made: readonly CaseKeyPoints[], counts: Counts): string {
  const { extracted, merged, filtered, unreadable, kept, unread, unverified, unweighed } = counts;
  const { reworded, apart, repairedGroups, unmergedBatches } = counts;
  const fates = [
    `${merged} merged into others`,
    `${filtered} not useful enough`,
    `${unreadable} without a readable answer on their use`,
    `${kept} kept`,
  ];
  const empty = made.filter((each) => each.kept.length === 0).map(({ id }) => id);
  const remarks: readonly (readonly [number, string])[] = [
    [unread, `Parts of documents not read to the end, for an answer that could not be read or was refused: ${unread}.`],
    [unverified, `Statements dropped for quotes that their document does not hold: ${unverified}.`],
    [apart, `Points that the model wanted merged and that stayed apart, as the text states something else: ${apart}.`],
    [reworded, `Merged points under the text of the first, as they do not bear out the model's: ${reworded}.`],
    [
      repairedGroups,
      `Points that the model put into no group or several, and numbers of no point, put right: ${repairedGroups}.`,
    ],
    [
      unmergedBatches,
      `Lists of points in which nothing was merged, for want of a readable answer: ${unmergedBatches}.`,
    ],
    [
      unweighed,
      `The server told no probabilities for ${unweighed} of the points: their usefulness is 1 for YES and 0 for NO.`,
    ],
    [empty.length, `Without key points: ${empty.join(', ')}.`],
  ];
  return [
    `${extracted} key points found: ${fates.join(' + ')}.`,
    ...remarks.flatMap(([count, text]) => (count > 0 ? text : [])),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Why no case has a key point. */
export function whyNothing({ extracted, unread, unreadable, filtered }: Counts, threshold: number): string {
  if (extracted === 0) {
    return unread > 0
      ? 'No key point was found, and the model gave no readable answer for some or all of the documents.'
      : 'The model found no key point in any document.';
  }
  if (filtered === 0) return 'The model gave no readable answer on the use of any key point.';
  const others = unreadable === 0 ? '' : ', and the others had no readable answer';
  return `No key point is as useful as --threshold ${threshold} asks${others}.`;
}
