import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentStems } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { type SourceDocument, sentences, utf8Length, windows } from '../../text/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { oneLine } from '../asking/one-line.ts';
import { folded } from '../questions/folded.ts';

/** What a model is shown of a collection. */
interface Beginnings {
  readonly text: string;
  /** Documents of which the end is not shown. */
  readonly cut: number;
  /** Documents of which nothing is shown. */
  readonly notShown: number;
}

/** Bytes of the lines around a document, and the fewest of it that tell anything. */
const AROUND = 100;
const LEAST = 200;

/**
 * Titles and beginnings of documents, within so many UTF-8 bytes: each has the same room, and what short ones leave of theirs is
 * shared by the longer ones. Of more documents than there is room for, some at even distances are shown.
 */
export function beginnings(documents: readonly SourceDocument[], bytes: number): Beginnings {
  const whole = documents.map(({ title, text }) => (title === undefined ? text : `${title}\n\n${text}`));
  const most = Math.max(1, Math.floor(bytes / (AROUND + LEAST)));
  const count = Math.min(most, whole.length);
  const shown = Array.from({ length: count }, (_, place) => whole[Math.floor((place * whole.length) / count)]);
  const sizes = shown.map((text) => utf8Length(text));
  const level = levelOf(sizes, bytes - AROUND * count);
  const texts = shown.map((text, place) => {
    if (sizes[place] <= level) return asData('document', text, place + 1);
    const [first] = windows(text, { bytes: level, overlapBytes: 0 });
    return asData('document', `${first === undefined ? '' : text.slice(0, first.end)} […]`, place + 1);
  });
  return {
    text: texts.join('\n\n'),
    cut: sizes.filter((size) => size > level).length,
    notShown: whole.length - shown.length,
  };
}

/** The size to which the larger ones are cut, so that all together fit. */
function levelOf(sizes: readonly number[], bytes: number): number {
  let left = bytes;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [place, size] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - place));
    if (size > level) return Math.max(LEAST, level);
    left -= size;
  }
  return Math.max(LEAST, ascending.at(-1) ?? 0);
}

/** Why an intent cannot be used, by the name that it is counted by. */
type IntentFault = 'unfit' | 'duplicates' | 'nearDuplicates';

/** A sentence of more words asks for several things, or does not stop. */
const MAX_WORDS = 60;
/** Share of content words in common (Jaccard) from which two intents ask for the same in other words. */
const NEAR = 0.7;

/**
 * Looks at the intents of one collection in the order in which they came: each a sentence of words, none as one before it but for
 * case and punctuation, none with nearly the same words.
 *
 * @returns looks at the next one, knowing those that could be used
 */
export function intentChecker(): (intent: string) => IntentFault | null {
  const known = new Map<string, ReadonlySet<string>>();
  return (intent) => {
    const key = folded(intent);
    if (key === '' || sentences(intent).length > 1 || countWords(intent) > MAX_WORDS) return 'unfit';
    if (known.has(key)) return 'duplicates';
    const words = contentStems(intent);
    if ([...known.values()].some((others) => inCommon(words, others) >= NEAR)) return 'nearDuplicates';
    known.set(key, words);
    return null;
  };
}

/** Jaccard's; 0 where there are no words. */
function inCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const both = [...some].filter((word) => others.has(word)).length;
  return both === 0 ? 0 : both / (some.size + others.size - both);
}

/** What readers may want to know of a collection. */
export interface CollectionIntents {
  readonly intents: readonly string[];
  readonly dropped: Readonly<Record<IntentFault, number>>;
  /** Usable intents beyond those wanted. */
  readonly surplus: number;
  /** Documents of which the model saw a part, or nothing. */
  readonly cut: number;
  readonly notShown: number;
}

const texts = z.array(z.unknown());
const answer = z.union([z.object({ intents: texts }).transform(({ intents }) => intents), texts]);
/** Some models wrap each in an object. */
const one = z.union([z.string(), z.object({ intent: z.string() }).transform(({ intent }) => intent)]).catch('');

const INTENTS: JsonForm<string[]> = {
  name: 'intents',
  schema: answer.transform((items) => items.map((item) => oneLine(one.parse(item)))),
  asked: z.object({ intents: z.array(z.string()) }),
  wholeItems: true,
};

const RULES_TOKENS = 600;
/** In most scripts a token is more. */
const SAFE_BYTES_PER_TOKEN = 2;
const MAX_BYTES = 64_000;
const MIN_BYTES = 400;
/** Share of the room that documents have; the rest is for the intents that are there already. */
const DOCUMENTS = 0.85;

interface IntentsRoom {
  readonly documentBytes: number;
  answerTokens(count: number): number;
}

/** How a context is shared between the documents, what is there already, and the answer. */
export function intentsRoom(contextTokens: number, intents: number): IntentsRoom {
  const answerTokens = (count: number) => Math.min(100 + 120 * count, Math.floor(contextTokens / 3));
  const bytes = SAFE_BYTES_PER_TOKEN * (contextTokens - RULES_TOKENS - answerTokens(intents));
  return { documentBytes: Math.min(MAX_BYTES, Math.max(MIN_BYTES, Math.floor(DOCUMENTS * bytes))), answerTokens };
}

/**
 * Distinct intents for a collection, from the titles and beginnings of its documents (Padmakumar et al. 2025, sections 4.1.3 and
 * B.2). Where fewer can be used than wanted, as some are alike or no sentence, the model is asked once more, told those that can.
 *
 * @param count intents wanted
 */
export async function collectionIntents(
  documents: readonly SourceDocument[],
  count: number,
  model: AskedModel,
): Promise<CollectionIntents> {
  const { documentBytes, answerTokens } = intentsRoom(model.contextTokens, count);
  const { text, cut, notShown } = beginnings(documents, documentBytes);
  const check = intentChecker();
  const dropped = { unfit: 0, duplicates: 0, nearDuplicates: 0 };
  const found: string[] = [];
  const add = (given: readonly string[]): void => {
    for (const intent of given) {
      const fault = check(intent);
      if (fault === null) found.push(intent);
      else dropped[fault]++;
    }
  };
  const ask = (wanted: number): Promise<string[] | null> => {
    const there = found.length === 0 ? 'nothing yet' : asData('intents', found.map((each) => `- ${each}`).join('\n'));
    const values = { documents: text, count: String(wanted), found: there };
    const prompt = model.prompt('benchmark-intents');
    return nullIfUnanswerable(model.askFor({ prompt, values, maxTokens: answerTokens(wanted) }, INTENTS));
  };
  add((await ask(count)) ?? []);
  // Where nothing could be read or used, the same question would have the same answer.
  if (found.length > 0 && found.length < count) add((await ask(count - found.length)) ?? []);
  const intents = found.slice(0, count);
  return { intents, dropped, surplus: found.length - intents.length, cut, notShown };
}
