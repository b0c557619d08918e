import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type Prompt, RULES_TOKENS, type StageModel } from '../../models/index.ts';
import { beginning, utf8Length } from '../../text/index.ts';

interface Choosing {
  readonly model: StageModel;
  readonly prompt: Prompt;
  readonly question: string | null;
  readonly points: readonly { readonly text: string; readonly relevance: number; readonly place: number }[];
  readonly articles: readonly string[];
  /** Whether points and articles may fill the context beside rules and answer, rather than a fixed share each. */
  readonly fillsContext: boolean;
}

const POINTS_SHARE = 0.45;
const ARTICLES_SHARE = 0.3;
const ANSWER_TOKENS = 1500;
const TOKENS_PER_PICK = 4;

const picked = z.union([
  z.object({ picked: z.array(z.unknown()) }).transform((answer) => answer.picked),
  z.array(z.unknown()),
]);
const PICKED = { name: 'picked', schema: picked, asked: z.object({ picked: z.array(z.int()) }) };

/** Only shown points count, by number or exact words; anything else is ignored and counted. @throws ModelCallError */
export async function chooseWithModel({ model, prompt, question, points, articles, fillsContext }: Choosing) {
  const bytes = model.contextTokens * BYTES_PER_TOKEN;
  const maxTokens = fillsContext ? Math.max(ANSWER_TOKENS, TOKENS_PER_PICK * points.length) : ANSWER_TOKENS;
  const room = bytes - (maxTokens + RULES_TOKENS) * BYTES_PER_TOKEN;
  const shown = withinBytes(points, fillsContext ? room : POINTS_SHARE * bytes);
  const numberOf = new Map(shown.map((index, place) => [spelt(points[index].text), place + 1]));
  const list = shown.map((index, place) => `${place + 1}. ${points[index].text}`).join('\n');
  const articlesRoom = fillsContext ? room - utf8Length(list) : ARTICLES_SHARE * bytes;
  const { text: articlesText, cut } = shownArticles(articles, articlesRoom);
  const answer = await model.askFor(
    {
      prompt,
      values: {
        question: question === null ? 'What matters most in the articles.' : asData('question', question),
        count: 'Pick as few as say it, and no more than twelve.',
        points: asData('key points', list),
        articles: articlesText,
      },
      maxTokens,
    },
    PICKED,
  );
  const numbers = answer.map((each) => numberIn(each, numberOf));
  const known = numbers.filter((number) => number !== null && shown[number - 1] !== undefined);
  return {
    chosen: [...new Set(known.map((number) => shown[(number ?? 0) - 1]))].sort((a, b) => a - b),
    /** Picks in the answer that match no shown point. */
    unknown: numbers.length - known.length,
    notShown: points.length - shown.length,
    cutArticles: prompt.variables.includes('articles') ? cut : 0,
  };
}

function numberIn(item: unknown, numberOf: ReadonlyMap<string, number>): number | null {
  if (typeof item === 'number') return item;
  if (typeof item !== 'string') return null;
  return /^\s*\d+\s*$/.test(item) ? Number(item) : (numberOf.get(spelt(item)) ?? null);
}

function withinBytes(points: Choosing['points'], bytes: number): number[] {
  const order = [...points.keys()].sort((a, b) => points[b].relevance - points[a].relevance || a - b);
  const shown: number[] = [];
  let left = bytes;
  for (const index of order) {
    left -= utf8Length(points[index].text) + 8;
    if (left < 0) break;
    shown.push(index);
  }
  return shown.sort((a, b) => points[a].place - points[b].place || a - b);
}

/** Bytes of the lines around an article, and min bytes of its text. */
const AROUND = 100;
const LEAST = 200;

function shownArticles(articles: readonly string[], bytes: number): { readonly text: string; readonly cut: number } {
  const sizes = articles.map((article) => utf8Length(article));
  const isWhole = sizes.reduce((sum, size) => sum + size + AROUND, 0) <= bytes;
  const fitting = Math.max(1, Math.floor(bytes / (AROUND + LEAST)));
  const shown = isWhole ? articles : articles.slice(0, fitting);
  const share = isWhole ? Number.POSITIVE_INFINITY : Math.max(LEAST, bytes / Math.max(1, shown.length) - AROUND);
  const text = shown.map((article, index) => asData('article', shortened(article, share), index + 1)).join('\n\n');
  return { text, cut: articles.length - sizes.slice(0, shown.length).filter((size) => size <= share).length };
}

function shortened(text: string, bytes: number): string {
  const size = utf8Length(text);
  return size <= bytes ? text : `${beginning(text, Math.floor((text.length * bytes) / size))} …`;
}

function spelt(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
