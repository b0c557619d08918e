import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';
import type { Nugget } from '../argue/shapes.ts';
import type { Unit, Verdict, VerdictAsker } from './ask-verdicts.ts';
import { byHash, packed } from './pieces.ts';

const ASKED = z.object({ reported: z.array(z.int()) });
type ReportedAnswer = z.infer<typeof ASKED>;

/** The answer about so many nuggets: numbers of theirs. */
export function reportedForm(nuggets: number): JsonForm<ReportedAnswer> {
  const schema = z.object({ reported: z.array(z.int().min(1).max(nuggets)) });
  return { name: 'reported', schema, asked: ASKED };
}

interface Shown {
  readonly text: string;
  readonly hash: string;
}

interface ReportedVerdict extends Verdict {
  /** Places among those shown, from 0, ascending. */
  readonly shown: readonly number[];
}

/** Of one number in a list. */
const TOKENS_EACH = 4;
const ANSWER_TOKENS = 100;

/**
 * For each sentence the places of the nuggets that it reports (Mayfield et al. 2024, section 4): one call a sentence, with
 * all nuggets that fit into it. A blank sentence reports none.
 */
export async function modelReported(
  asker: VerdictAsker,
  sentences: readonly string[],
  nuggets: readonly Nugget[],
): Promise<number[][]> {
  const places = new Map<string, number[]>();
  for (const [place, nugget] of nuggets.entries()) {
    const text = nuggetText(nugget);
    places.set(text, [...(places.get(text) ?? []), place]);
  }
  const shown = [...places.keys()].map((text): Shown => ({ text, hash: contentHash(text) })).sort(byHash);
  const parts = packed(shown, asker.room('judge-reported'));
  const units = sentences.map((sentence) =>
    sentence.trim() === '' ? [] : parts.map((part) => unitOf(sentence, part)),
  );
  await asker.lookUp(units.flat());
  return asker.all(
    units.map((ofSentence) => async () => {
      const found: number[] = [];
      for (const [p, unit] of ofSentence.entries()) {
        const verdict = await asker.ask(unit);
        found.push(...verdict.shown.flatMap((at) => places.get(parts[p][at].text) ?? []));
      }
      return found.sort((a, b) => a - b);
    }),
  );
}

function unitOf(sentence: string, part: readonly Shown[]): Unit<ReportedAnswer, ReportedVerdict> {
  return {
    purpose: 'judge-reported',
    hashes: [contentHash(sentence), ...part.map(({ hash }) => hash)],
    values: () => ({
      sentence: asData('sentence', sentence),
      nuggets: part.map(({ text }, i) => asData('nugget', text, i + 1)).join('\n'),
    }),
    form: reportedForm(part.length),
    maxTokens: ANSWER_TOKENS + TOKENS_EACH * part.length,
    read: ({ reported }) => ({ shown: [...new Set(reported)].sort((a, b) => a - b).map((number) => number - 1) }),
    none: { shown: [] },
  };
}

/** A nugget as it is shown: its answers in an order of their own. */
function nuggetText({ question, answers = [] }: Nugget): string {
  const texts = [...new Set(answers.map(({ text }) => text))].map((text) => ({ text, hash: contentHash(text) }));
  const given = texts.sort(byHash).map(({ text }) => `Answer: ${text}`);
  return [`Question: ${question}`, ...(given.length > 0 ? given : ['Answer: (nothing is known of it)'])].join('\n');
}
