/** A sentence, or a heading that is read for what it says of those under it and not scored. */
export interface PassageLine {
  readonly text: string;
  readonly isHeading: boolean;
}

/** Lines of one document in reading order, whole or in part. */
export interface Passage {
  /** Stands before every window that is read of it. Null where there is none. */
  readonly title: string | null;
  readonly lines: readonly PassageLine[];
}

/**
 * Says how well each sentence of a passage answers a question, reading question and passage together. Scores are comparable
 * within one reader only; higher is better.
 */
export interface SentenceReader {
  /** Names weights and processing. */
  readonly id: string;
  /** @returns for each passage one score per sentence that is no heading; they do not depend on the other passages (promise P6) */
  read(question: string, passages: readonly Passage[]): Promise<Float64Array[]>;
}

/** A half-open range of sentences that is read at once. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * Windows over sentences of these lengths, each as full as it can be and beginning halfway through the one before, so that
 * nearly every sentence is read with what stands before it and what stands after it. A sentence longer than a window has its own.
 *
 * @param lengths tokens of each sentence, its separator included
 * @param room tokens of a window
 */
export function readingWindows(lengths: readonly number[], room: number): Window[] {
  const windows: Window[] = [];
  let from = 0;
  while (from < lengths.length) {
    let to = from;
    let used = 0;
    while (to < lengths.length && (to === from || used + lengths[to] <= room)) used += lengths[to++];
    windows.push({ from, to });
    if (to === lengths.length) break;
    let next = from;
    for (let passed = 0; next < to - 1 && passed < used / 2; next++) passed += lengths[next];
    from = Math.max(next, from + 1);
  }
  return windows;
}
