import { z } from 'zod';
import { packed } from '../../evaluation/index.ts';
import { asData } from '../../models/index.ts';
import { quoteAligner, type Span, utf8Length } from '../../text/index.ts';
import { type AskedModel, itemAt, listForm, numbered, readNumber } from './asked-model.ts';
import type { Insight } from './haystack-outline.ts';
import type { HaystackOptions, PlannedDocument } from './haystack-plan.ts';
import { type Counts, summed } from './maker.ts';

interface Material {
  /** All insights, ordered independently of the plan. */
  readonly insights: readonly Insight[];
  readonly options: HaystackOptions;
}

const FOUND = listForm('found_insights', 'found', z.object({ insight: readNumber, quote: z.string() }));
/** Room in an answer for unplanned insights. */
const SPARE = 6;
const BYTES_PER_TOKEN = 3;
const MIN_ROOM = 2000;

/**
 * Asks which insights a text tells (Laban et al. 2024, section 3.2); those with quotes that are missing from it are not
 * told.
 * @returns null if an answer cannot be read
 */
async function versionOf(model: AskedModel, text: string, planned: readonly string[], { insights: all }: Material) {
  const { system, user } = model.prompt('benchmark-find-insights');
  const taken = [system, user, text].reduce((sum, each) => sum + utf8Length(each), 0);
  const maxTokens = Math.min(300 + (planned.length + SPARE) * 120, Math.floor(model.contextTokens / 2));
  const room = Math.max(MIN_ROOM, BYTES_PER_TOKEN * (model.contextTokens - maxTokens) - taken);
  const lists = packed(all, room);
  const answers = await Promise.all(
    lists.map((list) => {
      const values = { insights: listed(list.map((each) => each.text)), document: asData('document', text) };
      return model.json('benchmark-find-insights', values, maxTokens, FOUND);
    }),
  );
  const aligner = quoteAligner(text);
  const told = new Map<string, readonly Span[]>();
  const claimed = new Set<string>();
  for (const [place, answer] of answers.entries()) {
    if (answer === null) return null;
    for (const { insight: number, quote } of answer) {
      const insight = itemAt(lists[place], number)?.text;
      if (insight === undefined) continue;
      claimed.add(insight);
      const spans = aligner.align(quote)?.spans ?? [];
      if (spans.length > 0 && !told.has(insight)) told.set(insight, spans);
    }
  }
  const missing = planned.filter((each) => !told.has(each));
  const extraneous = all.flatMap((each) => (told.has(each.text) && !planned.includes(each.text) ? [each.text] : []));
  const faults = missing.length + extraneous.length;
  return { text, told, unfounded: claimed.size - told.size, missing, extraneous, faults };
}

function listed(insights: readonly string[]): string {
  return insights.length === 0 ? 'None.' : asData('facts', numbered(insights));
}

/**
 * Makes a version of the one before until one has no faults, none comes, or the tries are used up.
 * @returns the first of those with the fewest faults
 */
export async function improved<Version extends { readonly faults: number }>(
  first: Version,
  tries: number,
  next: (last: Version, tried: number) => Promise<Version | null>,
): Promise<{ readonly best: Version; readonly tried: number }> {
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
  /** Null if nothing could be read. */
  readonly text: string | null;
  readonly counts: Counts;
}

async function writeArticle(
  model: AskedModel,
  plan: PlannedDocument,
  { topic, words }: HaystackOptions,
): Promise<Written> {
  const values = {
    ...{ topic: asData('topic', topic), insights: listed(plan.insights) },
    ...{ ...plan.manner, number: String(plan.number), words: String(words) },
  };
  return { text: await model.text('benchmark-article', values, textTokens(model, words)), counts: {} };
}

/** One insight per chapter (Laban et al. 2024, appendix A.1), the best of `retries` + 1 attempts. */
async function writeConversation(model: AskedModel, plan: PlannedDocument, material: Material): Promise<Written> {
  const { topic, retries, ...options } = material.options;
  const chapters = Math.max(1, plan.insights.length);
  const words = Math.round(options.words / chapters);
  const written: string[] = [];
  const counts = { chapterRetries: 0, chaptersLeftWrong: 0 };
  for (let chapter = 0; chapter < chapters; chapter++) {
    const own = plan.insights.slice(chapter, chapter + 1);
    const before = written.at(-1);
    const attempt = async (wrong: string) => {
      const values = {
        ...{ topic: asData('topic', topic), insights: listed(own) },
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
    const { best, tried } = await improved(first, retries, ({ missing, extraneous }, tries) => {
      const last = `This is attempt ${tries + 2}. The last one was not used.`;
      return attempt(
        `${last}\nIt did not tell, whole and unchanged:\n${listed(missing)}\nIt told facts of other chapters:\n${listed(extraneous)}`,
      );
    });
    counts.chapterRetries += tried;
    counts.chaptersLeftWrong += Number(best.faults > 0);
    written.push(best.text);
  }
  return { text: written.length === 0 ? null : written.join('\n\n'), counts: { ...counts, chapters: written.length } };
}

export interface SettledDocument {
  readonly id: string;
  readonly text: string;
  readonly told: ReadonlyMap<string, readonly Span[]>;
}

/** Writes, checks and edits a document (Laban et al. 2024, section 3.2 and appendix A.1). @returns no document if nothing could be read */
export async function writeDocument(model: AskedModel, plan: PlannedDocument, material: Material) {
  const { options } = material;
  const { text: draft, counts } = await (options.kind === 'news'
    ? writeArticle(model, plan, options)
    : writeConversation(model, plan, material));
  const first = draft === null ? null : await versionOf(model, draft, plan.insights, material);
  if (first === null) {
    const lost = { unwritten: Number(draft === null), unread: Number(draft !== null) };
    return { documents: [], counts: summed([counts, lost]) };
  }
  const { best, tried } = await improved(first, options.edits, async ({ text, missing, extraneous }) => {
    const asked = { missing: listed(missing), extraneous: listed(extraneous), words: String(options.words) };
    const values = { document: asData('document', text), ...asked };
    const edited = await model.text('benchmark-edit', values, textTokens(model, options.words));
    return edited === null || edited === text ? null : versionOf(model, edited, plan.insights, material);
  });
  const { text, told, unfounded, missing, extraneous } = best;
  const left = { unfounded, missingLeft: missing.length, extraneousLeft: extraneous.length };
  const document: SettledDocument = { id: plan.id, text, told };
  return { documents: [document], counts: summed([counts, { unwritten: 0, unread: 0, edits: tried, ...left }]) };
}
