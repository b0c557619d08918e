/** Takes the rotations of QL. */
export interface Turns {
  /** A sweep of rotations begins, from planes (first, first + 1) downwards. */
  sweep(first: number): void;
  turn(cosine: number, sine: number): void;
}

/** Rotations kept before they are applied: what two cores' second-level caches hold beside four rows. */
const BUFFERED = 1 << 14;

/** Collects rotations and applies many to four rows at a time, so that a row is read once for all of them. */
export function rotationBuffer(vectors: Float64Array, n: number): Turns & { flush(): void } {
  const cosines = new Float64Array(BUFFERED);
  const sines = new Float64Array(BUFFERED);
  let starts: number[] = []; // where each sweep's rotations begin in the buffers
  let firsts: number[] = []; // the upper plane of each sweep
  let used = 0;

  function flush(): void {
    if (used > 0) {
      const ends = [...starts.slice(1), used];
      for (let row = 0; row < n; row += 4) {
        for (let s = 0; s < starts.length; s++) {
          const rows = Math.min(4, n - row);
          if (rows === 4) turnFour(vectors, row * n, n, cosines, sines, starts[s], ends[s], firsts[s]);
          else
            for (let r = row; r < row + rows; r++) {
              turnOne(vectors, r * n, cosines, sines, starts[s], ends[s], firsts[s]);
            }
        }
      }
    }
    starts = [];
    firsts = [];
    used = 0;
  }

  let plane = 0;
  return {
    flush,
    sweep(first) {
      plane = first;
      starts.push(used);
      firsts.push(first);
    },
    turn(cosine, sine) {
      if (used === BUFFERED) {
        flush();
        starts.push(0);
        firsts.push(plane);
      }
      cosines[used] = cosine;
      sines[used] = sine;
      used++;
      plane--;
    },
  };
}

/** Applies the rotations from `from` to `to`, the first in the plane (first, first + 1), to the row at `at`. */
function turnOne(
  z: Float64Array,
  at: number,
  cosines: Float64Array,
  sines: Float64Array,
  from: number,
  to: number,
  first: number,
): void {
  if (from === to) return;
  let i = at + first;
  let upper = z[i + 1];
  for (let t = from; t < to; t++, i--) {
    const c = cosines[t];
    const s = sines[t];
    const lower = z[i];
    z[i + 1] = s * lower + c * upper;
    upper = c * lower - s * upper;
  }
  z[i + 1] = upper;
}

/** The same to four rows: their chains of dependent operations overlap. */
function turnFour(
  z: Float64Array,
  at: number,
  n: number,
  cosines: Float64Array,
  sines: Float64Array,
  from: number,
  to: number,
  first: number,
): void {
  if (from === to) return;
  let i0 = at + first;
  let i1 = i0 + n;
  let i2 = i1 + n;
  let i3 = i2 + n;
  let u0 = z[i0 + 1];
  let u1 = z[i1 + 1];
  let u2 = z[i2 + 1];
  let u3 = z[i3 + 1];
  for (let t = from; t < to; t++) {
    const c = cosines[t];
    const s = sines[t];
    const x0 = z[i0];
    const x1 = z[i1];
    const x2 = z[i2];
    const x3 = z[i3];
    z[i0 + 1] = s * x0 + c * u0;
    z[i1 + 1] = s * x1 + c * u1;
    z[i2 + 1] = s * x2 + c * u2;
    z[i3 + 1] = s * x3 + c * u3;
    u0 = c * x0 - s * u0;
    u1 = c * x1 - s * u1;
    u2 = c * x2 - s * u2;
    u3 = c * x3 - s * u3;
    i0--;
    i1--;
    i2--;
    i3--;
  }
  z[i0 + 1] = u0;
  z[i1 + 1] = u1;
  z[i2 + 1] = u2;
  z[i3 + 1] = u3;
}
