import { z } from 'zod';
import { asData } from '../../models/index.ts';
import { type Random, shuffled } from '../../selection/index.ts';
import { chunks, quoteAligner, type SourceDocument, type Span } from '../../text/index.ts';
import { type AskedModel, itemAt, listForm, numbered, readNumber } from './asked-model.ts';

export const HAYSTACK_KINDS = ['news', 'conversation'] as const;

export interface HaystackOptions {
  readonly topic: string;
  readonly kind: (typeof HAYSTACK_KINDS)[number];
  readonly subtopics: number;
  readonly insights: { readonly least: number; readonly most: number };
  readonly documents: number;
  /** Per document, approximate. */
  readonly words: number;
  /** Min documents per insight; at most `documents`. */
  readonly least: number;
  readonly edits: number;
  readonly retries: number;
  readonly seeds: readonly SourceDocument[];
  readonly seed: number;
}

type DealingSizes = Pick<HaystackOptions, 'documents' | 'least'>;

/** Documents per insight: at least `least`, and enough to leave no document empty. */
export function copiesOf(insights: number, { documents, least }: DealingSizes): number {
  return insights === 0 ? 0 : Math.min(documents, Math.max(least, Math.ceil(documents / insights)));
}

/**
 * Deals each insight to `copiesOf` distinct documents, so that loads differ by at most one and documents mix subtopics
 * (Laban et al. 2024, section 3.2): the documents take turns in an order that is drawn anew for every round.
 * @param insights grouped by subtopic, so that no document gets more than its share of one, plus two
 * @returns places of insights per document
 */
export function dealInsights(insights: number, sizes: DealingSizes, random: Random): number[][] {
  const dealt = Array.from({ length: sizes.documents }, (): number[] => []);
  const copies = copiesOf(insights, sizes);
  let round: number[][] = [];
  for (let insight = 0; insight < insights; insight++) {
    for (let copy = 0; copy < copies; copy++) {
      if (round.length === 0) round = shuffled(dealt, random);
      // One that is left in a round of its own has had no copy yet.
      const next = round.findIndex((own) => own.at(-1) !== insight);
      for (const own of round.splice(next, 1)) own.push(insight);
    }
  }
  return dealt;
}

const OUTLETS = ['a national daily', 'a financial newspaper', 'a local paper', 'a tabloid', 'a trade journal'];
const OPENINGS = ['a scene', 'the latest news', 'what somebody says', 'a question', 'a look back'];
const SETTINGS = ['an episode of a podcast', 'a debate on the radio', 'a meeting at work', 'a talk over lunch'];
const SPEAKERS = ['Amara', 'Bjorn', 'Chiara', 'Elif', 'Farid', 'Hana', 'Mei', 'Yusuf'];

type PlannedDocument = ReturnType<typeof planDocuments>[number];

/** @param insights grouped by subtopic */
export function planDocuments(insights: readonly string[], options: HaystackOptions, random: Random) {
  const oneOf = (list: readonly string[]) => list[Math.floor(random() * list.length)];
  const speakers = () => shuffled(SPEAKERS, random).slice(0, random() < 0.5 ? 2 : 3);
  return dealInsights(insights.length, options, random).map((own, place) => ({
    // Padded, so that ids sort.
    id: `document-${String(place + 1).padStart(String(options.documents).length, '0')}`,
    number: place + 1,
    insights: shuffled(own, random).map((each) => insights[each]),
    // Values of the prompt that make documents differ.
    manner:
      options.kind === 'news'
        ? { outlet: oneOf(OUTLETS), opening: oneOf(OPENINGS) }
        : { setting: oneOf(SETTINGS), speakers: speakers().join(', ') },
  }));
}

interface Material extends HaystackOptions {
  /** All insights, ordered independently of the plan. */
  readonly all: readonly string[];
}

const FOUND = listForm('found_insights', 'found', z.object({ insight: readNumber, quote: z.string() }));
/** Insights in one question. */
const LISTED = 40;
/** Room in an answer for unplanned insights. */
const SPARE = 6;

/**
 * Asks which insights a text tells (Laban et al. 2024, section 3.2); those with quotes that are missing from it are not
 * told.
 * @returns null if an answer cannot be read
 */
async function versionOf(model: AskedModel, text: string, planned: readonly string[], { all }: Material) {
  const answers = await Promise.all(
    [...chunks(all, LISTED)].map(async (shown) => {
      const values = { insights: listed(shown), document: asData('document', text) };
      const found = await model.json('benchmark-find-insights', values, 300 + (planned.length + SPARE) * 120, FOUND);
      return found?.map(({ insight, quote }) => ({ insight: itemAt(shown, insight), quote })) ?? null;
    }),
  );
  const aligner = quoteAligner(text);
  const told = new Map<string, readonly Span[]>();
  for (const answer of answers) {
    if (answer === null) return null;
    for (const { insight, quote } of answer) {
      const spans = aligner.align(quote)?.spans ?? [];
      if (insight !== undefined && spans.length > 0 && !told.has(insight)) told.set(insight, spans);
    }
  }
  const missing = planned.filter((each) => !told.has(each));
  const extraneous = all.filter((each) => told.has(each) && !planned.includes(each));
  return { text, told, missing, extraneous, faults: missing.length + extraneous.length };
}

function listed(insights: readonly string[]): string {
  return insights.length === 0
    ? 'None.'
    : numbered(
        'facts',
        insights.map((text) => ({ text })),
      );
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
  for (; last.faults > 0 && tried < tries; tried++) {
    const version = await next(last, tried);
    if (version === null) break;
    last = version;
    if (version.faults < best.faults) best = version;
  }
  return { best, tried };
}

/** Tokens of a text, with twice the English ratio, so that an overlong text is not cut. */
function textTokens(words: number): number {
  return 200 + Math.ceil(words * 2.7);
}

function writeArticle(model: AskedModel, plan: PlannedDocument, { topic, words }: HaystackOptions) {
  const values = {
    ...{ topic: asData('topic', topic), insights: listed(plan.insights) },
    ...{ ...plan.manner, number: String(plan.number), words: String(words) },
  };
  return model.text('benchmark-article', values, textTokens(words));
}

const SHOWN_BEFORE = 600;

/** One insight per chapter (Laban et al. 2024, appendix A.1), the best of `retries` + 1 attempts. */
async function writeConversation(model: AskedModel, plan: PlannedDocument, material: Material) {
  const { topic, retries } = material;
  const chapters = Math.max(1, plan.insights.length);
  const words = Math.round(material.words / chapters);
  const written: string[] = [];
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
      const text = await model.text('benchmark-chapter', values, textTokens(words));
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
    model.count('chapterRetries', tried);
    model.count('chaptersLeftWrong', Number(best.faults > 0));
    written.push(best.text);
  }
  return written.length === 0 ? null : written.join('\n\n');
}

export type SettledDocument = Awaited<ReturnType<typeof writeDocument>>[number];

/** Writes, checks and edits a document (Laban et al. 2024, section 3.2 and appendix A.1). @returns no document if nothing could be read */
export async function writeDocument(model: AskedModel, plan: PlannedDocument, material: Material) {
  const { kind, words, edits } = material;
  const draft = await (kind === 'news' ? writeArticle : writeConversation)(model, plan, material);
  const first = draft === null ? null : await versionOf(model, draft, plan.insights, material);
  if (first === null) {
    model.count(draft === null ? 'unwritten' : 'unread');
    return [];
  }
  const { best, tried } = await improved(first, edits, async ({ text, missing, extraneous }) => {
    const asked = { missing: listed(missing), extraneous: listed(extraneous), words: String(words) };
    const values = { document: asData('document', text), ...asked };
    const edited = await model.text('benchmark-edit', values, textTokens(words));
    return edited === null || edited === text ? null : versionOf(model, edited, plan.insights, material);
  });
  model.count('edits', tried);
  model.count('missingLeft', best.missing.length);
  model.count('extraneousLeft', best.extraneous.length);
  return [{ id: plan.id, text: best.text, told: best.told }];
}
