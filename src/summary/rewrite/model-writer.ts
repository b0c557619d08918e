import { BYTES_PER_TOKEN, type Prompt, type StageModel } from '../../models/index.ts';
import { groups, utf8Length } from '../../text/index.ts';
import { sentenceLimit } from '../compose-input.ts';
import { passageText } from '../verify/model-judge.ts';
import { draftOf } from './draft.ts';
import { inParts, type NumberedPoint } from './material.ts';
import type { Writer } from './rewrite.ts';
import { againValues, type Failing, type Reader, type WritingForm, writingValues } from './writing-prompt.ts';

interface ModelWriterOptions extends WritingForm {
  readonly model: StageModel;
  readonly prompts: { readonly write: Prompt; readonly again: Prompt };
  readonly reader: Reader;
  /** Whether all points go into one prompt as long as the context holds them. */
  readonly fillsContext: boolean;
  /** Whether sentences are wanted as they come. */
  readonly isStreamed: boolean;
}

/** Points in one prompt: more, and models lose some. */
const MAX_POINTS = 200;
/** Share of the context that the points may fill; the answer, the rules and the reader need the rest. */
const POINTS_SHARE = 0.35;
/** Share that they may fill where all are to stand in one prompt, and that the answer may have then. */
const FILLED = { points: 0.6, answer: 0.3 };
/** Tokens of an answer for each word that it may have, and beside: what is left out is named by its number. */
const ANSWER_TOKENS = { word: 3, point: 16, more: 300 };

/** A language model that writes from key points; more of them than a prompt should hold are written in parts, at once. */
export function modelWriter(options: ModelWriterOptions): Writer {
  const { model, prompts, reader, format, maxWords, isCounted, fillsContext, isStreamed } = options;
  const bytes = (fillsContext ? FILLED.points : POINTS_SHARE) * model.contextTokens * BYTES_PER_TOKEN;
  const maxPoints = fillsContext ? Number.POSITIVE_INFINITY : MAX_POINTS;
  const longest = fillsContext ? Math.floor(FILLED.answer * model.contextTokens) : Number.POSITIVE_INFINITY;
  return {
    drafts: ({ points, ranked }) => {
      // A few sentences are not shared out: they are written from the documents of the best points.
      const asked =
        sentenceLimit(format) === null
          ? inParts(points, bytes, maxPoints)
          : inParts(ranked, bytes, maxPoints)
              .slice(0, 1)
              .map((part) => part.toSorted((a, b) => a.number - b.number));
      const shown = asked.reduce((sum, part) => sum + part.length, 0);
      return asked.map((part) => {
        const share = maxWords === null ? null : Math.round((maxWords * part.length) / shown);
        const values = writingValues(reader, part, { format, maxWords: share, isCounted });
        const maxTokens = Math.min(answerTokens(part, share), longest);
        return draftOf(model, { prompt: prompts.write, values, maxTokens, isStreamed });
      });
    },
    async again(failing) {
      const parts = [...groups(failing.entries(), bytes, ([, each]) => sizeOf(each))];
      const calls = parts.map(async (part) => {
        const some = part.map(([, each]) => each);
        const words = answerTokens(
          some.flatMap(({ cited }) => cited),
          null,
        );
        const maxTokens = Math.min(words, Math.floor(model.contextTokens / 2));
        const answer = await model.ask({ prompt: prompts.again, values: againValues(reader, some), maxTokens });
        return [...numberedLines(answer)].map(([place, line]) => [part[0][0] + place, line] as const);
      });
      return new Map((await Promise.all(calls)).flat());
    },
  };
}

/** Bytes of a sentence with what it cites. */
function sizeOf({ cited, draft }: Failing): number {
  return cited.reduce((sum, { passage }) => sum + utf8Length(passageText(passage)), draft.text.length);
}

/** "2: …" by its number; the first of several counts. */
function numberedLines(answer: string): Map<number, string> {
  const lines = answer.split('\n').flatMap((line) => {
    const found = /^\W*(\d{1,4})\s*[:.)\]](?!\d)\s*(.+)$/u.exec(line.trim());
    return found === null ? [] : [[Number(found[1]), found[2]] as const];
  });
  return new Map(lines.reverse());
}

/** Room for the words that were asked for or about twice the points' own wording, whatever is less. */
function answerTokens(points: readonly NumberedPoint[], words: number | null): number {
  const bytes = points.reduce((sum, { text }) => sum + utf8Length(text), 0);
  const own = Math.ceil((2 * bytes) / BYTES_PER_TOKEN);
  const text = words === null ? own : ANSWER_TOKENS.word * words;
  return Math.min(own, text) + ANSWER_TOKENS.point * points.length + ANSWER_TOKENS.more;
}
