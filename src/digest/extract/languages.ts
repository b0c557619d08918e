import type { RelevanceScorer } from '../../models/index.ts';
import { languageAmong, languageName } from '../../text/index.ts';
import type { ReadDocument } from './read-documents.ts';

/** What is asked, and its language. */
interface AskedText {
  /** Null without an intent. */
  readonly text: string | null;
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
}

/** Whether a language is known to be none that the encoder was trained for. */
export function isForeign(language: string, { profile }: RelevanceScorer): boolean {
  return language !== 'und' && profile.languages !== null && !profile.languages.includes(language);
}

/** Says where relevance rests on shared words, because the encoder does not know the language. */
export function languageWarnings(
  documents: readonly ReadDocument[],
  query: AskedText,
  encoder: RelevanceScorer,
): string[] {
  const warnings: string[] = [];
  const fallback = `which the encoder "${encoder.profile.id}" does not support; relevance is based on shared words`;
  if (isForeign(query.language, encoder))
    warnings.push(`The intent is in ${languageName(query.language)}, ${fallback}.`);
  const foreign = documents.filter(({ extraction }) => extraction !== null && isForeign(extraction.language, encoder));
  if (foreign.length > 0) {
    const languages = [...new Set(foreign.map(({ extraction }) => languageName(extraction?.language ?? 'und')))].sort();
    const count = foreign.length === 1 ? 'One document is' : `${foreign.length} documents are`;
    warnings.push(`${count} in ${languages.join(', ')}, ${fallback}.`);
  }
  return warnings;
}

/** The query, read in the documents' language where its own is no more than a guess. */
export function inLanguageOf<Query extends AskedText>(query: Query, documents: readonly ReadDocument[]): Query {
  if (query.text === null) return query;
  const common = commonLanguage(documents);
  const texts = documents
    .filter(({ extraction }) => extraction?.language === common)
    .map(({ document }) => document.text);
  return { ...query, language: languageAmong(query.text, common, texts) };
}

/** The language of most documents; `und` where none is known. */
export function commonLanguage(documents: readonly ReadDocument[]): string {
  const counts = new Map<string, number>();
  for (const { extraction } of documents) {
    const known = extraction?.language ?? 'und';
    if (known !== 'und') counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most?.[0] ?? 'und';
}
