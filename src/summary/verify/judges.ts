import { z } from 'zod';
import {
  asData,
  BYTES_PER_TOKEN,
  type EntailmentModel,
  type Prompt,
  type StageModel,
  type WorkCache,
} from '../../models/index.ts';
import { contentHash, dateText, groupBy, groups, utf8Length } from '../../text/index.ts';
import type { Passage } from '../input.ts';
import type { Claim, Finding, Judge } from './judge-twice.ts';

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
const MAX_CLAIMS = 60;

/**
 * A language model that judges claims by the passages they cite, in their surroundings: one call for as many as its context
 * holds. What it finds is kept for the tenant, and not asked for again. A claim that the answer passes over is not supported.
 *
 * @throws ModelCallError from the judging, if a call failed
 */
export function modelJudge(model: () => StageModel, prompt: () => Prompt, cache: WorkCache): Judge {
  return async (claims) => {
    if (claims.length === 0) return [];
    const [asked, by] = [model(), prompt()];
    const bytes = SHARE * asked.contextTokens * BYTES_PER_TOKEN;
    const keyed = claims
      .map((claim) => (sizeOf(claim, shownFor(claim)) <= bytes ? claim : withoutSurroundings(claim)))
      .map((claim) => ({ ...claim, key: keyOf(claim, asked, by) }));
    const found = await keptFindings(
      cache,
      keyed.map(({ key }) => key),
    );
    const open = new Map(keyed.flatMap((claim) => (found.has(claim.key) ? [] : [[claim.key, claim]])));
    const judge = async (batch: readonly KeyedClaim[]): Promise<void> => {
      const fresh = await judgeBatch(batch, asked, by);
      // Kept at once, so that what is judged is not lost with what fails.
      await keepFindings(cache, fresh);
      for (const [key, finding] of fresh) found.set(key, finding);
    };
    await Promise.all(Array.from(inBatches([...open.values()], bytes), judge));
    return keyed.map(({ key }) => found.get(key) ?? UNJUDGED);
  };
}

interface KeyedClaim extends Claim {
  readonly key: string;
}

/** Names these rules in the keys of what is kept: raise the number with every change of what an answer is read as. */
const VERSION = 'verify@2';

/** Names everything that the finding of a claim depends on. */
function keyOf(claim: Claim, { settings }: StageModel, { hash }: Prompt): string {
  const { text, doubted = [], passages, headed = [] } = claim;
  const shown = [passages, headed].map((those) => those.map((passage) => passageText(passage)));
  return contentHash(JSON.stringify([VERSION, hash, settings, text, doubted, ...shown]));
}

async function keptFindings(cache: WorkCache, keys: readonly string[]): Promise<Map<string, Finding>> {
  const kept = await cache.readJudgements([...new Set(keys)]);
  // Only `keepFindings` writes under keys of this version.
  return new Map([...kept].map(([key, json]) => [key, JSON.parse(json) as Finding]));
}

async function keepFindings(cache: WorkCache, found: Iterable<readonly [string, Finding]>): Promise<void> {
  const rows = Array.from(found, ([key, finding]) => ({ key, kind: 'verify', verdict: JSON.stringify(finding) }));
  await cache.saveJudgements(rows);
}

/** What is found of the claims, by their keys; what the answer passes over is absent. */
async function judgeBatch(
  claims: readonly KeyedClaim[],
  model: StageModel,
  prompt: Prompt,
): Promise<ReadonlyMap<string, Finding>> {
  const passages = [...new Set(claims.flatMap(shownFor))];
  const numberOf = new Map(passages.map((passage, index) => [passage, index + 1]));
  const values = {
    passages: asData('passages', passagesText(passages)),
    statements: asData('statements', claims.map((claim, c) => `${c + 1}. ${claimText(claim, numberOf)}`).join('\n')),
  };
  const maxTokens = Math.min(Math.floor(model.contextTokens / 2), 200 + TOKENS_EACH * claims.length);
  const { verdicts } = await model.askFor({ prompt, values, maxTokens }, VERDICTS);
  const byClaim = new Map(verdicts.map((verdict) => [verdict.statement, verdict]));
  return new Map(
    claims.flatMap(({ key, passages: own }, c) => {
      const verdict = byClaim.get(c + 1);
      if (verdict === undefined) return [];
      const idle = own.flatMap((passage, p) => (verdict.idle.includes(numberOf.get(passage) ?? 0) ? [p] : []));
      return [[key, { supported: verdict.supported, wrong: verdict.wrong.slice(0, MAX_WRONG_LENGTH), idle }]];
    }),
  );
}

/** Of what is said to be wrong, in UTF-16 units: it goes into the next prompt. */
const MAX_WRONG_LENGTH = 300;

/** Bytes of a claim with some of its passages. */
function sizeOf({ text }: Claim, passages: readonly Passage[]): number {
  return utf8Length(text) + passages.reduce((sum, passage) => sum + utf8Length(passageText(passage)), 0);
}

/** A claim that cites more than a call holds, by the quotes alone. */
function withoutSurroundings(claim: Claim): Claim {
  const passages = claim.passages.map((passage) => ({
    ...passage,
    earlier: undefined,
    quotes: passage.quotes.map(({ text }) => ({ text })),
  }));
  return { ...claim, passages, headed: undefined };
}

/** The passages that a claim is shown with. */
function shownFor({ passages, headed = [] }: Claim): readonly Passage[] {
  return [...passages, ...headed];
}

function inBatches(claims: readonly KeyedClaim[], bytes: number): Iterable<KeyedClaim[]> {
  return groups(claims, bytes, (claim, batch) => {
    if (batch.length >= MAX_CLAIMS) return Number.POSITIVE_INFINITY;
    const shown = new Set(batch.flatMap(shownFor));
    return sizeOf(
      claim,
      shownFor(claim).filter((passage) => !shown.has(passage)),
    );
  });
}

/** Passages under their documents, each with its number, from 1, and its quotes. */
function passagesText(passages: readonly Passage[]): string {
  const numberOf = new Map(passages.map((passage, index) => [passage, index + 1]));
  const documents = groupBy(passages, ({ document }) => document);
  const blocks = Array.from(documents.values(), (own, index) => {
    const opening = own.find((passage) => passage.opening !== undefined)?.opening;
    const origin = originText({ ...own[0], opening });
    const lines = own.map((passage) => `[${numberOf.get(passage)}] ${quotesText(passage, MARKS)}`);
    return [`Document ${index + 1}${origin === '' ? '' : `, ${origin}`}:`, ...lines].join('\n');
  });
  return blocks.join('\n\n');
}

/** The marks around a quote. */
type Marks = readonly [open: string, close: string];
const MARKS: Marks = ['«', '»'];

/** What a passage is of, and its quotes between marks with what stands around them. */
export function passageText(passage: Passage, marks = MARKS): string {
  const origin = originText(passage);
  return [...(origin === '' ? [] : [`${origin}:`]), quotesText(passage, marks)].join('\n');
}

/** The document of a passage: title, date and how it begins, as far as there are. */
function originText({ title, publishedAt, opening }: Passage): string {
  const parts = [
    ...(title === undefined ? [] : [`“${oneLine(title)}”`]),
    ...(publishedAt === undefined ? [] : [dateText(publishedAt)]),
    ...(opening === undefined ? [] : [`which begins “${oneLine(opening)}”`]),
  ];
  return parts.join(', ');
}

function quotesText({ quotes, speaker, earlier }: Passage, [open, close]: Marks): string {
  const named = earlier === undefined ? '' : `(earlier: “${oneLine(earlier)}”) `;
  const said = speaker === undefined ? '' : `said by ${speaker}: `;
  const texts = quotes.map(({ text, before = '', after = '' }) => oneLine(`${before}${open}${text}${close}${after}`));
  return named + said + texts.join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function claimText(
  { text, passages, headed = [], doubted = [] }: Claim,
  numberOf: ReadonlyMap<Passage, number>,
): string {
  const numbers = (those: readonly Passage[]) => those.map((passage) => `[${numberOf.get(passage) ?? 0}]`).join('');
  const heading = headed.length === 0 ? '' : ` (for its heading also ${numbers(headed)})`;
  const look = doubted.length === 0 ? '' : ` (look again at: ${doubted.map((word) => `“${word}”`).join(', ')})`;
  return `${text.replace(/\s+/g, ' ')} ${numbers(passages)}${heading}${look}`;
}

/** Surer than of all other labels together; with two labels, the likelier. */
const LEVEL = 0.5;

/**
 * An entailment model that judges claims by all passages they cite, in their surroundings, or by the quotes alone if those are
 * too long for it. It names no words that are wrong and no passages that are idle, and says the same when it is to look again.
 */
export function entailmentJudge(model: EntailmentModel): Judge {
  return async (claims) => {
    const found = await model.entailment(
      claims.map((claim) => ({
        claim: claim.text,
        premises: [premiseOf(claim), premiseOf(withoutSurroundings(claim))],
      })),
    );
    return claims.map((_, c) => ({ supported: found[c] > LEVEL, wrong: '', idle: [] }));
  };
}

/** Without marks around the quotes, which such a model has not been trained to read. */
function premiseOf({ passages }: Claim): string {
  return passages.map((passage) => passageText(passage, ['', ''])).join('\n\n');
}
