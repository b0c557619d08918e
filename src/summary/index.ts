export { compose } from './compose.ts';
export {
  type ComposeInput,
  type Intent,
  type Passage,
  type SelectedPoint,
  type Support,
  sentenceLimit,
} from './compose-input.ts';
export { clausesOf } from './contradiction/clauses.ts';
export { tokensOf } from './contradiction/tokens.ts';
export { keyOf, looksEnglish } from './contradiction/vocabulary.ts';
export { contradict } from './contradiction.ts';
export { countWords } from './count-words.ts';
export { type Frame, framingReserve } from './framing.ts';
export { outlineOf } from './outline.ts';
export { plainText } from './plain-text.ts';
export { quotedOnce } from './quoted-once.ts';
export type { OnSentence } from './rewrite/assembly.ts';
export { type Draft, NO_NOTES } from './rewrite/draft.ts';
export { labelled } from './rewrite/draft-units.ts';
export { modelWriter } from './rewrite/model-writer.ts';
export { type DraftSentence, parseDraft } from './rewrite/parse-draft.ts';
export { rewrite, type Writer } from './rewrite/rewrite.ts';
export { namingValues, partsText, type Reader } from './rewrite/writing-prompt.ts';
export { endSentence, sentenceText } from './sentence-text.ts';
export { type Evidence, echoes, states } from './states.ts';
export { seriesOf, titlePrefix } from './title-prefix.ts';
export type { Verifier } from './verify/claim.ts';
export { entailmentJudge } from './verify/entailment-judge.ts';
export { type Held, holdPoints, maxWordCount as maxWording, quotedText } from './verify/hold-points.ts';
export { modelJudge } from './verify/model-judge.ts';
export { type NameWord, nameWords } from './verify/name-words.ts';
export { unsupportedNames } from './verify/names.ts';
export { numbersIn, unsupportedNumbers } from './verify/numbers.ts';
export { type SentenceChecker, sentenceChecker } from './verify/sentence-checker.ts';
