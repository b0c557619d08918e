/** A rectangle on the map, in pixels: its upper left and its lower right corner. */
export type Region = readonly [readonly [number, number], readonly [number, number]];

/**
 * Places of the points in a region, its edges included.
 *
 * @param pixels x and y of each point, one after the other
 */
export function insideRegion(pixels: ArrayLike<number>, [[left, top], [right, bottom]]: Region): number[] {
  const inside: number[] = [];
  for (let i = 0; i < pixels.length / 2; i++) {
    const x = pixels[2 * i];
    const y = pixels[2 * i + 1];
    if (x >= left && x <= right && y >= top && y <= bottom) inside.push(i);
  }
  return inside;
}

/**
 * How many other points lie exactly where one lies.
 *
 * @param layout x and y of each point, one after the other
 */
export function othersAt(layout: ArrayLike<number>, place: number): number {
  let others = -1;
  for (let i = 0; i < layout.length; i += 2) {
    if (layout[i] === layout[2 * place] && layout[i + 1] === layout[2 * place + 1]) others++;
  }
  return others;
}
