import type { Nugget } from '../../../src/evaluation/index.ts';
import type { ArgueRequest, ReportSentence } from '../../../src/evaluation/metrics/argue-shapes.ts';
import { type JudgeScript, scriptedJudge } from '../../support/scripted-judge.ts';

/**
 * A judge of sentences that say of themselves what they are. `fact:x` is the claim x, `known:x` one that needs no citation,
 * `none:x` the statement that nothing is known of x; a nugget with answers is reported by the claim of its question, one
 * without by the absence. A text entails a claim that it contains.
 */
export function tellingJudge(script: JudgeScript = {}) {
  return scriptedJudge({
    kinds: (sentence) =>
      sentence.startsWith('none:') ? 'absence' : sentence.startsWith('known:') ? 'neither' : 'claim',
    reported: (sentence, { question, answers = [] }) =>
      sentence === `${answers.length === 0 ? 'none' : 'fact'}:${question}`,
    entailment: (claim, texts) => texts.some((text) => text.split(/\s/).includes(claim)),
    ...script,
  });
}

export function sentence(text: string, ...citations: string[]): ReportSentence {
  return { text, citations };
}

/** A nugget about x with one answer, which lists no documents. */
export function nugget(id: string, question: string, rest: Partial<Nugget> = {}): Nugget {
  return { id, question, answers: [{ text: question }], ...rest };
}

/** A nugget that states that nothing is known of x. */
export function absence(id: string, question: string): Nugget {
  return { id, question };
}

export function requestOf(
  sentences: readonly ReportSentence[],
  nuggets: readonly Nugget[],
  documents: Readonly<Record<string, string>> = {},
  options: ArgueRequest['options'] = {},
): ArgueRequest {
  const texts = Object.entries(documents).map(([id, text]) => ({ id, text }));
  return { metric: 'argue', report: { sentences }, nuggets, documents: texts, options };
}
