import { knownEncoder } from '../../digest/index.ts';
import { encodeQueries, encodeTexts, NO_USAGE } from '../../models/index.ts';
import { vectorCosine } from '../../selection/index.ts';
import { numbersIn } from '../../summary/index.ts';
import { memoized, wordOverlap, wordSet } from '../../text/index.ts';
import { type EntailmentVerdict, type EvaluationDeps, type Judge, NOT_ENTAILED } from '../judge.ts';
import { type JudgeRequest, judgeOptionsOf, type Nugget, type SourceQuestion } from '../shapes.ts';
import { denials, looksEnglish } from './denials.ts';
import { isForeignTo, LEVELS, match, weighedWords } from './matching.ts';
import { bearsFacts, type Passage, passagesOf, ranked, shownOf, wholePassage } from './passages.ts';
import { kindsOf, statesAbsence } from './sentence-kinds.ts';

/** Names the rules; change it whenever a score changes. */
const VERSION = 'embedded/5';

/** Number of best passages checked for the facts of a claim. */
const LOOKED_AT = 8;
/** Threshold of relevance in standard deviations above the mean of unrelated texts. */
const RELATED = 1.5;
/** Threshold as a share of the intent's words, for languages unknown to the encoder. */
const SHARED = 0.3;

/**
 * A judge without a language model, by how well the words of one text are found in another (`match`). The encoder finds
 * what is relevant to an intent, and decides nothing else.
 * @throws UnusableOptionError if the encoder is unknown
 */
export function embeddedJudge(request: JudgeRequest, { engine, cache }: EvaluationDeps): Judge {
  const encoder = knownEncoder(engine, judgeOptionsOf(request).encoder, '/engine/encoder');
  const { id, calibration } = encoder.profile;
  let hasForeign = false;
  return {
    /** By the best bullet: human judges, too, did not credit two bullets together. */
    async coverage(insights, bullets) {
      const passages = bullets.map(wholePassage);
      const scores = await match(insights.map((reference) => ({ reference, passages })));
      return scores.map((ofBullets) => {
        const best = ranked(ofBullets, bullets)[0];
        if (best === undefined) return { level: 0, score: 0, bullet: null };
        const score = ofBullets[best];
        return { level: score >= LEVELS.full ? 100 : score >= LEVELS.half ? 50 : 0, score, bullet: best };
      });
    },
    /** A text entails a claim if it covers it fully, with all its numbers and names, and does not deny it. */
    async entailment(tasks) {
      // Equal texts share an array, so that they are processed once for all claims.
      const ofText = memoized(passagesOf);
      const ofTexts = memoized((texts: readonly string[]) => texts.flatMap(ofText));
      const matches = tasks.map(({ claim, texts }) => ({
        reference: claim,
        passages: texts.length === 1 ? ofText(texts[0]) : ofTexts(texts),
      }));
      const scores = await match(matches);
      return matches.map(({ reference, passages }, i) => entailmentOf(reference, passages, scores[i]));
    },
    keyPoints: async () => {
      throw new TypeError('the embedded judge does not score key point recall');
    },
    kinds: kindsOf,
    reported: reportedIn,
    async answered(summary, questions) {
      const passages = passagesOf(summary);
      const found = await matchQuestions(questions, passages);
      return found.map(({ order, scores, speaks, answers }) => {
        const answering = shownOf(order.filter(answers), passages, scores);
        const shown = answering ?? shownOf(order.filter(speaks), passages, scores);
        const evidence = shown === null ? null : passages[shown].text;
        return { answerable: shown !== null, matches: answering !== null, evidence };
      });
    },
    async relevant(questions, intent) {
      if (isForeignTo(encoder, intent)) {
        hasForeign = true;
        return Array.from(wordOverlap(wordSet(intent), questions.map(wordSet)), (share) => share >= SHARED);
      }
      const [asked] = await encodeQueries(encoder, [intent]);
      const { sentences } = await encodeTexts(encoder, cache, questions);
      const { mean, deviation } = calibration.unrelated;
      return sentences.map((sentence) => vectorCosine(asked.sentence, sentence) >= mean + RELATED * deviation);
    },
    record: () => ({
      name: 'embedded',
      encoder: id,
      version: VERSION,
      model: null,
      prompts: {},
    }),
    usage: () => ({ ...NO_USAGE, reusedVerdicts: 0 }),
    warnings: () =>
      hasForeign
        ? [`The intent is in a language that the encoder "${id}" does not know: shared words decide what is relevant.`]
        : [],
  };
}

function entailmentOf(claim: string, passages: readonly Passage[], scores: Float64Array): EntailmentVerdict {
  const { half, full } = LEVELS;
  const texts = passages.map(({ text }) => text);
  const order = ranked(scores, texts)
    // Repeated texts do not displace others.
    .filter((place, rank, all) => rank === 0 || texts[place] !== texts[all[rank - 1]])
    .slice(0, LOOKED_AT);
  const holding = order.filter((place) => scores[place] >= full && bearsFacts(claim, passages[place]));
  const shown = shownOf(holding, passages, scores);
  if (shown !== null) return { holds: true, score: scores[shown], evidence: texts[shown] };
  const [best] = order;
  if (best === undefined) return NOT_ENTAILED;
  // A score of `full` or more then means the right content with other numbers or names.
  const score = Math.min(scores[best], full - Number.EPSILON);
  return { holds: false, score, evidence: scores[best] >= half ? texts[best] : null };
}

async function reportedIn(sentences: readonly string[], nuggets: readonly Nugget[]): Promise<number[][]> {
  const numbered = nuggets.map(({ question, answers = [] }, nugget) => ({ question, answers, nugget }));
  const answers = numbered.flatMap((each) => each.answers.map(({ text }) => ({ ...each, answer: text })));
  const absences = numbered.filter((each) => each.answers.length === 0);
  const passages = sentences.map(wholePassage);
  const matches = await matchQuestions(answers, passages);
  const named = await match(absences.map(({ question }) => ({ reference: question, passages })));
  return sentences.map((sentence, place) => {
    const told = answers.filter((_, a) => matches[a].answers(place));
    const missing = statesAbsence(sentence) ? absences.filter((_, a) => named[a][place] >= LEVELS.half) : [];
    return [...new Set([...told, ...missing].map(({ nugget }) => nugget))].sort((a, b) => a - b);
  });
}

/**
 * A passage addresses a question if it contains at least half of its terms. It answers it if it addresses it, or
 * contains question and answer in full, and has the answer's numbers and names; a bare number needs no more. A bare
 * answer ("yes", "no") depends on whether the passage denies.
 */
async function matchQuestions(
  questions: readonly Pick<SourceQuestion, 'question' | 'answer'>[],
  passages: readonly Passage[],
) {
  const references = questions.map(({ question, answer }) => [question, answer, `${question} ${answer}`]);
  const scores = await match(
    [0, 1, 2].flatMap((part) => references.map((each) => ({ reference: each[part], passages }))),
  );
  const texts = passages.map(({ text }) => text);
  return questions.map(({ answer }, i) => {
    const [ofQuestion, ofAnswer, ofBoth] = [0, 1, 2].map((part) => scores[part * questions.length + i]);
    const words = weighedWords(answer).length;
    // "Eighteen" and "18 percent" share no word.
    const isNumber = words <= 1 && numbersIn(answer).length === 1;
    const speaks = (place: number) => ofQuestion[place] >= LEVELS.half;
    return {
      order: ranked(ofBoth, texts),
      scores: ofBoth,
      speaks,
      answers(place: number): boolean {
        if (words === 0) return speaks(place) && saysAs(answer, texts[place]);
        if (!speaks(place) && ofBoth[place] < LEVELS.full) return false;
        const bears = (claim: string) => bearsFacts(claim, passages[place]);
        return isNumber ? bears(answer) || bears(`${answer} percent`) : ofAnswer[place] >= LEVELS.full && bears(answer);
      },
    };
  });
}

const NO = /^\W*(?:no|not|never|none|neither)\b/iu;

/** Whether a passage agrees with a bare answer; always false outside English, where negation is not recognised. */
function saysAs(answer: string, text: string): boolean {
  return looksEnglish(text) && denials(text) > 0 === NO.test(answer);
}
