import extract from '../../../../prompts/extract.md';
import extractForQuestion from '../../../../prompts/extract-for-question.md';
import extractMore from '../../../../prompts/extract-more.md';
import extractMoreForQuestion from '../../../../prompts/extract-more-for-question.md';
import facets from '../../../../prompts/facets.md';
import grade from '../../../../prompts/grade.md';
import judge from '../../../../prompts/judge.md';
import judgeAnswered from '../../../../prompts/judge-answered.md';
import judgeCoverage from '../../../../prompts/judge-coverage.md';
import judgeEntailment from '../../../../prompts/judge-entailment.md';
import judgeKeyPoints from '../../../../prompts/judge-key-points.md';
import judgeKind from '../../../../prompts/judge-kind.md';
import judgeRelevance from '../../../../prompts/judge-relevance.md';
import judgeReported from '../../../../prompts/judge-reported.md';
import naive from '../../../../prompts/naive.md';
import publishedExtract from '../../../../prompts/published-extract.md';
import publishedNaive from '../../../../prompts/published-naive.md';
import publishedNaiveRelevant from '../../../../prompts/published-naive-relevant.md';
import publishedSelect from '../../../../prompts/published-select.md';
import publishedSelectRelevant from '../../../../prompts/published-select-relevant.md';
import publishedWrite from '../../../../prompts/published-write.md';
import select from '../../../../prompts/select.md';
import translate from '../../../../prompts/translate.md';
import write from '../../../../prompts/write.md';
import writeAgain from '../../../../prompts/write-again.md';
import { type Prompts, parsePrompt } from '../../../models/index.ts';

const FILES: readonly string[] = [
  extract,
  extractForQuestion,
  extractMore,
  extractMoreForQuestion,
  facets,
  grade,
  judge,
  judgeAnswered,
  judgeCoverage,
  judgeEntailment,
  judgeKeyPoints,
  judgeKind,
  judgeRelevance,
  judgeReported,
  naive,
  publishedExtract,
  publishedNaive,
  publishedNaiveRelevant,
  publishedSelect,
  publishedSelectRelevant,
  publishedWrite,
  select,
  translate,
  write,
  writeAgain,
];

let prompts: Prompts | undefined;

/** The prompts of `prompts/` by id, as bundled with the Worker. @throws PromptFormatError */
export function bundledPrompts(): Prompts {
  prompts ??= new Map(FILES.map(parsePrompt).map((prompt) => [prompt.id, prompt]));
  return prompts;
}
