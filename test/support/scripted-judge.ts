import type { Judge, JudgeRecord, Nugget, ReportRequestText, SourceQuestion } from '../../src/evaluation/index.ts';
import type { AnswerVerdict, CoverageVerdict, EntailmentVerdict, SentenceKind } from '../../src/evaluation/judge.ts';
import { NO_USAGE } from '../../src/models/index.ts';

/** One verdict per unit, told from its text; a method that has no script must not be asked. */
export interface JudgeScript {
  readonly coverage?: ((insight: string, bullets: readonly string[]) => CoverageVerdict) | undefined;
  /** A truth value stands for a verdict of score 1 or 0 whose evidence is the first text, where it holds. */
  readonly entailment?: ((claim: string, texts: readonly string[]) => boolean | EntailmentVerdict) | undefined;
  /** Extracts the key points of an answer. */
  readonly keyPoints?: ((answer: string) => readonly string[]) | undefined;
  readonly kinds?: ((sentence: string, request: ReportRequestText) => SentenceKind) | undefined;
  /** Whether a sentence reports a nugget. */
  readonly reported?: ((sentence: string, nugget: Nugget) => boolean) | undefined;
  readonly answered?:
    | ((summary: string, question: Pick<SourceQuestion, 'question' | 'answer'>) => AnswerVerdict)
    | undefined;
  readonly relevant?: ((question: string, intent: string) => boolean) | undefined;
}

type JudgeMethod = keyof JudgeScript;

/** What was asked: the method, and its arguments as they came. */
interface JudgeCall {
  readonly method: JudgeMethod;
  readonly asked: readonly unknown[];
}

interface ScriptedJudge extends Judge {
  readonly calls: readonly JudgeCall[];
}

/**
 * A judge whose verdicts a test gives, and which records what it is asked.
 *
 * @throws Error where it is asked what the script does not hold, so that a test tells what may be asked
 */
export function scriptedJudge(script: JudgeScript, record: Partial<JudgeRecord> = {}): ScriptedJudge {
  const calls: JudgeCall[] = [];
  const scripted = <Method extends JudgeMethod>(
    method: Method,
    ...asked: unknown[]
  ): NonNullable<JudgeScript[Method]> => {
    calls.push({ method, asked });
    const verdict = script[method];
    if (verdict === undefined) throw new Error(`The test has no script for "${method}".`);
    return verdict;
  };
  return {
    calls,
    coverage: async (insights, bullets) => {
      const verdict = scripted('coverage', insights, bullets);
      return insights.map((insight) => verdict(insight, bullets));
    },
    entailment: async (tasks) => {
      const verdict = scripted('entailment', tasks);
      return tasks.map(({ claim, texts }) => whole(verdict(claim, texts), texts));
    },
    keyPoints: async (answer) => [...scripted('keyPoints', answer)(answer)],
    kinds: async (sentences, request) => {
      const verdict = scripted('kinds', sentences, request);
      return sentences.map((sentence) => verdict(sentence, request));
    },
    reported: async (sentences, nuggets) => {
      const verdict = scripted('reported', sentences, nuggets);
      return sentences.map((sentence) =>
        nuggets.flatMap((nugget, place) => (verdict(sentence, nugget) ? [place] : [])),
      );
    },
    answered: async (summary, questions) => {
      const verdict = scripted('answered', summary, questions);
      return questions.map((question) => verdict(summary, question));
    },
    relevant: async (questions, intent) => {
      const verdict = scripted('relevant', questions, intent);
      return questions.map((question) => verdict(question, intent));
    },
    record: () => ({ name: 'embedded', encoder: null, version: 'scripted', model: null, prompts: {}, ...record }),
    usage: () => ({ ...NO_USAGE, reusedVerdicts: 0 }),
    warnings: () => [],
  };
}

function whole(verdict: boolean | EntailmentVerdict, texts: readonly string[]): EntailmentVerdict {
  if (typeof verdict !== 'boolean') return verdict;
  return { holds: verdict, score: verdict ? 1 : 0, evidence: verdict ? (texts[0] ?? null) : null };
}
