import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';
import type { ReportRequestText } from '../argue/shapes.ts';
import type { SentenceKind } from '../judge.ts';
import type { Unit, Verdict, VerdictAsker } from './ask-verdicts.ts';

const KINDS = { CLAIM: 'claim', ABSENCE: 'absence', NEITHER: 'neither' } as const satisfies Record<
  string,
  SentenceKind
>;

export const KIND = {
  name: 'kind',
  schema: z.object({ kind: z.enum(['CLAIM', 'ABSENCE', 'NEITHER']) }),
} satisfies JsonForm<unknown>;
type KindAnswer = z.infer<typeof KIND.schema>;

interface KindVerdict extends Verdict {
  readonly kind: SentenceKind;
}

const ANSWER_TOKENS = 100;

/** What each sentence is (Mayfield et al. 2024, section 4): one call a sentence; a blank one states nothing. */
export async function modelKinds(
  asker: VerdictAsker,
  sentences: readonly string[],
  request: ReportRequestText,
): Promise<SentenceKind[]> {
  const asked = requestText(request);
  const units = sentences.map((sentence) => (sentence.trim() === '' ? null : unitOf(sentence, asked)));
  await asker.lookUp(units.flatMap((unit) => unit ?? []));
  return asker.all(units.map((unit) => async () => (unit === null ? 'neither' : (await asker.ask(unit)).kind)));
}

function unitOf(sentence: string, request: string): Unit<KindAnswer, KindVerdict> {
  return {
    purpose: 'judge-kind',
    hashes: [contentHash(sentence), contentHash(request)],
    values: () => ({ sentence: asData('sentence', sentence), request: asData('request', request) }),
    form: KIND,
    maxTokens: ANSWER_TOKENS,
    read: ({ kind }) => ({ kind: KINDS[kind] }),
    none: { kind: KINDS.CLAIM },
  };
}

function requestText({ problem, userStory, background }: ReportRequestText): string {
  const given = [
    ['Asked for', problem],
    ['The reader', userStory],
    ['Known to the reader', background],
  ].flatMap(([name, text]) => (text === undefined || text.trim() === '' ? [] : `${name}: ${text}`));
  return given.length > 0 ? given.join('\n') : 'Nothing is known of the request.';
}
