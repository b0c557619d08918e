import { z } from 'zod';
import { packed } from '../../evaluation/index.ts';
import { asData } from '../../models/index.ts';
import { quoteAligner, type Span, utf8Length } from '../../text/index.ts';
import { type AskedModel, itemAt, listForm, numbered, readNumber } from './asked-model.ts';
import type { HaystackOptions, PlannedDocument } from './haystack-plan.ts';
import { type Counts, summed } from './maker.ts';

interface Material {
  readonly texts: readonly string[];
  /** All insights, ordered independently of the plan. */
  readonly shown: readonly { readonly text: string; readonly place: number }[];
  readonly options: HaystackOptions;
}

const FOUND = listForm('found_insights', 'found', z.object({ insight: readNumber, quote: z.string() }));
/** Room in an answer for unplanned insights. */
const SPARE = 6;
const BYTES_PER_TOKEN = 3;
const MIN_ROOM = 2000;

/** A text, with what it tells. */
interface Version {
  readonly text: string;
  /** Where it tells insights, by their places. */
  readonly told: ReadonlyMap<number, readonly Span[]>;
  /** Insights with quotes that are missing from the text; they do not count. */
  readonly unfounded: number;
  readonly missing: readonly number[];
  readonly extraneous: readonly number[];
  readonly isUnfinished: boolean;
  readonly faults: number;
}

/** Punctuation that does not end a sentence, or none. */
const BROKEN_OFF = /(?:[^\p{P}\s]|[*_,;:\p{Pd}\p{Ps}،؛、，；：､])\s*$/u;

/** Asks which insights a text tells (Laban et al. 2024, section 3.2). @returns null if an answer cannot be read */
async function versionOf(
  model: AskedModel,
  text: string,
  planned: readonly number[],
  { shown }: Material,
): Promise<Version | null> {
  const { system, user } = model.prompt('benchmark-find-insights');
  const taken = [system, user, text].reduce((sum, each) => sum + utf8Length(each), 0);
  const maxTokens = Math.min(300 + (planned.length + SPARE) * 120, Math.floor(model.contextTokens / 2));
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
    for (const { insight, quote } of answer) {
      const meant = itemAt(lists[place], insight);
      if (meant === undefined) continue;
      claimed.add(meant.place);
      const spans = aligner.align(quote)?.spans ?? [];
      if (spans.length > 0 && !told.has(meant.place)) told.set(meant.place, spans);
    }
  }
  const missing = planned.filter((each) => !told.has(each));
  const extraneous = [...told.keys()].filter((each) => !planned.includes(each)).sort((a, b) => a - b);
  const isUnfinished = BROKEN_OFF.test(text);
  const faults = missing.length + extraneous.length + Number(isUnfinished);
  return { text, told, unfounded: claimed.size - told.size, missing, extraneous, isUnfinished, faults };
}

/**
 * Makes a version of the one before until one has no faults, none comes, or the tries are used up.
 * @returns the first of those with the fewest faults
 */
export async function improved<Of extends { readonly faults: number }>(
  first: Of,
  tries: number,
  next: (last: Of, tried: number) => Promise<Of | null>,
): Promise<{ readonly best: Of; readonly tried: number }> {
  let [best, last, tried] = [first, first, 0];
  while (last.faults > 0 && tried < tries) {
    const version = await next(last, tried);
    if (version === null) break;
    tried++;
    last = version;
    if (version.faults < best.faults) best = version;
  }
  return { best, tried };
}

/** Twice the English ratio, so that an overlong text is not cut. */
const TOKENS_PER_WORD = 2.7;

function textTokens(model: AskedModel, words: number): number {
  return Math.min(200 + Math.ceil(words * TOKENS_PER_WORD), Math.floor(model.contextTokens / 2));
}

const SHOWN_BEFORE = 600;

interface Written {
  readonly text: string | null;
  readonly counts: Counts;
}

async function writeArticle(model: AskedModel, plan: PlannedDocument, { texts, options }: Material): Promise<Written> {
  const values = {
    topic: asData('topic', options.topic),
    insights: listed(plan.insights, texts),
    ...{ ...plan.manner, number: String(plan.number), words: String(options.words) },
  };
  return { text: await model.text('benchmark-article', values, textTokens(model, options.words)), counts: {} };
}

/** One insight per chapter (Laban et al. 2024, appendix A.1), the best of `retries` + 1 attempts; null if none is readable. */
async function writeConversation(model: AskedModel, plan: PlannedDocument, material: Material): Promise<Written> {
  const { texts, options } = material;
  const chapters = Math.max(1, plan.insights.length);
  const words = Math.round(options.words / chapters);
  const written: string[] = [];
  const counts = { chapterRetries: 0, chaptersLeftWrong: 0 };
  for (let chapter = 0; chapter < chapters; chapter++) {
    const own = plan.insights.slice(chapter, chapter + 1);
    const before = written.at(-1);
    const attempt = async (
      wrong: string,
    ): Promise<Pick<Version, 'text' | 'missing' | 'extraneous' | 'faults'> | null> => {
      const values = {
        topic: asData('topic', options.topic),
        insights: own.length === 0 ? 'There are no facts for this chapter.' : listed(own, texts),
        before: before === undefined ? 'Nothing was said before.' : asData('before', before.slice(-SHOWN_BEFORE)),
        ...{ ...plan.manner, wrong, number: String(plan.number), words: String(words) },
        ...{ chapter: String(chapter + 1), chapters: String(chapters) },
      };
      const text = await model.text('benchmark-chapter', values, textTokens(model, words));
      if (text === null) return null;
      // Keep a chapter if checking it fails: the whole text is checked later.
      return (await versionOf(model, text, own, material)) ?? { text, missing: [], extraneous: [], faults: 0 };
    };
    const first = await attempt('This is the first attempt at this chapter.');
    if (first === null) continue;
    const { best, tried } = await improved(first, options.retries, ({ missing, extraneous }, tries) =>
      attempt(
        [
          `This is attempt ${tries + 2}. The last one was not used.`,
          ...(missing.length > 0 ? [`It did not tell, whole and unchanged:\n${listed(missing, texts)}`] : []),
          ...(extraneous.length > 0 ? [`It told facts of other chapters:\n${listed(extraneous, texts)}`] : []),
        ].join('\n'),
      ),
    );
    counts.chapterRetries += tried;
    counts.chaptersLeftWrong += Number(best.faults > 0);
    written.push(best.text);
  }
  return { text: written.length === 0 ? null : written.join('\n\n'), counts: { ...counts, chapters: written.length } };
}

function listed(places: readonly number[], texts: readonly string[]): string {
  return places.length === 0 ? 'None.' : asData('facts', numbered(places.map((place) => texts[place])));
}

export interface SettledDocument {
  readonly id: string;
  readonly text: string;
  readonly told: ReadonlyMap<number, readonly Span[]>;
}

/** Writes, checks and edits a document (Laban et al. 2024, section 3.2 and appendix A.1). @returns no document if nothing could be read */
export async function writeDocument(model: AskedModel, plan: PlannedDocument, material: Material) {
  const { texts, options } = material;
  const write = options.kind === 'news' ? writeArticle : writeConversation;
  const { text: draft, counts } = await write(model, plan, material);
  const first = draft === null ? null : await versionOf(model, draft, plan.insights, material);
  if (first === null) {
    const lost = { unwritten: Number(draft === null), unread: Number(draft !== null) };
    return { documents: [], counts: summed([counts, lost]) };
  }
  const { best, tried } = await improved(first, options.edits, async ({ text, missing, extraneous }) => {
    const values = {
      document: asData('document', text),
      ...{ missing: listed(missing, texts), extraneous: listed(extraneous, texts), words: String(options.words) },
    };
    const edited = await model.text('benchmark-edit', values, textTokens(model, options.words));
    return edited === null || edited === text ? null : versionOf(model, edited, plan.insights, material);
  });
  const { text, told, unfounded, missing, extraneous, isUnfinished } = best;
  const left = { missingLeft: missing.length, extraneousLeft: extraneous.length, unfinished: Number(isUnfinished) };
  const document: SettledDocument = { id: plan.id, text, told };
  return {
    documents: [document],
    counts: summed([counts, { unwritten: 0, unread: 0, edits: tried, unfounded, ...left }]),
  };
}
