export { compose, seriesOf, titlePrefix } from './compose.ts';
export { type Frame, framingReserve } from './framing.ts';
export {
  type Citable,
  type ComposeInput,
  type Intent,
  type Passage,
  type SelectedPoint,
  type Support,
  sentenceLimit,
} from './input.ts';
export { isLostAlone, leansOn } from './leans-on.ts';
export { outlineOf } from './outline.ts';
export type { Drafted, OnSentence } from './rewrite/assembly.ts';
export { NO_NOTES } from './rewrite/draft.ts';
export { modelWriter, namingValues, partsText, type Reader, readerShown } from './rewrite/model-writer.ts';
export { labelled, parseDraft } from './rewrite/parse-draft.ts';
export { rewrite, type Writer } from './rewrite/rewrite.ts';
export { onlyPoints, quotedOnce, repeatsSpelt } from './same-statements.ts';
export { countWords, endSentence, plainText, sentenceText, spelt, wordsIn } from './sentence-text.ts';
export { foreignIn } from './verify/foreign.ts';
export { type Held, holdPoints, maxWordCount as maxWording, quotedText } from './verify/hold-points.ts';
export type { Verifier } from './verify/judge-twice.ts';
export { modelJudge } from './verify/judges.ts';
export { unsupportedNames } from './verify/names.ts';
export { numbersIn, unsupportedNumbers } from './verify/numbers.ts';
