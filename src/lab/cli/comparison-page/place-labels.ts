interface Point {
  readonly x: number;
  readonly y: number;
}

/** Directions around a point, the best first. */
const AROUND: readonly Point[] = [
  { x: 1, y: -0.6 },
  { x: 1, y: 0.9 },
  { x: -1, y: -0.6 },
  { x: -1, y: 0.9 },
  { x: 0, y: -1.1 },
  { x: 0, y: 1.4 },
];

/**
 * Middles for small labels beside points, each where it covers the fewest points and labels before it.
 *
 * @param distance from a point to the middle of its label, which is about twice as wide as high
 */
export function placeLabels(points: readonly Point[], distance: number): Point[] {
  const taken: Point[] = [...points];
  return points.map(({ x, y }) => {
    const places = AROUND.map((to) => ({ x: x + to.x * distance, y: y + to.y * distance }));
    const covered = places.map(
      (place) =>
        taken.filter((each) => Math.abs(each.x - place.x) < distance && Math.abs(each.y - place.y) < 0.75 * distance)
          .length,
    );
    const best = places[covered.indexOf(Math.min(...covered))];
    taken.push(best);
    return best;
  });
}
