import { z } from 'zod';
import { type DigestDeps, knownEncoder, modelStages } from '../digest/index.ts';
import {
  asData,
  type CoverageLevels,
  type Encoder,
  encodeQueries,
  encodeTexts,
  type JsonForm,
  NO_USAGE,
  type WorkCache,
} from '../models/index.ts';
import { vectorCosine, wordOverlap, wordSet } from '../selection/index.ts';
import { looksEnglish, tokensOf } from '../summary/index.ts';
import { contentHash, isFragment, isPhatic, isQuestion, isTerse } from '../text/index.ts';
import type { Nugget, ReportRequestText } from './argue/shapes.ts';
import { statesAbsence } from './embedded/absence.ts';
import { answeredIn, matchQuestions } from './embedded/answered-in.ts';
import { bearsFacts } from './embedded/differences.ts';
import { isForeignTo } from './embedded/is-foreign-to.ts';
import { match, type Scores } from './embedded/match.ts';
import { type Matching, ranked } from './embedded/matching.ts';
import { type Passage, passagesOf, shownOf, wholePassage } from './embedded/passage.ts';
import type {
  CoverageVerdict,
  EntailmentTask,
  EntailmentVerdict,
  Judge,
  JudgingOptions,
  SentenceKind,
} from './judge.ts';
import { modelAnswered } from './model/answered.ts';
import { MODEL_JUDGE_VERSION, type Unit, type Verdict, type VerdictAsker, verdictAsker } from './model/ask-verdicts.ts';
import { modelCoverage } from './model/coverage.ts';
import { modelEntailment } from './model/entailment.ts';
import { judgePrompts } from './model/judge-prompts.ts';
import { modelKeyPoints } from './model/key-points.ts';
import { modelReported } from './model/reported.ts';
import { modelKinds } from './model/sentence-kinds.ts';
import type { JudgeRequest } from './shapes.ts';
import type { CoverageLevel } from './summhay/shapes.ts';

export const RELEVANCE = {
  name: 'relevance',
  schema: z.object({ relevant: z.enum(['YES', 'NO']) }),
} satisfies JsonForm<unknown>;
type RelevanceAnswer = z.infer<typeof RELEVANCE.schema>;

interface RelevanceVerdict extends Verdict {
  readonly relevant: boolean;
}

const ANSWER_TOKENS = 100;

/** Which questions are relevant to an intent (Padmakumar et al. 2025, section 5): one call a question. */
async function modelRelevance(asker: VerdictAsker, questions: readonly string[], intent: string): Promise<boolean[]> {
  const units = questions.map((question) => unitOf(question, intent));
  await asker.lookUp(units);
  return asker.all(units.map((unit) => async () => (await asker.ask(unit)).relevant));
}

function unitOf(question: string, intent: string): Unit<RelevanceAnswer, RelevanceVerdict> {
  return {
    purpose: 'judge-relevance',
    hashes: [contentHash(question), contentHash(intent)],
    values: () => ({ intent: asData('intent', intent), question: asData('question', question) }),
    form: RELEVANCE,
    maxTokens: ANSWER_TOKENS,
    read: ({ relevant }) => ({ relevant: relevant === 'YES' }),
    none: { relevant: false },
  };
}

/**
 * A language model as judge, by the protocols of the papers: one call a unit, texts fenced and in an order of their own,
 * verdicts checked and kept for the tenant. A call that fails for good fails the evaluation; what was judged by then is
 * kept, and the next evaluation goes on from there.
 *
 * @throws UnusableOptionError where there is no model, or no such prompt; its methods throw ModelCallError
 */
export function modelJudge(
  { engine = {} }: JudgeRequest,
  deps: DigestDeps,
  { signal, countsUnreadable }: JudgingOptions = {},
): Judge {
  const { cache, models } = deps;
  const { prompt: named, ...settings } = engine.stages?.judge ?? {};
  const ended = new AbortController();
  const stages = modelStages(
    models,
    { model: engine.model, stages: { judge: settings } },
    signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
  );
  const model = stages.model('judge', '/judge');
  const promptOf = judgePrompts(models.prompts, stages, named);
  const asker = verdictAsker(model, promptOf, cache, () => ended.abort(), countsUnreadable);

  return {
    coverage: (insights, bullets) => modelCoverage(asker, insights, bullets),
    entailment: (tasks) => modelEntailment(asker, tasks),
    keyPoints: (answer) => modelKeyPoints(asker, answer),
    kinds: (sentences, request) => modelKinds(asker, sentences, request),
    reported: (sentences, nuggets) => modelReported(asker, sentences, nuggets),
    answered: (summary, questions) => modelAnswered(asker, summary, questions),
    relevant: (questions, intent) => modelRelevance(asker, questions, intent),
    record() {
      const prompts = Object.fromEntries(Object.entries(stages.hashes()).sort(([a], [b]) => (a < b ? -1 : 1)));
      return {
        name: 'llm',
        encoder: null,
        version: MODEL_JUDGE_VERSION,
        model: { ...model.settings, prompt: Object.keys(prompts).join(', ') },
        prompts,
      };
    },
    usage: () => ({ ...model.usage(), reusedVerdicts: asker.reused() }),
    unreadable: () => asker.unreadable(),
    warnings() {
      return [
        warningOf(asker.unfounded(), 'quoted words that the text does not hold, and counted as no'),
        warningOf(asker.unreadable(), 'could not be read, and credit nothing'),
      ].flat();
    },
  };
}

function warningOf(count: number, what: string): string[] {
  if (count === 0) return [];
  return [`${count === 1 ? 'One verdict' : `${count} verdicts`} of the language model ${what}.`];
}

const ITSELF =
  '(?:reports?|summar(?:y|ies)|digests?|sections?|overviews?|documents?|reviews?|analys[ei]s|paragraphs?|lists?|tables?|answers?|parts?|pages?)';
/** What a report says of itself. */
const INTRODUCTION = [
  new RegExp(
    `^(?:in )?(?:this|the following|the present|our|my) ${ITSELF},? ?(?:we |i |will |also |briefly |first |then )*(?:cover|summari[sz]e|describe|present|look|discuss|review|outline|examine|address|explore|consider|give|provide|set|answer|focus|is (?:structured|organi[sz]ed|about|based)|draws?|aims?|deals?)`,
    'iu',
  ),
  /^(?:below|above|here|next|first)\b[^.;]{0,60}\b(?:summari[sz]|overview|we (?:present|list|describe|look|turn))/iu,
  new RegExp(
    `^(?:below|above|here) (?:is|are) (?:an?|the) (?:[^ .;]{1,30} ){0,3}?(?:${ITSELF}|outline|findings|results|points|answers|conclusions|details)\\b`,
    'iu',
  ),
  /^(?:in (?:summary|conclusion|short|brief|sum)|to (?:summari[sz]e|conclude|sum up)|overall|finally|in closing)[,:.]?\s*$/iu,
  /:\s*$/u,
];

/**
 * What kind each sentence of a report is. It needs no citation where it is a question, a greeting, a heading, what the
 * report says of itself, or what the request says already. The rules for absences and introductions are English.
 */
export async function kindsOf(
  sentences: readonly string[],
  { problem = '', userStory = '', background = '' }: ReportRequestText,
  { levels, find }: Matching,
): Promise<SentenceKind[]> {
  const passages = [problem, userStory, background].flatMap(passagesOf);
  const scores = passages.length === 0 ? [] : await find(sentences.map((reference) => ({ reference, passages })));
  return sentences.map((sentence, i) => {
    if (statesAbsence(sentence)) return 'absence';
    if (isEmptyOfClaims(sentence)) return 'neither';
    const isKnown = passages.some((passage, p) => scores[i][p] >= levels.full && bearsFacts(sentence, passage));
    return isKnown ? 'neither' : 'claim';
  });
}

function isEmptyOfClaims(sentence: string): boolean {
  const text = sentence.trim();
  const isEnglish = looksEnglish(tokensOf(text).map(({ lower }) => lower));
  return (
    isQuestion(text) ||
    isPhatic(text) ||
    (isFragment(text, isEnglish) && !(isEnglish && isTerse(text))) ||
    INTRODUCTION.some((pattern) => pattern.test(text))
  );
}

/** Passages, from the best on, that are asked whether they bear the facts of a claim. */
const LOOKED_AT = 8;

/** Whether one of some texts entails each claim: covers it fully, with every number and name of it, and does not deny it. */
async function entailmentOf(
  tasks: readonly EntailmentTask[],
  { levels, find }: Matching,
): Promise<EntailmentVerdict[]> {
  const read = passageMemory();
  const matches = tasks.map(({ claim, texts }) => ({ reference: claim, passages: read(texts) }));
  const scores = await find(matches);
  return matches.map(({ reference, passages }, i) => verdictOf(reference, passages, scores[i], levels));
}

function verdictOf(
  claim: string,
  passages: readonly Passage[],
  scores: Scores,
  { half, full }: Matching['levels'],
): EntailmentVerdict {
  const texts = passages.map(({ text }) => text);
  const order = ranked(scores, texts)
    // What is said twice takes the place of nothing else.
    .filter((place, rank, all) => rank === 0 || texts[place] !== texts[all[rank - 1]])
    .slice(0, LOOKED_AT);
  const holding = order.filter((place) => scores[place] >= full && bearsFacts(claim, passages[place]));
  const shown = shownOf(holding, passages, scores);
  if (shown !== null) return { holds: true, score: scores[shown], evidence: passages[shown].text };
  const [best] = order;
  if (best === undefined) return { holds: false, score: 0, evidence: null };
  // A score from `full` on is that of a text that says enough, about other numbers or names.
  const score = Math.min(scores[best], full - Number.EPSILON);
  return { holds: false, score, evidence: scores[best] >= half ? passages[best].text : null };
}

/** Passages of texts, one array for the same texts, so that they are looked through once for all claims. */
function passageMemory(): (texts: readonly string[]) => readonly Passage[] {
  const ofText = new Map<string, Passage[]>();
  const ofTexts = new Map<string, readonly Passage[]>();
  return (texts) => {
    const key = JSON.stringify(texts);
    const known = ofTexts.get(key);
    if (known !== undefined) return known;
    const passages = texts.flatMap((text) => {
      const read = ofText.get(text) ?? passagesOf(text);
      ofText.set(text, read);
      return read;
    });
    ofTexts.set(key, passages);
    return passages;
  };
}

/** Deviations above what unrelated texts reach on average. */
const RELATED = 1.5;
/** Share of the intent's words, where the encoder does not know its language. */
const SHARED = 0.3;

/** Which questions are about what an intent asks for: nearer to it than unrelated texts come. */
async function relevantTo(
  questions: readonly string[],
  intent: string,
  encoder: Encoder,
  cache: WorkCache,
): Promise<boolean[]> {
  if (isForeignTo(encoder, intent)) {
    const shares = wordOverlap(wordSet(intent), questions.map(wordSet));
    return Array.from(shares, (share) => share >= SHARED);
  }
  const [asked] = await encodeQueries(encoder, [intent]);
  const { sentences } = await encodeTexts(encoder, cache, questions);
  const { mean, deviation } = encoder.profile.calibration.unrelated;
  return sentences.map((sentence) => vectorCosine(asked.sentence, sentence) >= mean + RELATED * deviation);
}

/** Names the rules; changes whenever a score would. */
const BY_TOKENS = 'embedded/2';
/** The same, where the encoder gives sentence vectors only. */
const BY_VECTORS = 'embedded-vectors/2';

/**
 * A judge without a language model: everything rests on how well one text is told in another (`match`), with thresholds
 * calibrated for the encoder. Deterministic for an encoder and matrix backend.
 *
 * @throws UnusableOptionError where the encoder is unknown
 */
export function embeddedJudge(request: JudgeRequest, { engine, cache }: DigestDeps): Judge {
  const encoder = knownEncoder(engine, request.engine?.encoder, '/engine/encoder');
  let hasForeign = false;
  const onForeign = () => {
    hasForeign = true;
  };
  const matching: Matching = {
    levels: encoder.profile.calibration.coverage,
    find: (tasks) => match(tasks, { encoder, cache, engine, onForeign }),
  };
  return {
    coverage: (insights, bullets) => coverageOf(insights, bullets, matching),
    entailment: (tasks) => entailmentOf(tasks, matching),
    kinds: (sentences, asked) => kindsOf(sentences, asked, matching),
    reported: (sentences, nuggets) => reportedIn(sentences, nuggets, matching),
    answered: (summary, questions) => answeredIn(summary, questions, matching),
    relevant(questions, intent) {
      if (isForeignTo(encoder, intent)) onForeign();
      return relevantTo(questions, intent, encoder, cache);
    },
    record: () => ({
      name: 'embedded',
      encoder: encoder.profile.id,
      version: encoder.profile.tokenDimensions > 0 ? BY_TOKENS : BY_VECTORS,
      model: null,
      prompts: {},
    }),
    usage: () => ({ ...NO_USAGE, reusedVerdicts: 0 }),
    warnings: () => (hasForeign ? [foreignWarning(encoder)] : []),
  };
}

function foreignWarning({ profile }: Encoder): string {
  return `Some texts are in a language that the encoder "${profile.id}" does not know; there shared words alone decide.`;
}

/** How far the best of the bullets covers each insight. Two bullets together do no better than the best: people said so too. */
async function coverageOf(
  insights: readonly string[],
  bullets: readonly string[],
  { levels, find }: Matching,
): Promise<CoverageVerdict[]> {
  const passages = bullets.map(wholePassage);
  const scores = await find(insights.map((reference) => ({ reference, passages })));
  return scores.map((ofBullets) => {
    const best = ranked(ofBullets, bullets)[0];
    if (best === undefined) return { level: 0, score: 0, bullet: null };
    return { level: levelOf(ofBullets[best], levels), score: ofBullets[best], bullet: best };
  });
}

function levelOf(score: number, { half, full }: CoverageLevels): CoverageLevel {
  if (score >= full) return 100;
  return score >= half ? 50 : 0;
}

/**
 * The places of the nuggets that each sentence reports: one of the answers to the question or, for a nugget without
 * answers, that nothing is known of what it asks.
 */
async function reportedIn(
  sentences: readonly string[],
  nuggets: readonly Nugget[],
  matching: Matching,
): Promise<number[][]> {
  const answers = nuggets.flatMap(({ question, answers = [] }, nugget) =>
    answers.map(({ text }) => ({ question, answer: text, nugget })),
  );
  const absences = nuggets.flatMap(({ question, answers = [] }, nugget) =>
    answers.length === 0 ? [{ question, nugget }] : [],
  );
  const passages = sentences.map(wholePassage);
  const matches = await matchQuestions(answers, passages, matching);
  const named = await matching.find(absences.map(({ question }) => ({ reference: question, passages })));
  return sentences.map((sentence, place) => {
    const ofAnswers = answers.flatMap(({ nugget }, a) => (matches[a].answers(place) ? [nugget] : []));
    const isAbsence = statesAbsence(sentence);
    const ofAbsences = absences.flatMap(({ nugget }, a) =>
      isAbsence && named[a][place] >= matching.levels.half ? [nugget] : [],
    );
    return [...new Set([...ofAnswers, ...ofAbsences])].sort((a, b) => a - b);
  });
}

/**
 * The judge that a request names: the embedded one by default.
 *
 * @throws UnusableOptionError where it lacks what it needs
 */
export function judgeOf(request: JudgeRequest, deps: DigestDeps, options?: JudgingOptions): Judge {
  return request.judge === 'llm' ? modelJudge(request, deps, options) : embeddedJudge(request, deps);
}
