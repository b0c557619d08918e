import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';
import type { AnswerVerdict, EntailmentTask, EntailmentVerdict } from '../judge.ts';
import type { SourceQuestion } from '../shapes.ts';
import {
  evidenceIn,
  nearestFirst,
  type Piece,
  pieces,
  type Unit,
  type Verdict,
  type VerdictAsker,
} from './ask-verdicts.ts';

const YES_OR_NO = ['YES', 'NO'] as const;

/** Evidence comes before the verdict, so that the model looks before it judges. */
export const ENTAILMENT = {
  name: 'entailment',
  schema: z.object({ evidence: z.string().nullish(), verdict: z.enum(YES_OR_NO) }),
  asked: z.object({ evidence: z.string(), verdict: z.enum(YES_OR_NO) }),
} satisfies JsonForm<unknown>;
type EntailmentAnswer = z.infer<typeof ENTAILMENT.schema>;

interface Entailed extends Verdict {
  readonly evidence: string | null;
}

const EVIDENCE_TOKENS = 600;
const NOT_ENTAILED: EntailmentVerdict = { holds: false, score: 0, evidence: null };

/**
 * Whether one of a task's texts entails its claim (Qi et al. 2024, section 4; the attestation of Mayfield et al. 2024):
 * one call per claim and text, most shared words first, until one does. Long texts are read in windows. A yes without
 * evidence in the text counts as no.
 */
export async function modelEntailment(
  asker: VerdictAsker,
  tasks: readonly EntailmentTask[],
): Promise<EntailmentVerdict[]> {
  const room = asker.room('judge-entailment');
  const known = new Map<string, Piece[]>();
  const piecesOf = (text: string): Piece[] => {
    const found = known.get(text) ?? pieces(text, room);
    known.set(text, found);
    return found;
  };
  const units = tasks.map(({ claim, texts }) =>
    claim.trim() === ''
      ? []
      : nearestFirst(claim, texts.flatMap(piecesOf)).map((piece) => entailmentUnit(claim, piece)),
  );
  await asker.lookUp(units.flat());
  return asker.all(
    units.map((ofOne) => async () => {
      for (const unit of ofOne) {
        const { evidence } = await asker.ask(unit);
        if (evidence !== null) return { holds: true, score: 1, evidence };
      }
      return NOT_ENTAILED;
    }),
  );
}

function entailmentUnit(claim: string, { text, hash }: Piece): Unit<EntailmentAnswer, Entailed> {
  return {
    purpose: 'judge-entailment',
    hashes: [contentHash(claim), hash],
    values: () => ({ claim: asData('claim', claim), text: asData('text', text) }),
    form: ENTAILMENT,
    maxTokens: EVIDENCE_TOKENS,
    read: ({ evidence: quote, verdict }) => {
      const evidence = verdict === 'YES' ? evidenceIn(text, quote ?? '') : null;
      return { evidence, unfounded: verdict === 'YES' && evidence === null };
    },
    none: { evidence: null },
  };
}

export const ANSWER_POINTS = {
  name: 'key-points',
  schema: z.object({ keyPoints: z.array(z.object({ evidence: z.string().nullish(), text: z.string() })) }),
  asked: z.object({ keyPoints: z.array(z.object({ evidence: z.string(), text: z.string() })) }),
} satisfies JsonForm<unknown>;
type AnswerPoints = z.infer<typeof ANSWER_POINTS.schema>;

interface ExtractedPoints extends Verdict {
  readonly points: readonly string[];
}

/** Points take about twice their own text, and the answer is read in parts. */
const KEY_POINTS_TOKENS = 3000;
const MAX_PART_BYTES = 4000;

/**
 * The key points of an answer, extracted as from documents (Qi et al. 2024, section 3.4): one call, or one per part of
 * a long answer. Drops points whose words are missing from the answer.
 */
export async function modelKeyPoints(asker: VerdictAsker, answer: string): Promise<string[]> {
  const units = pieces(answer, Math.min(MAX_PART_BYTES, asker.room('judge-key-points'))).map(keyPointsUnit);
  await asker.lookUp(units);
  const found = await asker.all(units.map((unit) => async () => (await asker.ask(unit)).points));
  return [...new Set(found.flat())];
}

function keyPointsUnit({ text, hash }: Piece): Unit<AnswerPoints, ExtractedPoints> {
  return {
    purpose: 'judge-key-points',
    hashes: [hash],
    values: () => ({ answer: asData('answer', text) }),
    form: ANSWER_POINTS,
    maxTokens: KEY_POINTS_TOKENS,
    read({ keyPoints }) {
      const stated = keyPoints.filter(({ evidence }) => evidenceIn(text, evidence ?? '') !== null);
      const points = stated.map((point) => point.text.trim()).filter((point) => point !== '');
      return { points, unfounded: stated.length < keyPoints.length };
    },
    none: { points: [] },
  };
}

type Question = Pick<SourceQuestion, 'question' | 'answer'>;

const ANSWERS = ['SAME', 'OTHER', 'NONE'] as const;

export const ANSWERED = {
  name: 'answered',
  schema: z.object({ evidence: z.string().nullish(), verdict: z.enum(ANSWERS) }),
  asked: z.object({ evidence: z.string(), verdict: z.enum(ANSWERS) }),
} satisfies JsonForm<unknown>;
type Answered = z.infer<typeof ANSWERED.schema>;

type StoredVerdict = AnswerVerdict & Verdict;

const UNANSWERED: AnswerVerdict = { answerable: false, matches: false, evidence: null };

/**
 * Whether a summary answers each question, and as its document does (Padmakumar et al. 2025, section 4; Huang et al.
 * 2024): one call per question for both. Long summaries are read in windows until one answers as expected. An answer
 * without evidence in the summary does not count.
 */
export async function modelAnswered(
  asker: VerdictAsker,
  summary: string,
  questions: readonly Question[],
): Promise<AnswerVerdict[]> {
  const parts = pieces(summary, asker.room('judge-answered'));
  const units = questions.map((each) =>
    nearestFirst(`${each.question} ${each.answer}`, parts).map((piece) => answeredUnit(each, piece)),
  );
  await asker.lookUp(units.flat());
  return asker.all(
    units.map((ofOne) => async () => {
      let best = UNANSWERED;
      for (const unit of ofOne) {
        const { answerable, matches, evidence } = await asker.ask(unit);
        if (matches) return { answerable, matches, evidence };
        if (answerable && !best.answerable) best = { answerable, matches, evidence };
      }
      return best;
    }),
  );
}

function answeredUnit({ question, answer }: Question, { text, hash }: Piece): Unit<Answered, StoredVerdict> {
  return {
    purpose: 'judge-answered',
    hashes: [contentHash(question), contentHash(answer), hash],
    values: () => ({
      summary: asData('summary', text),
      question: asData('question', question),
      answer: asData('expected answer', answer),
    }),
    form: ANSWERED,
    maxTokens: EVIDENCE_TOKENS,
    read: ({ evidence: quote, verdict }) => {
      const evidence = verdict === 'NONE' ? null : evidenceIn(text, quote ?? '');
      const answerable = evidence !== null;
      return {
        answerable,
        matches: answerable && verdict === 'SAME',
        evidence,
        unfounded: verdict !== 'NONE' && !answerable,
      };
    },
    none: UNANSWERED,
  };
}
