import { asData } from '../../models/index.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { numbered } from '../asking/one-line.ts';
import type { FailedAttempt } from '../benchmark-set.ts';
import { askText, textTokens } from './ask-text.ts';
import { findInsights, type ShownInsight } from './find-insights.ts';
import type { Counts, HaystackOptions } from './haystack-options.ts';
import type { Manner, PlannedDocument } from './plan-documents.ts';

/** Of the chapter before, in UTF-16 code units. */
const SHOWN_BEFORE = 600;

interface Chapter {
  readonly text: string;
  /** Places of insights. */
  readonly missing: readonly number[];
  readonly extraneous: readonly number[];
}

/** A text as it was first written. */
export interface WrittenText {
  readonly text: string;
  readonly counts: Counts;
  /** In the order of chapters. */
  readonly failedAttempts: readonly FailedAttempt[];
}

/** What a conversation is written from. */
interface Material {
  /** Of all insights, by place. */
  readonly texts: readonly string[];
  /** All of them, in the order in which the model sees them. */
  readonly shown: readonly ShownInsight[];
  readonly options: HaystackOptions;
}

/**
 * A conversation, chapter by chapter, each with one insight and the end of the one before (Laban et al. 2024, appendix A.1). Each is read
 * again: where it does not tell its insight, or tells others, it is written anew, up to `retries` times, and the best attempt stands.
 *
 * @returns null where the model gave nothing that could be read
 */
export async function writeConversation(
  model: AskedModel,
  { id, number, insights }: PlannedDocument,
  { setting, speakers }: Extract<Manner, { kind: 'conversation' }>,
  { texts, shown, options }: Material,
): Promise<WrittenText | null> {
  const shares = insights.length === 0 ? [[]] : insights.map((place) => [place]);
  const words = Math.round(options.words / shares.length);
  const written: string[] = [];
  const failedAttempts: FailedAttempt[] = [];
  let [chapterRetries, chaptersLeftWrong] = [0, 0];

  const attempt = (chapter: number, before: string | undefined, wrong: string) =>
    askText(model, {
      prompt: model.prompt('benchmark-chapter'),
      values: {
        topic: asData('topic', options.topic),
        insights:
          shares[chapter].length === 0
            ? 'There are no facts for this chapter.'
            : asData('facts', numbered(shares[chapter].map((place) => texts[place]))),
        before: before === undefined ? 'Nothing was said before.' : asData('before', before.slice(-SHOWN_BEFORE)),
        wrong,
        setting,
        speakers: speakers.join(', '),
        number: String(number),
        chapter: String(chapter + 1),
        chapters: String(shares.length),
        words: String(words),
      },
      maxTokens: textTokens(model, words),
    });
  const listed = (places: readonly number[]) => asData('facts', numbered(places.map((place) => texts[place])));
  const told = (retry: number, { missing, extraneous }: Chapter) =>
    [
      `This is attempt ${retry + 1}. The last one was not used.`,
      ...(missing.length > 0 ? [`It did not tell, whole and unchanged:\n${listed(missing)}`] : []),
      ...(extraneous.length > 0 ? [`It told facts of other chapters or conversations:\n${listed(extraneous)}`] : []),
    ].join('\n');

  for (const [chapter, share] of shares.entries()) {
    const before = written.at(-1);
    const read = async (text: string | null): Promise<Chapter | null> => {
      if (text === null) return null;
      const found = await findInsights(model, text, shown, share.length);
      // Where nobody can say what it tells it stands: the whole is read again.
      const has = found?.told ?? new Map(share.map((place) => [place, []]));
      return {
        text,
        missing: share.filter((place) => !has.has(place)),
        extraneous: [...has.keys()].filter((place) => !share.includes(place)),
      };
    };
    const record = (retry: number, tried: Chapter | null) => {
      if (tried !== null && wrongIn(tried) === 0) return;
      const { missing, extraneous } = tried ?? { missing: share, extraneous: [] };
      const [lost, strange] = [missing, extraneous].map((places) => places.map((place) => texts[place]));
      const why = tried === null ? ('unwritten' as const) : ('wrong' as const);
      const where = { document: id, chapter: chapter + 1, attempt: retry + 1 };
      failedAttempts.push({ ...where, why, missing: lost, extraneous: strange });
    };
    let last = await read(await attempt(chapter, before, 'This is the first attempt at this chapter.'));
    record(0, last);
    let best = last;
    for (let retry = 1; retry <= options.retries && last !== null && wrongIn(last) > 0; retry++) {
      chapterRetries++;
      last = await read(await attempt(chapter, before, told(retry, last)));
      record(retry, last);
      if (last !== null && best !== null && wrongIn(last) < wrongIn(best)) best = last;
    }
    if (best === null) continue;
    if (wrongIn(best) > 0) chaptersLeftWrong++;
    written.push(best.text);
  }
  if (written.length === 0) return null;
  const counts = { chapters: written.length, chapterRetries, chaptersLeftWrong };
  return { text: written.join('\n\n'), counts, failedAttempts };
}

function wrongIn({ missing, extraneous }: Chapter): number {
  return missing.length + extraneous.length;
}
