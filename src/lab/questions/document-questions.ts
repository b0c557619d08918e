import { beginning } from '../../text/documents/characters.ts';
import type { SourceDocument } from '../../text/documents/document.ts';
import { utf8Length } from '../../text/documents/windows.ts';
import { asData } from '../../models/language/as-data.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { orNothing } from '../asking/or-nothing.ts';
import { type CheckedQuestion, FAULTS, type Fault, questionChecker } from './check-questions.ts';
import { groundedIn } from './grounding.ts';
import { QUESTIONS } from './question-form.ts';
import { type ReadingRoom, type ReadingWindow, readingRoom, readingWindows } from './reading-windows.ts';

/** What a document gave. */
export interface DocumentQuestions {
  /** In reading order of the windows, those of one as the model gave them. */
  readonly questions: readonly { readonly question: string; readonly answer: string }[];
  readonly windows: number;
  /** Questions that could not be used, by what was wrong. */
  readonly dropped: Readonly<Record<Fault, number>>;
  /** Usable questions beyond those wanted. */
  readonly surplus: number;
}

/**
 * Factual questions of a document (Padmakumar et al. 2025, sections 4.1.2 and B.2): one call for each window, one where the document
 * fits. Where fewer are usable than wanted, each window that gave less than it was asked for is asked once more, told what is
 * there and what was wrong; one whose answer could not be read is not: the model was asked for it twice.
 *
 * @param count questions wanted
 */
export async function documentQuestions(
  document: SourceDocument,
  count: number,
  model: AskedModel,
): Promise<DocumentQuestions> {
  const room = readingRoom(model.contextTokens, count);
  const parts = readingWindows(document, count, room);
  const check = questionChecker(groundedIn(`${document.title ?? ''}\n${document.text}`));
  const first = await Promise.all(
    parts.map(({ shown, asked }) =>
      orNothing(
        model.askFor(
          {
            prompt: model.prompt('benchmark-questions'),
            values: { document: shown, count: String(asked) },
            maxTokens: room.answerTokens(asked),
          },
          QUESTIONS,
        ),
      ),
    ),
  );
  const read = first.map((given) => given && check(given));
  const more = usable(read.flatMap((each) => each ?? [])).length < count ? await askMore(parts, read, room, model) : [];
  // Checked in order of the windows, whichever answer came first.
  const all = parts.map((_, place) => [...(read[place] ?? []), ...check(more[place] ?? [])]);
  const kept = taken(parts, all.map(usable), count);
  return {
    questions: kept.map(({ question, answer }) => ({ question, answer })),
    windows: parts.length,
    dropped: droppedFrom(all.flat()),
    surplus: usable(all.flat()).length - kept.length,
  };
}

function usable(checked: readonly CheckedQuestion[]): CheckedQuestion[] {
  return checked.filter(({ fault }) => fault === null);
}

function askMore(
  parts: readonly ReadingWindow[],
  read: readonly (readonly CheckedQuestion[] | null)[],
  { noteBytes, answerTokens }: ReadingRoom,
  model: AskedModel,
) {
  const found = usable(read.flatMap((each) => each ?? [])).map(({ question }) => question);
  return Promise.all(
    parts.map(async ({ shown, asked }, place) => {
      const own = read[place];
      const lacking = own === null ? 0 : asked - usable(own).length;
      if (own === null || lacking <= 0) return null;
      const wrong = own.flatMap(({ question, answer, fault }) => {
        if (fault === null) return [];
        return [
          `${question === '' ? '(no question)' : question} / ${answer === '' ? '(no answer)' : answer} (${FAULTS[fault]})`,
        ];
      });
      const values = {
        document: shown,
        count: String(lacking),
        found: listed('found', found, noteBytes),
        wrong: listed('wrong', wrong, noteBytes),
      };
      const prompt = model.prompt('benchmark-questions-more');
      return orNothing(model.askFor({ prompt, values, maxTokens: answerTokens(lacking) }, QUESTIONS));
    }),
  );
}

/** Models that go round in circles fill pages. */
const LONGEST_NOTE = 300;

/** As many lines as so many bytes hold, the first at least. */
function listed(kind: string, lines: readonly string[], bytes: number): string {
  const shown: string[] = [];
  let left = bytes;
  for (const line of lines) {
    const short = line.length <= LONGEST_NOTE ? line : `${beginning(line, LONGEST_NOTE)} …`;
    left -= utf8Length(short) + 3;
    if (left < 0 && shown.length > 0) break;
    shown.push(`- ${short}`);
  }
  return shown.length === 0 ? 'nothing' : asData(kind, shown.join('\n'));
}

/** So many questions: each window's share, and what others lack from the first that have more. */
function taken<T>(parts: readonly ReadingWindow[], given: readonly (readonly T[])[], count: number): T[] {
  const quotas = parts.map(({ share }, place) => Math.min(share, given[place].length));
  let left = count - quotas.reduce((sum, quota) => sum + quota, 0);
  return given.flatMap((own, place) => {
    const more = Math.min(left, own.length - quotas[place]);
    left -= more;
    return own.slice(0, quotas[place] + more);
  });
}

function droppedFrom(checked: readonly CheckedQuestion[]): Record<Fault, number> {
  const dropped = { empty: 0, longAnswers: 0, duplicates: 0, ungrounded: 0 };
  for (const { fault } of checked) if (fault !== null) dropped[fault]++;
  return dropped;
}
