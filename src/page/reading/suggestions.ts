import { isCommon, looksEnglish } from '../../text/index.ts';
import type { StoredDigest } from './stored-digest.ts';

type Digest = StoredDigest['digest'];

const MAX = 3;
/** Min documents that mention a term. */
const MIN_DOCUMENTS = 2;
/** Min words of a part that is a question by itself, unlike "What for?". */
const MIN_WORDS = 5;
/** Min letters of a word in a term. */
const MIN_LETTERS = 3;

/**
 * Suggests questions about terms of several documents, and answered parts of the question; none if the documents are not in English.
 *
 * @param asked the question
 */
export function suggestionsFor({ keyPoints, intent }: Pick<Digest, 'keyPoints' | 'intent'>, asked: string): string[] {
  const quoted = keyPoints.filter(({ quote }) => quote.start !== null);
  if (!looksEnglish(quoted.map(({ text }) => text).join(' '))) return [];
  const facets = intent?.facets ?? [];
  const parts =
    facets.length < 2
      ? []
      : facets
          .filter(({ answered, text }) => answered && text.trim().split(/\s+/).length >= MIN_WORDS)
          .map(({ text }) => asQuestion(text));
  const terms = termsOf(quoted, asked).map((term) => `What do the documents say about ${term}?`);
  return [...new Set([...terms, ...parts])].slice(0, MAX);
}

function asQuestion(part: string): string {
  const text = part.trim().replace(/[\s.,;:]+$/u, '');
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  return capital.endsWith('?') ? capital : `${capital}?`;
}

/** Pairs of words in several documents, most frequent first; none shares a word with the question or another pair. */
function termsOf(keyPoints: Digest['keyPoints'], asked: string): string[] {
  const found = new Map<string, Term>();
  for (const { text, document } of keyPoints) {
    for (const { words, hasArticle } of pairsIn(text)) {
      const key = words.map(stemOf).join(' ');
      const term = found.get(key) ?? { words, documents: new Set(), count: 0, articles: 0 };
      term.documents.add(document);
      term.count++;
      if (hasArticle) term.articles++;
      found.set(key, term);
    }
  }
  const used = new Set((asked.match(/\p{L}+/gu) ?? []).map(stemOf));
  const terms: string[] = [];
  const ranked = [...found.values()].sort((a, b) => b.documents.size - a.documents.size || b.count - a.count);
  for (const { words, documents, count, articles } of ranked) {
    if (documents.size < MIN_DOCUMENTS || words.some((word) => used.has(stemOf(word)))) continue;
    for (const word of words) used.add(stemOf(word));
    terms.push(`${2 * articles > count ? 'the ' : ''}${words.join(' ')}`);
    if (terms.length === MAX) break;
  }
  return terms;
}

interface Term {
  readonly words: readonly string[];
  readonly documents: Set<string>;
  count: number;
  articles: number;
}

/** Adjacent topical words; the first word of a sentence is lowercased. */
function pairsIn(text: string): { readonly words: readonly string[]; readonly hasArticle: boolean }[] {
  const parts = text.split(/(?:[^\p{L}\s'’-]|\s[-–—]\s)+/u).map((part) => part.split(/\s+/).filter(Boolean));
  return parts.flatMap((part, place) =>
    part.slice(1).flatMap((second, index) => {
      const first = part[index];
      if (!isTopical(first) || !isTopical(second)) return [];
      const isName = place > 0 || index > 0 || second !== second.toLowerCase();
      const hasArticle = index > 0 && part[index - 1].toLowerCase() === 'the';
      return [{ words: [isName ? first : first.toLowerCase(), second], hasArticle }];
    }),
  );
}

function isTopical(word: string): boolean {
  return word.length >= MIN_LETTERS && /^\p{L}+$/u.test(word) && !isCommon(word.toLowerCase()) && !VAGUE.test(word);
}

/** Verb forms, adverbs, and words of number and time make no topic. */
const VAGUE =
  /(?:..ed|..ing|[^i]ly)$|^(?:first|last|years?|months?|weeks?|days?|hours?|minutes?|times?|numbers?|percent|million|billion|thousands?|hundreds?|euros?|pounds?|dollars?|half|thirds?|four|five|six|seven|eight|nine|ten|whole|old|early|late|later|least|less|few|several|high|higher|low|lower|large|small|long|short|good|better|best|full|free|different|possible|available|additional|struck|shook|drew|wrote|spoke|broke|chose|flew|threw|sought|fought|met)$/iu;

function stemOf(word: string): string {
  const singular = word.toLowerCase().replace(/(?:(?<=[hsx])es|(?<![su])s)$/u, '');
  return singular.replace(/e$/u, '');
}
