export {
  CLOSING,
  citationMarkers,
  citedDocuments,
  citedNumbers,
  countCited,
  endsInMarkers,
  escapeMarkers,
  findMarkers,
  MARKERS,
  type Marker,
  numberedMarkers,
  numbersOfList,
  OPENING,
  OPENING_MARKERS,
} from './citation-markers.ts';
export {
  asks,
  contentStems,
  contentWords,
  inverseFrequency,
  STOP_WORDS,
  stemFinder,
  stemmedWords,
  wordOverlap,
  wordSet,
} from './content-words.ts';
export { type QuoteAligner, quoteAligner } from './documents/align-quote.ts';
export { beginning, findLoneSurrogate, type SourceDocument, type Span } from './documents/document.ts';
export { foldText } from './documents/fold-text.ts';
export { language, languageAmong, languageName } from './documents/language.ts';
export { sentences } from './documents/sentences.ts';
export { earlierSentence, openingOf, surroundingText } from './documents/surrounding-text.ts';
export { utf8Length, windows } from './documents/windows.ts';
export { PointedError, TesseraError, UnreadableFileError } from './errors.ts';
export { FILE_ENDINGS, MAX_FILE_BYTES, MAX_FILE_MILLISECONDS, titleOf } from './files/file-facts.ts';
export {
  type ExtractedKeyPoint,
  extractSentences,
  type FoundQuote,
  SENTENCE_EXTRACTOR_ID,
  type UnverifiedKeyPoint,
} from './key-points/extract-sentences.ts';
export { isFragment, isPhatic, isTerse, leaning } from './key-points/sentence-rules.ts';
export { tidy } from './key-points/tidy.ts';
export { chunks, firstAtLeast, groupBy, groups, lazy, memoized, sortedBy } from './lists.ts';
export { contentHash, dateText, nextTurn, parseUrl } from './runtime.ts';
export { counted, endsInQuestion, followsEnglishRules, hasVerb, lengthInWords, wordsOf } from './words.ts';
