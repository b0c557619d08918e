import { z } from 'zod';
import { asData } from '../../models/index.ts';
import { chunks, quoteAligner, type Span } from '../../text/index.ts';
import { type AskedModel, itemAt, listForm, numbered, readNumber } from './asked-model.ts';
import type { HaystackOptions, PlannedDocument } from './haystack-plan.ts';

interface Material {
  /** All insights, ordered independently of the plan. */
  readonly insights: readonly string[];
  readonly options: HaystackOptions;
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
async function versionOf(model: AskedModel, text: string, planned: readonly string[], { insights: all }: Material) {
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

/** Tokens of a text, with twice the English ratio, so that an overlong text is not cut. */
function textTokens(words: number): number {
  return 200 + Math.ceil(words * 2.7);
}

function writeArticle(model: AskedModel, plan: PlannedDocument, { options: { topic, words } }: Material) {
  const values = {
    ...{ topic: asData('topic', topic), insights: listed(plan.insights) },
    ...{ ...plan.manner, number: String(plan.number), words: String(words) },
  };
  return model.text('benchmark-article', values, textTokens(words));
}

const SHOWN_BEFORE = 600;

/** One insight per chapter (Laban et al. 2024, appendix A.1), the best of `retries` + 1 attempts. */
async function writeConversation(model: AskedModel, plan: PlannedDocument, material: Material): Promise<string | null> {
  const { topic, retries, ...options } = material.options;
  const chapters = Math.max(1, plan.insights.length);
  const words = Math.round(options.words / chapters);
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

export interface SettledDocument {
  readonly id: string;
  readonly text: string;
  readonly told: ReadonlyMap<string, readonly Span[]>;
}

/** Writes, checks and edits a document (Laban et al. 2024, section 3.2 and appendix A.1). @returns no document if nothing could be read */
export async function writeDocument(
  model: AskedModel,
  plan: PlannedDocument,
  material: Material,
): Promise<SettledDocument[]> {
  const { kind, words, edits } = material.options;
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
