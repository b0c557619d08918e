import { utf8Length } from '../../documents/windows.ts';
import type { Prompt } from '../../language-models/prompt.ts';
import type { StageModel } from '../../language-models/stage-model.ts';
import { BYTES_PER_TOKEN } from '../../language-models/usage.ts';
import { draftOf } from './draft.ts';
import { inParts, type NumberedPoint } from './material.ts';
import type { Writer } from './rewrite.ts';
import { againValues, type Reader, writingValues } from './writing-prompt.ts';

export interface ModelWriterOptions {
  readonly model: StageModel;
  readonly prompts: { readonly write: Prompt; readonly again: Prompt };
  readonly reader: Reader;
  readonly format: 'report' | 'bullets';
  readonly maxWords: number | null;
  /** Whether sentences are wanted as they come. */
  readonly isStreamed: boolean;
}

/** Points in one prompt: more, and models lose some. */
const MOST_POINTS = 40;
/** Share of the context that the points may fill; the answer, the rules and the reader need the rest. */
const POINTS_SHARE = 0.35;

/** A language model that writes from key points; more of them than a prompt should hold are written in parts, at once. */
export function modelWriter({ model, prompts, reader, format, maxWords, isStreamed }: ModelWriterOptions): Writer {
  const bytes = POINTS_SHARE * model.contextTokens * BYTES_PER_TOKEN;
  return {
    drafts: (material) =>
      inParts(material, bytes, MOST_POINTS).map((paragraphs) => {
        const points = paragraphs.flat().map((number) => material.points[number - 1]);
        const share = maxWords === null ? null : Math.round((maxWords * points.length) / material.points.length);
        const values = writingValues(reader, material, paragraphs, format, share);
        return draftOf(model, { prompt: prompts.write, values, maxTokens: answerTokens(points), isStreamed });
      }),
    async again(failing) {
      const calls = Array.from({ length: Math.ceil(failing.length / MOST_POINTS) }, async (_, call) => {
        const from = call * MOST_POINTS;
        const some = failing.slice(from, from + MOST_POINTS);
        const maxTokens = answerTokens(some.flatMap(({ cited }) => cited));
        const answer = await model.ask({ prompt: prompts.again, values: againValues(reader, some), maxTokens });
        return [...numberedLines(answer)].map(([place, line]) => [from + place, line] as const);
      });
      return new Map((await Promise.all(calls)).flat());
    },
  };
}

/** "2: …" by its number; the first of several counts. */
function numberedLines(answer: string): Map<number, string> {
  const lines = answer.split('\n').flatMap((line) => {
    const found = /^\W*(\d{1,4})\s*[:.)\]](?!\d)\s*(.+)$/u.exec(line.trim());
    return found === null ? [] : [[Number(found[1]), found[2]] as const];
  });
  return new Map(lines.reverse());
}

/** Room for about twice the points' own wording: dense text takes less, careless models more. */
function answerTokens(points: readonly NumberedPoint[]): number {
  const bytes = points.reduce((sum, { own }) => sum + utf8Length(own.text), 0);
  return Math.ceil((2 * bytes) / BYTES_PER_TOKEN) + 16 * points.length + 200;
}
