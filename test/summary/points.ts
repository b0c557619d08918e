import type { ComposeInput, SelectedPoint, Support } from '../../src/summary/index.ts';
import { STOP_WORDS, stemmedWords } from '../../src/text/index.ts';

export interface Written {
  readonly text: string;
  readonly document: string;
  readonly speaker?: string;
  readonly relevance?: number;
  readonly facet?: number | null;
  readonly selfContained?: number;
  readonly under?: readonly string[];
  readonly antecedent?: SelectedPoint['antecedent'];
  /** Where its quote begins in its document; 0 unless told. */
  readonly start?: number;
  /** Documents that say it too, with their wording where it is another. */
  readonly also?: readonly (readonly [document: string, text: string])[];
}

/** Points as the selection would hand them over, in rank order, with quotes that are their own text. */
export function pointsOf(written: readonly Written[]): SelectedPoint[] {
  return written.map(
    ({ text, document, speaker, relevance = 0.5, facet = null, also = [], start = 0, ...rest }, index) => ({
      ...rest,
      id: `kp${index + 1}`,
      document,
      text,
      ...(speaker === undefined ? {} : { speaker }),
      quote: { text, start, end: start + text.length },
      relevance,
      salience: 1 + new Set(also.map(([other]) => other)).size,
      rank: index + 1,
      facet,
      supports: also.map(([other, wording], place) => supportOf(`kp${index + 1}-${place + 1}`, other, wording, text)),
    }),
  );
}

function supportOf(keyPoint: string, document: string, text: string, picked: string): Support {
  return { keyPoint, document, quote: { text, start: 0, end: text.length }, similarity: likeness(text, picked) };
}

/** A stand-in for the kernel: cosine of the content words, raised so that texts which share half of them are close. */
function likeness(a: string, b: string): number {
  const [left, right] = [keysOf(a), keysOf(b)];
  const shared = [...left].filter((key) => right.has(key)).length;
  return Math.sqrt(shared / Math.sqrt(Math.max(1, left.size * right.size)));
}

function keysOf(text: string): Set<string> {
  return new Set(
    stemmedWords(text).flatMap(({ text: word, stem }) => (STOP_WORDS.has(word.toLowerCase()) ? [] : [stem])),
  );
}

export function similarityOf(points: readonly SelectedPoint[]): Float64Array {
  const n = points.length;
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [row, column] = [points[Math.floor(at / n)], points[at % n]];
    return row === column ? 1 : likeness(row?.text ?? '', column?.text ?? '');
  });
}

export function inputOf(written: readonly Written[], rest: Partial<ComposeInput> = {}): ComposeInput {
  const points = pointsOf(written);
  const ids = new Set(points.flatMap((point) => [point.document, ...point.supports.map((each) => each.document)]));
  return {
    points,
    similarity: similarityOf(points),
    documents: [...ids].sort().map((id) => ({ id })),
    intent: null,
    format: 'report',
    maxWords: null,
    ...rest,
  };
}
