import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type Prompt, type StageModel, type WorkCache } from '../../models/index.ts';
import {
  citationMarkers,
  contentHash,
  dateText,
  escapeMarkers,
  groupBy,
  groups,
  utf8Length,
} from '../../text/index.ts';
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

const UNJUDGED: Finding = { supported: false, wrong: '', idle: [] };
/** Share of the context for claims and passages; the answer and the rules need the rest. */
const SHARE = 0.5;
/** Answer tokens per claim: its number, two words of JSON and the unsupported words. */
const TOKENS_EACH = 80;
/** Maximum number of claims per call; models skip some of a longer list. */
const MAX_CLAIMS = 60;

/**
 * A language model that judges claims by their cited passages in context, as many per call as fit. Caches findings per
 * tenant. A claim missing from the answer is unsupported.
 * @throws ModelCallError from the judging, if a call failed
 */
export function modelJudge(model: () => StageModel, prompt: () => Prompt, cache: WorkCache): Judge {
  return async (claims) => {
    if (claims.length === 0) return [];
    const [asked, by] = [model(), prompt()];
    const bytes = SHARE * asked.contextTokens * BYTES_PER_TOKEN;
    const keyed = claims.map((claim): KeyedClaim => {
      const shown = sizeOf(claim, shownFor(claim)) <= bytes ? claim : withoutSurroundings(claim);
      return { ...shown, key: keyOf(shown, asked, by) };
    });
    const kept = await cache.readJudgements([...new Set(keyed.map(({ key }) => key))]);
    // Only this function writes keys of this version.
    const found = new Map([...kept].map(([key, json]) => [key, JSON.parse(json) as Finding]));
    const open = new Map(keyed.flatMap((claim) => (found.has(claim.key) ? [] : [[claim.key, claim]])));
    const judge = async (batch: readonly KeyedClaim[]): Promise<void> => {
      const fresh = await judgeBatch(batch, asked, by);
      // Save at once, so that a later failure loses nothing.
      await cache.saveJudgements(
        fresh.map(([key, finding]) => ({ key, kind: 'verify', verdict: JSON.stringify(finding) })),
      );
      for (const [key, finding] of fresh) found.set(key, finding);
    };
    await Promise.all(Array.from(inBatches([...open.values()], bytes), judge));
    return keyed.map(({ key }) => found.get(key) ?? UNJUDGED);
  };
}

interface KeyedClaim extends Claim {
  readonly key: string;
}

/** Part of cache keys: raise the number with every change of how answers are read. */
const VERSION = 'verify@3';

function keyOf(claim: Claim, { settings }: StageModel, { hash }: Prompt): string {
  const { text, doubted = [], passages, headed = [] } = claim;
  const shown = [passages, headed].map((those) => those.map((passage) => [passageText(passage), passage.within?.text]));
  return contentHash(JSON.stringify([VERSION, hash, settings, text, doubted, ...shown]));
}

async function judgeBatch(
  claims: readonly KeyedClaim[],
  model: StageModel,
  prompt: Prompt,
): Promise<(readonly [key: string, finding: Finding])[]> {
  const passages = [...new Set(claims.flatMap(shownFor))];
  const numberOf = new Map(passages.map((passage, index) => [passage, index + 1]));
  const values = {
    passages: asData('passages', passagesText(passages, numberOf, SHARE * model.contextTokens * BYTES_PER_TOKEN)),
    statements: asData('statements', claims.map((claim, c) => `${c + 1}. ${claimText(claim, numberOf)}`).join('\n')),
  };
  const maxTokens = Math.min(Math.floor(model.contextTokens / 2), 200 + TOKENS_EACH * claims.length);
  const { verdicts } = await model.askFor({ prompt, values, maxTokens }, VERDICTS);
  const byClaim = new Map(verdicts.map((verdict) => [verdict.statement, verdict]));
  return claims.flatMap(({ key, passages: own }, c) => {
    const verdict = byClaim.get(c + 1);
    if (verdict === undefined) return [];
    const idle = own.flatMap((passage, p) => (verdict.idle.includes(numberOf.get(passage) ?? 0) ? [p] : []));
    return [[key, { supported: verdict.supported, wrong: verdict.wrong.slice(0, MAX_WRONG_LENGTH), idle }]];
  });
}

/** Maximum length of the unsupported words, in UTF-16 units: they go into the next prompt. */
const MAX_WRONG_LENGTH = 300;

function sizeOf({ text }: Claim, passages: readonly Passage[]): number {
  return utf8Length(text) + passages.reduce((sum, passage) => sum + utf8Length(passageText(passage)), 0);
}

function withoutSurroundings(claim: Claim): Claim {
  const passages = claim.passages.map((passage) => ({
    ...passage,
    earlier: undefined,
    within: undefined,
    quotes: passage.quotes.map(({ text }) => ({ text })),
  }));
  return { ...claim, passages, headed: undefined };
}

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

function passagesText(passages: readonly Passage[], numberOf: ReadonlyMap<Passage, number>, bytes: number): string {
  const documents = groupBy(passages, ({ document }) => document);
  const texts = Array.from(documents.values(), ([{ within }]) => within?.text ?? '');
  const showsWhole = texts.reduce((sum, text) => sum + utf8Length(text), 0) <= bytes;
  const blocks = Array.from(documents.values(), (own, index) => {
    const opening = own.find((passage) => passage.opening !== undefined)?.opening;
    const whole = showsWhole ? wholeText(own, numberOf) : null;
    const origin = originText({ ...own[0], opening: whole === null ? opening : undefined });
    const lines = whole ?? own.map((passage) => `${markerOf(passage, numberOf)} ${quotesText(passage)}`);
    return [`Document ${index + 1}${origin === '' ? '' : `, ${origin}`}:`, ...lines].join('\n');
  });
  return blocks.join('\n\n');
}

function markerOf(passage: Passage, numberOf: ReadonlyMap<Passage, number>): string {
  return citationMarkers([numberOf.get(passage) ?? 0]);
}

/** A document with its cited passages marked in it, and those that overlap another below; null if it is too long. */
function wholeText(passages: readonly Passage[], numberOf: ReadonlyMap<Passage, number>): string[] | null {
  const [{ within }] = passages;
  if (within === undefined) return null;
  const { text } = within;
  const spans = passages
    .flatMap((passage) => (passage.within?.spans ?? []).map((span) => ({ ...span, passage })))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const lines: string[] = [];
  let shown = '';
  let at = 0;
  for (const { start, end, passage } of spans) {
    if (start < at) {
      lines.push(`${markerOf(passage, numberOf)} «${text.slice(start, end)}»`);
      continue;
    }
    const said = passage.speaker === undefined ? '' : `(said by ${passage.speaker}) `;
    shown += `${escapeMarkers(text.slice(at, start))}${markerOf(passage, numberOf)} ${said}«${text.slice(start, end)}»`;
    at = end;
  }
  return [shown + escapeMarkers(text.slice(at)), ...lines];
}

export function passageText(passage: Passage): string {
  const origin = originText(passage);
  return [...(origin === '' ? [] : [`${origin}:`]), quotesText(passage)].join('\n');
}

function originText({ title, publishedAt, opening }: Passage): string {
  const named = title === undefined ? '' : `“${oneLine(title)}”`;
  const dated = publishedAt === undefined ? '' : dateText(publishedAt);
  const begins = opening === undefined ? '' : `which begins “${oneLine(opening)}”`;
  return [named, dated, begins].filter(Boolean).join(', ');
}

function quotesText({ quotes, speaker, earlier }: Passage): string {
  const named = earlier === undefined ? '' : `(earlier: “${oneLine(earlier)}”) `;
  const said = speaker === undefined ? '' : `said by ${speaker}: `;
  const texts = quotes.map(({ text, before = '', after = '' }) => oneLine(`${before}«${text}»${after}`));
  return named + said + texts.join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function claimText(
  { text, passages, headed = [], doubted = [] }: Claim,
  numberOf: ReadonlyMap<Passage, number>,
): string {
  const numbers = (those: readonly Passage[]) => citationMarkers(those.map((passage) => numberOf.get(passage) ?? 0));
  const heading = headed.length === 0 ? '' : ` (for its heading also ${numbers(headed)})`;
  const look = doubted.length === 0 ? '' : ` (look again at: ${doubted.map((word) => `“${word}”`).join(', ')})`;
  return `${oneLine(text)} ${numbers(passages)}${heading}${look}`;
}
