import { z } from 'zod';
import { foldText } from '../../text/documents/fold-text.ts';
import { asData } from '../../models/language/as-data.ts';
import type { JsonForm } from '../../models/language/stage-model.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { oneLine } from '../asking/one-line.ts';
import { orNothing } from '../asking/or-nothing.ts';
import type { Counts, HaystackOptions, Subtopic } from './haystack-options.ts';
import { isSpecific } from './is-specific.ts';
import { sharpenInsights } from './sharpen-insights.ts';

const line = z.string().transform(oneLine);
const insight = z.union([line, z.object({ insight: line }).transform((given) => given.insight)]);
const subtopic = z.object({
  name: line.pipe(z.string().min(1).max(300)),
  query: line.pipe(z.string().min(1).max(1000)),
  insights: z.array(z.unknown()),
});

/** An outline as a model gave it, and how much of it was none. */
interface GivenOutline {
  readonly subtopics: readonly Subtopic[];
  readonly unreadSubtopics: number;
  readonly unreadInsights: number;
}

/** A subtopic or insight that is none is passed over, and does not cost the others; an outline without a subtopic is none. */
const OUTLINE: JsonForm<GivenOutline> = {
  name: 'haystack_outline',
  wholeItems: true,
  schema: z
    .object({ subtopics: z.array(z.unknown()) })
    .transform(readOutline)
    .refine(({ subtopics }) => subtopics.length > 0, 'no subtopic has a name, a query and insights'),
  asked: z.object({
    subtopics: z.array(z.object({ name: z.string(), query: z.string(), insights: z.array(z.string()) })),
  }),
};

function readOutline(given: { readonly subtopics: readonly unknown[] }): GivenOutline {
  const read = given.subtopics.flatMap((each) => subtopic.safeParse(each).data ?? []);
  const subtopics = read.map((each) => ({
    ...each,
    insights: each.insights.flatMap((text) => insight.safeParse(text).data ?? []),
  }));
  return {
    subtopics,
    unreadSubtopics: given.subtopics.length - read.length,
    unreadInsights: read.reduce((sum, { insights }) => sum + insights.length, 0) - sizeOf(subtopics),
  };
}

export const OUTLINE_TOKENS = { answer: 300, subtopic: 80, insight: 60 };

const NO_OUTLINE: GivenOutline = { subtopics: [], unreadSubtopics: 0, unreadInsights: 0 };

/**
 * Subtopics of a topic, each with a query and its insights (Laban et al. 2024, section 3.2). What is not one sentence with a
 * number, a date or a name is sent back once, then dropped, and so are insights that came before, and subtopics that keep
 * too few.
 */
export async function askOutline(
  model: AskedModel,
  options: HaystackOptions,
): Promise<{ readonly subtopics: readonly Subtopic[]; readonly counts: Counts }> {
  const { topic, subtopics, insights } = options;
  const { answer, ...each } = OUTLINE_TOKENS;
  const wanted = answer + subtopics * (each.subtopic + insights.most * each.insight);
  const question = {
    prompt: model.prompt('benchmark-outline'),
    values: {
      topic: asData('topic', topic),
      subtopics: String(subtopics),
      least: String(insights.least),
      most: String(insights.most),
    },
    maxTokens: Math.min(wanted, Math.floor(model.contextTokens / 2)),
  };
  const outline = await orNothing(model.askFor(question, OUTLINE));
  const { subtopics: given, unreadSubtopics, unreadInsights } = outline ?? NO_OUTLINE;
  const named = distinct(given, ({ name }) => name).slice(0, subtopics);
  const sharpened = await sharpenInsights(model, topic, named, insights.most);
  const seen = new Set<string>();
  const outlined = sharpened.subtopics.map((each) => ({
    ...each,
    insights: distinct(each.insights.filter(isSpecific), (text) => text, seen),
  }));
  const cut = outlined.map((each) => ({ ...each, insights: each.insights.slice(0, insights.most) }));
  const kept = cut.filter((each) => each.insights.length >= insights.least);
  const [specific, different, within] = [
    sharpened.subtopics.map((each) => ({ ...each, insights: each.insights.filter(isSpecific) })),
    outlined,
    cut,
  ].map(sizeOf);
  return {
    subtopics: kept,
    counts: {
      subtopicsGiven: given.length,
      unreadSubtopics,
      unreadInsights,
      surplusSubtopics: given.length - named.length,
      insightsGiven: sizeOf(given),
      sentBack: sharpened.sentBack,
      unspecific: sizeOf(sharpened.subtopics) - specific,
      repeatedInsights: specific - different,
      surplusInsights: different - within,
      thinSubtopics: cut.length - kept.length,
    },
  };
}

function sizeOf(subtopics: readonly Subtopic[]): number {
  return subtopics.reduce((sum, { insights }) => sum + insights.length, 0);
}

/** The first of those that read alike. @param seen what came before; added to */
function distinct<Item>(items: readonly Item[], textOf: (item: Item) => string, seen = new Set<string>()): Item[] {
  return items.filter((item) => {
    const { folded } = foldText(textOf(item));
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}
