import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';
import type { AnswerVerdict } from '../judge.ts';
import type { SourceQuestion } from '../source-coverage/shapes.ts';
import type { Unit, Verdict, VerdictAsker } from './ask-verdicts.ts';
import { evidenceIn, nearestFirst, type Piece, pieces } from './pieces.ts';

type Question = Pick<SourceQuestion, 'question' | 'answer'>;

const VERDICTS = ['SAME', 'OTHER', 'NONE'] as const;

export const ANSWERED = {
  name: 'answered',
  schema: z.object({ evidence: z.string().nullish(), verdict: z.enum(VERDICTS) }),
  asked: z.object({ evidence: z.string(), verdict: z.enum(VERDICTS) }),
} satisfies JsonForm<unknown>;
type Answered = z.infer<typeof ANSWERED.schema>;

type StoredVerdict = AnswerVerdict & Verdict;

const ANSWER_TOKENS = 600;
const UNANSWERED: AnswerVerdict = { answerable: false, matches: false, evidence: null };

/**
 * Whether a summary answers each question, and as its document does (Padmakumar et al. 2025, section 4; Huang et al. 2024):
 * one call a question, which tells both. A long summary is read in windows, until one answers as expected. An answer that
 * the summary does not show is none.
 */
export async function modelAnswered(
  asker: VerdictAsker,
  summary: string,
  questions: readonly Question[],
): Promise<AnswerVerdict[]> {
  const parts = pieces(summary, asker.room('judge-answered'));
  const units = questions.map((each) =>
    nearestFirst(`${each.question} ${each.answer}`, parts).map((piece) => unitOf(each, piece)),
  );
  await asker.lookUp(units.flat());
  return asker.all(
    units.map((mapConcurrent) => async () => {
      let best = UNANSWERED;
      for (const unit of mapConcurrent) {
        const { answerable, matches, evidence } = await asker.ask(unit);
        if (matches) return { answerable, matches, evidence };
        if (answerable && !best.answerable) best = { answerable, matches, evidence };
      }
      return best;
    }),
  );
}

function unitOf({ question, answer }: Question, { text, hash }: Piece): Unit<Answered, StoredVerdict> {
  return {
    purpose: 'judge-answered',
    hashes: [contentHash(question), contentHash(answer), hash],
    values: () => ({
      summary: asData('summary', text),
      question: asData('question', question),
      answer: asData('expected answer', answer),
    }),
    form: ANSWERED,
    maxTokens: ANSWER_TOKENS,
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
