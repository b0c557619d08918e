import { type DigestDeps, knownEncoder } from '../../digest/index.ts';
import {
  type CoverageLevels,
  type Encoder,
  encodeQueries,
  encodeTexts,
  NO_USAGE,
  type WorkCache,
} from '../../models/index.ts';
import { vectorCosine } from '../../selection/index.ts';
import { denials, looksEnglish, numbersIn } from '../../summary/index.ts';
import { wordOverlap, wordSet } from '../../text/index.ts';
import type { AnswerVerdict, CoverageVerdict, EntailmentTask, EntailmentVerdict, Judge } from '../judge.ts';
import type { CoverageLevel, JudgeRequest, Nugget, SourceQuestion } from '../shapes.ts';
import { isForeignTo, weighedWords } from './found-shares.ts';
import { type Matching, type MatchScores, match } from './match.ts';
import { bearsFacts, type Passage, passagesOf, ranked, shownOf, wholePassage } from './passages.ts';
import { kindsOf, statesAbsence } from './sentence-kinds.ts';

/** Number of best passages checked for the facts of a claim. */
const LOOKED_AT = 8;

/** Whether any of the texts entails each claim: covers it fully, with all its numbers and names, and does not deny it. */
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
  scores: MatchScores,
  { half, full }: Matching['levels'],
): EntailmentVerdict {
  const texts = passages.map(({ text }) => text);
  const order = ranked(scores, texts)
    // Repeated texts do not displace others.
    .filter((place, rank, all) => rank === 0 || texts[place] !== texts[all[rank - 1]])
    .slice(0, LOOKED_AT);
  const holding = order.filter((place) => scores[place] >= full && bearsFacts(claim, passages[place]));
  const shown = shownOf(holding, passages, scores);
  if (shown !== null) return { holds: true, score: scores[shown], evidence: passages[shown].text };
  const [best] = order;
  if (best === undefined) return { holds: false, score: 0, evidence: null };
  // A score of `full` or more then means the right content with other numbers or names.
  const score = Math.min(scores[best], full - Number.EPSILON);
  return { holds: false, score, evidence: scores[best] >= half ? passages[best].text : null };
}

/** Shares one array of passages between equal texts, so that they are processed once for all claims. */
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

/** Threshold in standard deviations above the mean of unrelated texts. */
const RELATED = 1.5;
/** Threshold as a share of the intent's words, for languages unknown to the encoder. */
const SHARED = 0.3;

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

/** Names the rules; change it whenever a score changes. */
const BY_TOKENS = 'embedded/3';
/** The same for encoders with sentence vectors only. */
const BY_VECTORS = 'embedded-vectors/3';

/**
 * A judge without a language model, based on how well one text is found in another (`match`), with thresholds
 * calibrated for the encoder. Deterministic for an encoder and matrix backend.
 * @throws UnusableOptionError if the encoder is unknown
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

/** Coverage of each insight by the best bullet. Human judges, too, did not credit two bullets together. */
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

/** The places of the nuggets that each sentence reports: an answer or, for a nugget without answers, the absence. */
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

type Question = Pick<SourceQuestion, 'question' | 'answer'>;

async function answeredIn(
  summary: string,
  questions: readonly Question[],
  matching: Matching,
): Promise<AnswerVerdict[]> {
  const passages = passagesOf(summary);
  const found = await matchQuestions(questions, passages, matching);
  return found.map(({ order, scores, speaks, answers }) => {
    const answering = shownOf(order.filter(answers), passages, scores);
    const shown = answering ?? shownOf(order.filter(speaks), passages, scores);
    return {
      answerable: shown !== null,
      matches: answering !== null,
      evidence: shown === null ? null : passages[shown].text,
    };
  });
}

interface QuestionMatch {
  readonly order: readonly number[];
  readonly scores: MatchScores;
  speaks(place: number): boolean;
  answers(place: number): boolean;
}

/**
 * A passage addresses a question if it contains at least half of its terms. It answers it if it addresses it, or
 * contains question and answer in full, and has the answer's numbers and names; a bare number needs no more. A bare
 * answer ("yes", "no") depends on whether the passage denies.
 */
async function matchQuestions(
  questions: readonly Question[],
  passages: readonly Passage[],
  { levels, find }: Matching,
): Promise<QuestionMatch[]> {
  const scores = await find([
    ...questions.map(({ question }) => ({ reference: question, passages })),
    ...questions.map(({ answer }) => ({ reference: answer, passages })),
    ...questions.map(({ question, answer }) => ({ reference: `${question} ${answer}`, passages })),
  ]);
  const texts = passages.map(({ text }) => text);
  return questions.map(({ answer }, i): QuestionMatch => {
    const [ofQuestion, ofAnswer, ofBoth] = [0, 1, 2].map((part) => scores[part * questions.length + i]);
    const isEmpty = weighedWords(answer).length === 0;
    const speaks = (place: number) => ofQuestion[place] >= levels.half;
    return {
      order: ranked(ofBoth, texts),
      scores: ofBoth,
      speaks,
      answers(place) {
        if (isEmpty) return speaks(place) && saysAs(answer, texts[place]);
        const isAbout = speaks(place) || ofBoth[place] >= levels.full;
        if (!isAbout) return false;
        // "Eighteen" and "18 percent" share no word.
        if (isNumber(answer))
          return bearsFacts(answer, passages[place]) || bearsFacts(`${answer} percent`, passages[place]);
        return ofAnswer[place] >= levels.full && bearsFacts(answer, passages[place]);
      },
    };
  });
}

function isNumber(answer: string): boolean {
  return numbersIn(answer).length === 1 && weighedWords(answer).length <= 1;
}

const NO = /^\W*(?:no|not|never|none|neither)\b/iu;

/** Whether a passage agrees with a bare answer; always false outside English, where negation is not recognised. */
function saysAs(answer: string, text: string): boolean {
  return looksEnglish(text) && denials(text) > 0 === NO.test(answer);
}
