import { asData, type Question, THOUGHTS, withoutUnseen } from '../../models/index.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { nullIfUnanswerable } from '../asking/null-if-unanswerable.ts';
import { numbered } from '../asking/one-line.ts';
import type { HaystackKind, HaystackOptions } from './haystack-options.ts';
import type { Manner, PlannedDocument } from './plan-documents.ts';

/** Words of a chapter, about: in longer ones models lose insights. */
const CHAPTER_WORDS = 250;
/** Of the chapter before, in UTF-16 code units. */
const SHOWN_BEFORE = 600;
/** Twice what English takes, so that a text that is too long is whole. */
const TOKENS_PER_WORD = 2.7;
const MAX_HEADLINE_LENGTH = 200;

const FENCE = /^```\w*\n([\s\S]*?)\n```$/;

/** Calls that one document takes. */
export function chaptersOf({ kind, words }: { readonly kind: HaystackKind; readonly words: number }): number {
  return kind === 'news' ? 1 : Math.max(1, Math.round(words / CHAPTER_WORDS));
}

/**
 * The text of a document: an article in one call, a conversation chapter by chapter, each with its share of the insights and
 * the end of the one before (Laban et al. 2024, appendix A.1).
 *
 * @param texts the insights to tell, in their order
 * @returns null where the model gave nothing that could be read
 */
export async function writeDocument(
  model: AskedModel,
  plan: PlannedDocument,
  texts: readonly string[],
  options: HaystackOptions,
): Promise<string | null> {
  const { manner } = plan;
  if (manner.kind === 'conversation') return writeConversation(model, plan, manner, texts, options);
  return asked(model, {
    prompt: model.prompt('benchmark-article'),
    values: {
      topic: asData('topic', options.topic),
      insights: asData('facts', numbered(texts)),
      outlet: manner.outlet,
      opening: manner.opening,
      number: String(plan.number),
      words: String(options.words),
    },
    maxTokens: textTokens(model, options.words),
  });
}

async function writeConversation(
  model: AskedModel,
  { number }: PlannedDocument,
  { setting, speakers }: Extract<Manner, { kind: 'conversation' }>,
  texts: readonly string[],
  options: HaystackOptions,
): Promise<string | null> {
  const chapters = chaptersOf(options);
  const words = Math.round(options.words / chapters);
  const written: string[] = [];
  for (let chapter = 0; chapter < chapters; chapter++) {
    const [from, to] = [chapter, chapter + 1].map((part) => Math.round((part * texts.length) / chapters));
    const share = texts.slice(from, to);
    const before = written.at(-1);
    const text = await asked(model, {
      prompt: model.prompt('benchmark-chapter'),
      values: {
        topic: asData('topic', options.topic),
        insights: share.length === 0 ? 'There are no facts for this chapter.' : asData('facts', numbered(share)),
        before: before === undefined ? 'Nothing was said before.' : asData('before', before.slice(-SHOWN_BEFORE)),
        setting,
        speakers: speakers.join(', '),
        number: String(number),
        chapter: String(chapter + 1),
        chapters: String(chapters),
        words: String(words),
      },
      maxTokens: textTokens(model, words),
    });
    if (text !== null) written.push(text);
  }
  return written.length === 0 ? null : written.join('\n\n');
}

/**
 * A text with what it lacks put in and what it should not tell taken out; null where none could be read.
 *
 * @param failed facts that earlier edits lost, or let in
 */
export function editDocument(
  model: AskedModel,
  text: string,
  { missing, extraneous, failed }: Readonly<Record<'missing' | 'extraneous' | 'failed', readonly string[]>>,
  { words }: HaystackOptions,
): Promise<string | null> {
  const listed = (texts: readonly string[]) => (texts.length === 0 ? 'None.' : asData('facts', numbered(texts)));
  return asked(model, {
    prompt: model.prompt('benchmark-edit'),
    values: {
      document: asData('document', text),
      missing: listed(missing),
      extraneous: listed(extraneous),
      failed: listed(failed),
      words: String(words),
    },
    maxTokens: textTokens(model, words),
  });
}

/** The headline of an article, which its text begins with; undefined where it has none. */
export function headlineOf(text: string): string | undefined {
  const [first, ...more] = text.split('\n');
  const headline = first.replace(/^[#*_\s]+|[*_\s]+$/g, '');
  const isHeadline =
    headline !== '' && headline.length <= MAX_HEADLINE_LENGTH && more.some((line) => line.trim() !== '');
  return isHeadline ? headline : undefined;
}

/** Tokens of a document at the most: of its chapters, or of what an edit makes of it. */
export function maxDocumentTokens(options: HaystackOptions, contextTokens: number): number {
  const chapters = chaptersOf(options);
  const written = chapters * textTokens({ contextTokens }, Math.round(options.words / chapters));
  return Math.max(written, textTokens({ contextTokens }, options.words));
}

async function asked(model: AskedModel, question: Question): Promise<string | null> {
  const answer = await nullIfUnanswerable(model.ask(question));
  if (answer === null) return null;
  const text = withoutUnseen(answer).replace(THOUGHTS, '').trim().replace(FENCE, '$1').trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : null;
}

function textTokens({ contextTokens }: Pick<AskedModel, 'contextTokens'>, words: number): number {
  return Math.min(200 + Math.ceil(words * TOKENS_PER_WORD), Math.floor(contextTokens / 2));
}
