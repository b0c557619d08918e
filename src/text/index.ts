export { chunks, groupBy, groups, nextTurn } from './chunks.ts';
export {
  CLOSING,
  CLOSING_MARKERS,
  citationMarkers,
  citedDocuments,
  citedNumbers,
  countCited,
  escapeMarkers,
  findMarkers,
  MARKERS,
  type Marker,
  type NumberedMarker,
  numberedMarkers,
  numbersOfList,
  OPENING,
  OPENING_MARKERS,
} from './citation-markers.ts';
export { type QuoteAligner, quoteAligner } from './documents/align-quote.ts';
export { beginning } from './documents/characters.ts';
export { contentHash } from './documents/content-hash.ts';
export { dateText } from './documents/date-text.ts';
export type { SourceDocument, Span } from './documents/document.ts';
export { foldText, UNSPACED } from './documents/fold-text.ts';
export { language, languageAmong, languageName } from './documents/language.ts';
export { findLoneSurrogate } from './documents/lone-surrogate.ts';
export { isQuestion } from './documents/question.ts';
export { sentences } from './documents/sentences.ts';
export { earlierSentence, openingOf, surroundingText } from './documents/surrounding-text.ts';
export { utf8Length, windows } from './documents/windows.ts';
export { TesseraError, UnreadableFileError } from './errors.ts';
export { FILE_ENDINGS, type FileKind, MAX_FILE_BYTES, titleOf } from './files/file-facts.ts';
export { atomicStatements } from './key-points/clauses.ts';
export { hasVerb, isCommon, looksEnglish } from './key-points/english.ts';
export { extractSentences, SENTENCE_EXTRACTOR_ID } from './key-points/extract-sentences.ts';
export { isFragment, isTerse } from './key-points/fragment.ts';
export type { ExtractedKeyPoint, FoundQuote, UnverifiedKeyPoint } from './key-points/key-point.ts';
export { leaning } from './key-points/leaning.ts';
export { isPhatic } from './key-points/phatic.ts';
export { tidy } from './key-points/tidy.ts';
export { countWords, wordsOf } from './key-points/words.ts';
export { parseUrl } from './parse-url.ts';
