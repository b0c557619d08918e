import { z } from 'zod';
import { packed } from '../../evaluation/index.ts';
import { asData, type JsonForm } from '../../models/index.ts';
import { quoteAligner, type Span, utf8Length } from '../../text/index.ts';
import type { FailedAttempt } from '../benchmark-set.ts';
import { type AskedModel, itemAt, numbered, readItems, readNumber } from './asked-model.ts';
import type { HaystackOptions, Manner, PlannedDocument } from './haystack-plan.ts';
import type { Counts } from './maker.ts';

interface Material {
  readonly texts: readonly string[];
  /** All insights, ordered independently of the plan. */
  readonly shown: readonly { readonly text: string; readonly place: number }[];
  readonly options: HaystackOptions;
}

const FOUND = {
  name: 'found_insights',
  wholeItems: true,
  schema: z.object({ found: readItems(z.object({ insight: readNumber, quote: z.string() })) }),
  asked: z.object({ found: z.array(z.object({ insight: z.int(), quote: z.string() })) }),
} satisfies JsonForm<unknown>;
/** Room in an answer for unplanned insights. */
const SPARE = 6;
const BYTES_PER_TOKEN = 3;
const MIN_ROOM = 2000;

interface InsightsFound {
  readonly told: ReadonlyMap<number, readonly Span[]>;
  /** Insights with quotes that are missing from the text; they do not count. */
  readonly unfounded: number;
}

/** Laban et al. 2024, section 3.2. @returns null if a call gave nothing readable */
async function findInsights(
  model: AskedModel,
  text: string,
  { shown }: Material,
  planned: number,
): Promise<InsightsFound | null> {
  const { system, user } = model.prompt('benchmark-find-insights');
  const taken = [system, user, text].reduce((sum, each) => sum + utf8Length(each), 0);
  const maxTokens = Math.min(300 + (planned + SPARE) * 120, Math.floor(model.contextTokens / 2));
  const room = Math.max(MIN_ROOM, BYTES_PER_TOKEN * (model.contextTokens - maxTokens) - taken);
  const lists = packed(shown, room);
  const answers = await Promise.all(
    lists.map((list) => {
      const insights = asData('facts', numbered(list.map((each) => each.text)));
      const values = { insights, document: asData('document', text) };
      return model.json('benchmark-find-insights', values, maxTokens, FOUND);
    }),
  );
  const aligner = quoteAligner(text);
  const told = new Map<number, readonly Span[]>();
  const claimed = new Set<number>();
  for (const [place, answer] of answers.entries()) {
    if (answer === null) return null;
    for (const { insight, quote } of answer.found) {
      const meant = itemAt(lists[place], insight);
      if (meant === undefined) continue;
      claimed.add(meant.place);
      const spans = (aligner.align(quote)?.spans ?? []).map(({ start, end }) => ({ start, end }));
      if (spans.length > 0 && !told.has(meant.place)) told.set(meant.place, spans);
    }
  }
  return { told: new Map([...told].sort(([a], [b]) => a - b)), unfounded: claimed.size - told.size };
}

/** Twice the English ratio, so that an overlong text is not cut. */
const TOKENS_PER_WORD = 2.7;

function textTokens(model: AskedModel, words: number): number {
  return Math.min(200 + Math.ceil(words * TOKENS_PER_WORD), Math.floor(model.contextTokens / 2));
}

interface Differences {
  readonly missing: readonly number[];
  readonly extraneous: readonly number[];
}

function differences(planned: readonly number[], told: ReadonlyMap<number, unknown>): Differences {
  return {
    missing: planned.filter((place) => !told.has(place)),
    extraneous: [...told.keys()].filter((place) => !planned.includes(place)),
  };
}

function wrongIn({ missing, extraneous }: Differences): number {
  return missing.length + extraneous.length;
}

interface WrittenText {
  readonly text: string;
  readonly counts: Counts;
  readonly failedAttempts: readonly FailedAttempt[];
}

async function writeArticle(
  model: AskedModel,
  { number, insights }: PlannedDocument,
  { outlet, opening }: Manner & { readonly kind: 'news' },
  { texts, options: { topic, words } }: Material,
): Promise<WrittenText | null> {
  const values = {
    topic: asData('topic', topic),
    insights: asData('facts', numbered(insights.map((place) => texts[place]))),
    ...{ outlet, opening, number: String(number), words: String(words) },
  };
  const text = await model.text('benchmark-article', values, textTokens(model, words));
  return text === null ? null : { text, counts: {}, failedAttempts: [] };
}

const SHOWN_BEFORE = 600;

/** One insight per chapter (Laban et al. 2024, appendix A.1), the best of `retries` + 1 attempts; null if none is readable. */
async function writeConversation(
  model: AskedModel,
  { id, number, insights }: PlannedDocument,
  { setting, speakers }: Manner & { readonly kind: 'conversation' },
  material: Material,
): Promise<WrittenText | null> {
  const { texts, options } = material;
  const shares = insights.length === 0 ? [[]] : insights.map((place) => [place]);
  const words = Math.round(options.words / shares.length);
  const listed = (places: readonly number[]) => asData('facts', numbered(places.map((place) => texts[place])));
  const written: string[] = [];
  const failedAttempts: FailedAttempt[] = [];
  let [chapterRetries, chaptersLeftWrong] = [0, 0];
  for (const [chapter, share] of shares.entries()) {
    const before = written.at(-1);
    const attempt = async (retry: number, wrong: string): Promise<(Differences & { text: string }) | null> => {
      const values = {
        topic: asData('topic', options.topic),
        insights: share.length === 0 ? 'There are no facts for this chapter.' : listed(share),
        before: before === undefined ? 'Nothing was said before.' : asData('before', before.slice(-SHOWN_BEFORE)),
        ...{ wrong, setting, speakers, number: String(number), words: String(words) },
        ...{ chapter: String(chapter + 1), chapters: String(shares.length) },
      };
      const text = await model.text('benchmark-chapter', values, textTokens(model, words));
      const found = text === null ? null : await findInsights(model, text, material, share.length);
      // Keep a chapter if checking it fails: the whole text is checked later.
      const { missing, extraneous } =
        text === null || found === null
          ? { missing: text === null ? share : [], extraneous: [] }
          : differences(share, found.told);
      if (text === null || wrongIn({ missing, extraneous }) > 0) {
        failedAttempts.push({
          ...{ document: id, chapter: chapter + 1, attempt: retry + 1, why: text === null ? 'unwritten' : 'wrong' },
          missing: missing.map((place) => texts[place]),
          extraneous: extraneous.map((place) => texts[place]),
        });
      }
      return text === null ? null : { text, missing, extraneous };
    };
    let last = await attempt(0, 'This is the first attempt at this chapter.');
    let best = last;
    for (let retry = 1; retry <= options.retries && last !== null && wrongIn(last) > 0; retry++) {
      const { missing, extraneous } = last;
      const wrong = [
        `This is attempt ${retry + 1}. The last one was not used.`,
        ...(missing.length > 0 ? [`It did not tell, whole and unchanged:\n${listed(missing)}`] : []),
        ...(extraneous.length > 0 ? [`It told facts of other chapters or conversations:\n${listed(extraneous)}`] : []),
      ];
      chapterRetries++;
      last = await attempt(retry, wrong.join('\n'));
      if (last !== null && best !== null && wrongIn(last) < wrongIn(best)) best = last;
    }
    if (best === null) continue;
    chaptersLeftWrong += Number(wrongIn(best) > 0);
    written.push(best.text);
  }
  if (written.length === 0) return null;
  const counts = { chapters: written.length, chapterRetries, chaptersLeftWrong };
  return { text: written.join('\n\n'), counts, failedAttempts };
}

/** Punctuation that does not end a sentence, in any script. */
const GOES_ON = /[,;:\p{Pd}\p{Ps}،؛՝፣፤፥፦、，；：､]$/u;
const UNMARKED = /[\p{Script=Thai}\p{Script=Lao}]$/u;

/** Detects truncated texts: a model that runs out of tokens stops within a sentence. */
export function isFinished(text: string): boolean {
  const end = text.trimEnd();
  return UNMARKED.test(end) || (/\p{P}$/u.test(end) && !GOES_ON.test(end));
}

export interface SettledDocument extends WrittenText {
  readonly id: string;
  readonly told: ReadonlyMap<number, readonly Span[]>;
}

export type Settled = SettledDocument | 'unwritten' | 'unread';

interface Version extends Differences {
  readonly text: string;
  readonly found: InsightsFound;
  readonly faults: number;
}

const MAX_WORSE = 2;

/** Edits up to `edits` times, and keeps the best version (Laban et al. 2024, section 3.2 and appendix A.1). */
export async function writeUntilValid(model: AskedModel, plan: PlannedDocument, material: Material): Promise<Settled> {
  const { texts, options } = material;
  const { manner, insights } = plan;
  const versionOf = async (text: string): Promise<Version | null> => {
    const found = await findInsights(model, text, material, insights.length);
    if (found === null) return null;
    const wrong = differences(insights, found.told);
    return { text, found, ...wrong, faults: wrongIn(wrong) + Number(!isFinished(text)) };
  };
  const listed = (places: readonly number[]) =>
    places.length === 0 ? 'None.' : asData('facts', numbered(places.map((place) => texts[place])));
  const first =
    manner.kind === 'news'
      ? await writeArticle(model, plan, manner, material)
      : await writeConversation(model, plan, manner, material);
  if (first === null) return 'unwritten';
  let best = await versionOf(first.text);
  if (best === null) return 'unread';
  let [edits, unreadEdits] = [0, 0];
  let worse: Version[] = [];
  while (best.faults > 0 && edits < options.edits && worse.length < MAX_WORSE) {
    const { text, missing, extraneous }: Version = best;
    const known = [...missing, ...extraneous];
    const failed = worse.flatMap((each) => [...each.missing, ...each.extraneous]);
    const lost = [...new Set(failed)].filter((place) => !known.includes(place)).sort((a, b) => a - b);
    const values = {
      document: asData('document', text),
      ...{ missing: listed(missing), extraneous: listed(extraneous), failed: listed(lost) },
      words: String(options.words),
    };
    const edited = await model.text('benchmark-edit', values, textTokens(model, options.words));
    // Editing is deterministic: stop at a repeated text.
    if (edited === null || [best, ...worse].some((each) => each.text === edited)) break;
    edits++;
    const version = await versionOf(edited);
    if (version === null) {
      unreadEdits++;
      break;
    }
    if (version.faults > best.faults) worse.push(version);
    else [best, worse] = [version, []];
  }
  const { text, found, missing, extraneous } = best;
  const left = {
    missingLeft: missing.length,
    extraneousLeft: extraneous.length,
    unfinished: Number(!isFinished(text)),
  };
  const counts = { ...first.counts, edits, unreadEdits, unfounded: found.unfounded, ...left };
  return { id: plan.id, text, told: found.told, counts, failedAttempts: first.failedAttempts };
}
