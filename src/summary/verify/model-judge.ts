import { z } from 'zod';
import { utf8Length } from '../../documents/windows.ts';
import { asData } from '../../language-models/as-data.ts';
import type { Prompt } from '../../language-models/prompt.ts';
import type { StageModel } from '../../language-models/stage-model.ts';
import { BYTES_PER_TOKEN } from '../../language-models/usage.ts';
import { type Claim, dateText, type Finding, type Judge, type Passage } from './claim.ts';

const VERDICTS = {
  name: 'verdicts',
  schema: z.object({
    verdicts: z.array(
      z.object({
        statement: z.int(),
        wrong: z.string().catch(''),
        idle: z.array(z.int()).catch([]),
        supported: z.boolean(),
      }),
    ),
  }),
};

/** What no verdict came for. */
const UNJUDGED: Finding = { supported: false, wrong: '', idle: [] };
/** Share of the context that claims and passages may fill; the answer and the rules need the rest. */
const SHARE = 0.5;
/** Tokens of the answer for each claim: its number, two words of JSON and the words that are wrong. */
const TOKENS_EACH = 80;
/** More in one call, and models skip some. */
const MOST_CLAIMS = 60;

/**
 * A language model that judges claims by the passages they cite, in their surroundings: one call for as many as its context
 * holds. A claim that the answer passes over is not supported.
 *
 * @throws ModelCallError from the judging, where a call failed
 */
export function modelJudge(model: () => StageModel, prompt: () => Prompt): Judge {
  return async (claims) => {
    if (claims.length === 0) return [];
    const asked = model();
    const bytes = SHARE * asked.contextTokens * BYTES_PER_TOKEN;
    const batches = inBatches(
      claims.map((claim) => (sizeOf(claim, claim.passages) <= bytes ? claim : withoutSurroundings(claim))),
      bytes,
    );
    const found = await Promise.all(batches.map((batch) => judgeBatch(batch, asked, prompt())));
    return found.flat();
  };
}

async function judgeBatch(claims: readonly Claim[], model: StageModel, prompt: Prompt): Promise<Finding[]> {
  const passages = [...new Set(claims.flatMap((claim) => claim.passages))];
  const numberOf = new Map(passages.map((passage, index) => [passage, index + 1]));
  const values = {
    passages: asData('passages', passages.map((passage, p) => `[${p + 1}] ${passageText(passage)}`).join('\n\n')),
    statements: asData('statements', claims.map((claim, c) => `${c + 1}. ${claimText(claim, numberOf)}`).join('\n')),
  };
  const maxTokens = Math.min(Math.floor(model.contextTokens / 2), 200 + TOKENS_EACH * claims.length);
  const { verdicts } = await model.askFor({ prompt, values, maxTokens }, VERDICTS);
  const byClaim = new Map(verdicts.map((verdict) => [verdict.statement, verdict]));
  return claims.map((claim, c) => {
    const verdict = byClaim.get(c + 1);
    if (verdict === undefined) return UNJUDGED;
    const idle = claim.passages.flatMap((passage, p) => (verdict.idle.includes(numberOf.get(passage) ?? 0) ? [p] : []));
    return { supported: verdict.supported, wrong: verdict.wrong.slice(0, LONGEST_WRONG), idle };
  });
}

/** Of what is said to be wrong, in UTF-16 units: it goes into the next prompt. */
const LONGEST_WRONG = 300;

/** Bytes of a claim with some of its passages. */
function sizeOf({ text }: Claim, passages: readonly Passage[]): number {
  return utf8Length(text) + passages.reduce((sum, passage) => sum + utf8Length(passageText(passage)), 0);
}

/** A claim that cites more than a call holds, by the quotes alone. */
export function withoutSurroundings(claim: Claim): Claim {
  const passages = claim.passages.map((passage) => ({
    ...passage,
    quotes: passage.quotes.map(({ text }) => ({ text })),
  }));
  return { ...claim, passages };
}

function inBatches(claims: readonly Claim[], bytes: number): Claim[][] {
  const batches: Claim[][] = [];
  let shown = new Set<Passage>();
  let room = 0;
  for (const claim of claims) {
    const fresh = claim.passages.filter((passage) => !shown.has(passage));
    const last = batches.at(-1);
    if (last === undefined || sizeOf(claim, fresh) > room || last.length >= MOST_CLAIMS) {
      batches.push([claim]);
      shown = new Set(claim.passages);
      room = bytes - sizeOf(claim, claim.passages);
    } else {
      last.push(claim);
      room -= sizeOf(claim, fresh);
      for (const passage of fresh) shown.add(passage);
    }
  }
  return batches;
}

/** What a passage is of, and its quotes between marks with what stands around them. */
export function passageText({ quotes, title, publishedAt, speaker }: Passage, [open, close] = ['«', '»']): string {
  const origin = [
    ...(title === undefined ? [] : [`“${title}”`]),
    ...(publishedAt === undefined ? [] : [dateText(publishedAt)]),
    ...(speaker === undefined ? [] : [`said by ${speaker}`]),
  ];
  const texts = quotes.map(({ text, before = '', after = '' }) =>
    `${before}${open}${text}${close}${after}`.replace(/\s+/g, ' '),
  );
  return [...(origin.length > 0 ? [`${origin.join(', ')}:`] : []), ...texts].join('\n');
}

function claimText({ text, passages, doubted = [] }: Claim, numberOf: ReadonlyMap<Passage, number>): string {
  const numbers = passages.map((passage) => `[${numberOf.get(passage) ?? 0}]`).join('');
  const look = doubted.length === 0 ? '' : ` (look again at: ${doubted.map((word) => `“${word}”`).join(', ')})`;
  return `${text.replace(/\s+/g, ' ')} ${numbers}${look}`;
}
