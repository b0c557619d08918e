/** A sentence, or a heading, which is read as context but not scored. */
export interface PassageLine {
  readonly text: string;
  readonly isHeading: boolean;
}

export interface Passage {
  readonly title: string | null;
  /** The beginning of the document, which often says what it is about; cut by the reader. */
  readonly opening: string;
  readonly lines: readonly PassageLine[];
}

/** Scores how well sentences answer a question. Higher is better; scores of one reader are comparable. */
export interface SentenceReader {
  readonly id: string;
  /** @returns for each passage one score per sentence without headings, independent of other passages (promise P6) */
  read(question: string, passages: readonly Passage[]): Promise<Float64Array[]>;
}

interface Window {
  readonly from: number;
  readonly to: number;
}

/** Overlapping windows by tokens of each sentence, each starting halfway through the one before. A longer sentence gets its own window. */
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
