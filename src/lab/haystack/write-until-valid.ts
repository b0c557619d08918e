import { asData } from '../../models/index.ts';
import type { Span } from '../../text/index.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { numbered } from '../asking/one-line.ts';
import { askText, textTokens } from './ask-text.ts';
import { findInsights, type InsightsFound, type ShownInsight } from './find-insights.ts';
import type { Counts, HaystackKind, HaystackOptions } from './haystack-options.ts';
import type { Manner, PlannedDocument } from './plan-documents.ts';
import { type WrittenText, writeConversation } from './write-conversation.ts';

const MAX_HEADLINE_LENGTH = 200;

/** Parts in which a document is written: an article whole, a conversation insight by insight. */
export function chaptersOf({ kind }: { readonly kind: HaystackKind }, insights: number): number {
  return kind === 'news' ? 1 : Math.max(1, insights);
}

/** An article, in one call; null where the model gave nothing that could be read. */
async function writeArticle(
  model: AskedModel,
  { number, insights }: PlannedDocument,
  { outlet, opening }: Extract<Manner, { kind: 'news' }>,
  texts: readonly string[],
  options: HaystackOptions,
): Promise<WrittenText | null> {
  const text = await askText(model, {
    prompt: model.prompt('benchmark-article'),
    values: {
      topic: asData('topic', options.topic),
      insights: asData('facts', numbered(insights.map((place) => texts[place]))),
      outlet,
      opening,
      number: String(number),
      words: String(options.words),
    },
    maxTokens: textTokens(model, options.words),
  });
  return text === null ? null : { text, counts: {}, failedAttempts: [] };
}

/**
 * A text with what it lacks put in and what it should not tell taken out; null where none could be read.
 *
 * @param failed facts that earlier edits lost, or let in
 */
function editDocument(
  model: AskedModel,
  text: string,
  { missing, extraneous, failed }: Readonly<Record<'missing' | 'extraneous' | 'failed', readonly string[]>>,
  { words }: HaystackOptions,
): Promise<string | null> {
  const listed = (texts: readonly string[]) => (texts.length === 0 ? 'None.' : asData('facts', numbered(texts)));
  return askText(model, {
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

/** Tokens of a document of so many insights at the most: of its chapters, or of what an edit makes of it. */
export function maxTextTokens(options: HaystackOptions, insights: number, contextTokens: number): number {
  const chapters = chaptersOf(options, insights);
  const written = chapters * textTokens({ contextTokens }, Math.round(options.words / chapters));
  return Math.max(written, textTokens({ contextTokens }, options.words));
}

/** Punctuation behind which a sentence goes on, in any script. */
const GOES_ON = /[,;:\p{Pd}\p{Ps}،؛՝፣፤፥፦、，；：､]$/u;
/** Scripts that end sentences without punctuation. */
const UNMARKED = /[\p{Script=Thai}\p{Script=Lao}]$/u;

/**
 * Whether a text ends as a sentence does: with a full stop or another mark, a closing quote or bracket behind it. What a model
 * wrote until its tokens were spent breaks off within one.
 */
export function isFinished(text: string): boolean {
  const end = text.trimEnd();
  return UNMARKED.test(end) || (/\p{P}$/u.test(end) && !GOES_ON.test(end));
}

/** A document, and what it tells, whatever it was to tell. */
export interface SettledDocument {
  readonly id: string;
  readonly text: string;
  /** Insights by their place, with the words that tell them. */
  readonly told: ReadonlyMap<number, readonly Span[]>;
  readonly counts: Counts;
  readonly failedAttempts: WrittenText['failedAttempts'];
}

/** A document, or why there is none: nothing could be written, or nobody could say what the text tells. */
export type Settled = SettledDocument | 'unwritten' | 'unread';

interface Version {
  readonly text: string;
  readonly found: InsightsFound;
  readonly missing: readonly number[];
  readonly extraneous: readonly number[];
  /** Whether it breaks off. */
  readonly isUnfinished: boolean;
}

/** Edits of one text that made it worse, after which it is left as it is. */
const MAX_WORSE = 2;

/**
 * Writes a document, finds what it tells, and has it put right as long as that is not what it should tell, or it breaks off,
 * so many times at most (Laban et al. 2024, section 3.2 and appendix A.1). The best version is edited, and kept; what is still
 * wrong with it is put right in the labels: they say what it tells.
 *
 * @param texts of all insights, by place
 * @param shown all of them, in the order in which the model sees them
 */
export async function writeUntilValid(
  model: AskedModel,
  plan: PlannedDocument,
  texts: readonly string[],
  shown: readonly ShownInsight[],
  options: HaystackOptions,
): Promise<Settled> {
  const textsOf = (places: readonly number[]) => places.map((place) => texts[place]);
  const versionOf = async (text: string): Promise<Version | null> => {
    const found = await findInsights(model, text, shown, plan.insights.length);
    return found && { text, found, ...differences(plan.insights, found), isUnfinished: !isFinished(text) };
  };
  const { manner } = plan;
  const first =
    manner.kind === 'conversation'
      ? await writeConversation(model, plan, manner, { texts, shown, options })
      : await writeArticle(model, plan, manner, texts, options);
  if (first === null) return 'unwritten';
  let best = await versionOf(first.text);
  if (best === null) return 'unread';
  let [edits, unreadEdits] = [0, 0];
  let worse: Version[] = [];
  while (wrongIn(best) > 0 && edits < options.edits && worse.length < MAX_WORSE) {
    const failed = wrongBeside(best, worse);
    const wrong = { missing: textsOf(best.missing), extraneous: textsOf(best.extraneous), failed: textsOf(failed) };
    const edited = await editDocument(model, best.text, wrong, options);
    // The same text again would be found to be the same, and be edited alike.
    if (edited === null || [best, ...worse].some(({ text }) => text === edited)) break;
    edits++;
    const version = await versionOf(edited);
    if (version === null) {
      unreadEdits++;
      break;
    }
    if (wrongIn(version) > wrongIn(best)) worse.push(version);
    else [best, worse] = [version, []];
  }
  return {
    id: plan.id,
    text: best.text,
    told: best.found.told,
    counts: {
      ...first.counts,
      edits,
      unreadEdits,
      unfounded: best.found.unfounded,
      missingLeft: best.missing.length,
      extraneousLeft: best.extraneous.length,
      unfinished: Number(best.isUnfinished),
    },
    failedAttempts: first.failedAttempts,
  };
}

/** What edits that made a text worse got wrong, and it does not. */
function wrongBeside(best: Version, worse: readonly Version[]): number[] {
  const placesOf = ({ missing, extraneous }: Version) => [...missing, ...extraneous];
  const known = new Set(placesOf(best));
  return [...new Set(worse.flatMap(placesOf))].filter((place) => !known.has(place)).sort((a, b) => a - b);
}

function differences(planned: readonly number[], { told }: InsightsFound) {
  const isPlanned = new Set(planned);
  return {
    missing: planned.filter((place) => !told.has(place)),
    extraneous: [...told.keys()].filter((place) => !isPlanned.has(place)),
  };
}

function wrongIn({ missing, extraneous, isUnfinished }: Version): number {
  return missing.length + extraneous.length + Number(isUnfinished);
}
