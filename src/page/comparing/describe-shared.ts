import type { PointCounts } from './compare-digests.ts';

/** In a sentence or three, how much two digests have in common. */
export function describeShared(left: PointCounts, right: PointCounts): string {
  if (left.points + right.points === 0) return 'Neither digest states a key point.';
  if (left.points === 0) return 'The left digest states no key point.';
  if (right.points === 0) return 'The right digest states no key point.';
  return [describeBoth(left, right), describeWorded(left, right), describeNear(left, right), describeAlone(left, right)]
    .filter((part) => part !== '')
    .join(' ');
}

function describeBoth(left: PointCounts, right: PointCounts): string {
  if (left.both === 0 && right.both === 0) return 'No key point is in both.';
  if (left.points === right.points && left.both === right.both) {
    if (left.both === left.points)
      return left.points === 1 ? 'The only key point is in both.' : `All ${left.points} key points are in both.`;
    return `${left.both} of ${points(left.points)} ${are(left.both)} in both.`;
  }
  return `${left.both} of ${points(left.points)} on the left ${are(left.both)} also on the right, which has ${right.points}.`;
}

function describeWorded(left: PointCounts, right: PointCounts): string {
  const most = Math.max(left.worded, right.worded);
  if (most === 0) return '';
  const only =
    left.worded === right.worded
      ? `${most}${left.both > 0 ? ' more' : ''}`
      : `${left.worded} on the left and ${right.worded} on the right`;
  return `${only} ${have(left.worded === right.worded ? most : 2)} a similar key point on the other side.`;
}

function describeNear(left: PointCounts, right: PointCounts): string {
  if (left.near + right.near === 0) return '';
  const only = left.near === right.near ? String(left.near) : `${left.near} on the left and ${right.near} on the right`;
  return `${only} ${left.near === right.near && left.near === 1 ? 'overlaps' : 'overlap'} with a key point on the other side.`;
}

function describeAlone(left: PointCounts, right: PointCounts): string {
  if (left.here + right.here === 0) return '';
  if (right.here === 0) return `${left.here} ${are(left.here)} only on the left.`;
  if (left.here === 0) return `${right.here} ${are(right.here)} only on the right.`;
  return `${left.here} ${are(left.here)} only on the left, ${right.here} only on the right.`;
}

function points(count: number): string {
  return count === 1 ? '1 key point' : `${count} key points`;
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function have(count: number): string {
  return count === 1 ? 'has' : 'have';
}
