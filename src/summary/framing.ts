import { countWords } from './count-words.ts';
import { plainText } from './plain-text.ts';
import { endSentence } from './sentence-text.ts';
import type { ComposeInput, Intent } from './summary.ts';

/** Quoted longer than this, an intent or facet hides the sentence around it. */
const LONGEST_QUOTE = 16;
/** More unanswered facets than this are counted, not named. */
const MOST_FACETS = 3;
const NUMBER_WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** What stands around the points of a summary. */
export type Frame = Pick<ComposeInput, 'intent' | 'format' | 'documents' | 'known'>;

export interface Coverage {
  readonly points: number;
  /** Documents that the points cite. */
  readonly cited: number;
  readonly documents: number;
  /** Points with more than one document behind them. */
  readonly corroborated: number;
}

/** "Twelve points from six of the eight documents bear on “remote work”; four of them have more than one source." */
export function openingText(intent: Intent | null, coverage: Coverage): string {
  const { points, corroborated } = coverage;
  const makes = points === 1 ? 'makes' : 'make';
  const bears = points === 1 ? 'bears' : 'bear';
  const subject = `${amount(points)} ${points === 1 ? 'point' : 'points'} from ${documentsOf(coverage)}`;
  const verb = intent?.matched ? `${bears} on ${nameOf(intent.text)}` : `${makes} up this digest`;
  return `${capitalised(subject)} ${verb}${corroboration(points, corroborated)}.`;
}

/** "No document speaks to “office rents”.", for the intent as a whole or for facets of it; null where all is answered. */
export function unansweredText(
  intent: Intent | null,
  points: number,
  documents: number,
  known: ComposeInput['known'] = { documents: 0, points: 0 },
): string | null {
  if (points === 0 && known.documents + known.points > 0) return nothingNewText(documents, known.points);
  if (documents === 0 && points === 0) return nothingText(0);
  if (!intent) return points > 0 ? null : nothingText(documents);
  const nobody = documents === 1 ? 'The document does not speak to' : 'No document speaks to';
  if (!intent.matched) {
    const rest =
      points === 0 ? '' : `; what follows is the nearest ${documents === 1 ? 'it comes' : 'they come'} to it`;
    return `${nobody} ${nameOf(intent.text)}${rest}.`;
  }
  const missing = [...new Set(intent.facets.filter((facet) => !facet.matched).map((facet) => quoted(facet.text)))];
  if (missing.length > 0) return `${nobody} ${listed(missing)}.`;
  if (points > 0) return null;
  return `${nobody} ${nameOf(intent.text)}.`;
}

/** "Sources differ on the number of jobs: “2 million” against “3 million”." */
export function disagreementText(on: string, between: 'sources' | 'speakers'): string {
  const parties = between === 'sources' ? 'Sources differ' : 'Speakers differ';
  return endSentence(on.startsWith('“') ? `${parties}: ${on}` : `${parties} on ${on}`);
}

/** The most words that the opening and the unanswered facets can take: what the selection (`selection/fit-to-words.ts`) should leave free. */
export function framingReserve(input: Frame): number {
  const documents = input.documents.length;
  const unanswered = countWords(unansweredText(input.intent, 1, documents) ?? '');
  if (input.format === 'bullets' || input.intent?.matched === false) return unanswered;
  const longest = { points: 2, cited: Math.max(1, documents - 1), documents, corroborated: 1 };
  return unanswered + countWords(openingText(input.intent, longest));
}

function nothingText(documents: number): string {
  if (documents === 0) return 'There is no document to report on.';
  return documents === 1 ? 'The document makes no statement to report.' : 'The documents make no statement to report.';
}

/** What a reader is told who asked what is new since an earlier digest. */
function nothingNewText(documents: number, points: number): string {
  if (documents === 0) return 'Nothing is new: every document was read for the earlier digest.';
  const [subject, does] =
    documents === 1 ? ['the new document', 'says'] : [`the ${amount(documents)} new documents`, 'say'];
  return points > 0
    ? `Nothing is new: what ${subject} ${does} on it was in the earlier digest.`
    : `Nothing is new: ${subject} ${does} nothing on it.`;
}

function documentsOf({ cited, documents }: Coverage): string {
  if (documents <= 1) return 'the one document given';
  if (cited < documents) return `${amount(cited)} of the ${amount(documents)} documents`;
  return documents === 2 ? 'both documents' : `all ${amount(documents)} documents`;
}

function corroboration(points: number, corroborated: number): string {
  if (corroborated === 0) return '';
  if (points === 1) return ' and has more than one source';
  if (corroborated === points)
    return points === 2 ? '; both have more than one source' : '; each has more than one source';
  return `; ${amount(corroborated)} of them ${corroborated === 1 ? 'has' : 'have'} more than one source`;
}

/** What was asked, quoted where it is short enough to be read in passing. */
function nameOf(text: string): string {
  const plain = plainText(text);
  const asked = /[?？؟]$/u.test(plain) ? 'question' : 'request';
  if (countWords(plain) > LONGEST_QUOTE || plain === '') return `the ${asked}`;
  return asked === 'question' ? `the question ${quoted(plain)}` : quoted(plain);
}

function quoted(text: string): string {
  const plain = plainText(text)
    .replace(/[“”„"]/gu, "'")
    .replace(/[\s.,;:]+$/u, '');
  const words = plain.split(' ');
  return `“${words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE).join(' ')} …` : plain}”`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_FACETS;
  const shown = more > 1 ? names.slice(0, MOST_FACETS) : names;
  if (more > 1) return `${shown.join(', ')} or ${amount(more)} other parts of the request`;
  return shown.length === 1 ? `${shown[0]}` : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

function amount(count: number): string {
  return NUMBER_WORDS[count] ?? count.toLocaleString('en-US');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
