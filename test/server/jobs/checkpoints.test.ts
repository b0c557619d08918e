import { expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import type { ModelDeps } from '../../../src/digest/index.ts';
import type { Connection } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { scriptedModel } from '../../models/language/scripted-model.ts';
import { givenPoints, goodBut } from '../../support/good-model.ts';
import { callsOf, NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { answered, expectSound } from '../../support/promises.ts';
import { PROMPTS } from '../../support/prompts.ts';
import type { Reply, Script } from '../../support/scripted-model-server.ts';
import { until } from '../../support/until.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { eventRows, hand, LEASE, onlyJob } from './hand.ts';

const BY_MODELS = {
  documents: NOTES,
  intent: NOTES_INTENT,
  selection: { strategy: 'llm', relevance: { facets: 'llm' } },
} as const;

async function models(script: Script) {
  const scripted = await scriptedModel(script);
  const parts: ModelDeps = { model: scripted.model, prompts: PROMPTS, extractor: 'llm', writer: 'llm' };
  return { ...scripted, parts };
}

type Way = (sentences: readonly string[]) => Reply;
const whole: Way = (sentences) => ({ text: sentences.join(' ') });
const turned: Way = (sentences) => ({ text: sentences.toReversed().join(' ') });
/** Breaks off after the marker of the third sentence: the two before it stand then. */
const cut: Way = (sentences) => ({ hang: 'mid-body', text: sentences.slice(0, 3).join(' ') });
const turnedAndCut: Way = (sentences) => cut(sentences.toReversed());
/** Two sentences; where all is answered nothing stands before them. */
const STANDING = 2;

/** A model that answers well, and writes a sentence for each point, call by call otherwise. */
function writingAs(...ways: readonly Way[]): Script {
  let call = 0;
  return goodBut(['write'], (request) => {
    const sentences = givenPoints(request).flatMap((theme) => theme.map(({ text, number }) => `${text} [${number}]`));
    return (ways[call++] ?? whole)(sentences);
  });
}

async function digestIn({ query }: Connection): Promise<Digest> {
  const [{ answer }] = await query.select().from(schema.digests);
  return JSON.parse(answer ?? 'null');
}

interface Told {
  readonly index: number;
  readonly text: string;
}

async function sentencesTold(connection: Connection): Promise<Told[]> {
  const events = await eventRows(connection);
  return events.filter(({ event }) => event === 'sentence').map(({ data }) => JSON.parse(data ?? 'null'));
}

/** What a reader of the sentences has in the end: one that comes again replaces the one before. */
function asRead(told: readonly Told[]): string[] {
  const read: string[] = [];
  for (const { index, text } of told) read[index] = text;
  return read;
}

/** The same digest without anything going wrong. */
async function undisturbed(order: typeof BY_MODELS | Omit<typeof BY_MODELS, 'selection'>) {
  const { server, parts } = await models(writingAs());
  const [one] = twoConnections({ now: 1_800_000_000_000 });
  const only = hand(one, { models: parts });
  await only.accept(order);
  await until('the end', () => only.made.length > 0);
  return { digest: await digestIn(one), calls: callsOf(server), sentences: await sentencesTold(one) };
}

test.each(['handed back', 'taken over'])(
  'work that is %s while it is written goes on there: nobody is asked again, and nothing is told twice',
  async (way) => {
    const alone = await undisturbed(BY_MODELS);
    const clock = { now: 1_800_000_000_000 };
    const [one, two] = twoConnections(clock);
    const { server, parts } = await models(writingAs(cut));
    const first = hand(one, { models: parts });
    const id = await first.accept(BY_MODELS);
    await until('sentences', async () => (await sentencesTold(two)).length === STANDING);
    const before = callsOf(server);
    expect(before).toEqual(alone.calls);

    if (way === 'handed back') await first.worker.stop(0);
    else clock.now += LEASE + 1;
    const second = hand(two, { models: parts });
    await until('the end', () => second.made.length > 0);
    expect(callsOf(server)).toEqual({ ...before, write: 2 });
    expect(second.engine.extracted).toEqual([]);
    expect(await onlyJob(two)).toMatchObject({ attempt: 2, crashes: way === 'taken over' ? 1 : 0 });

    const digest = await digestIn(two);
    expect(digest.id).toBe(id);
    expectSound(digest, NOTES);
    expect(answered(digest)).toEqual(answered(alone.digest));
    const told = await sentencesTold(two);
    expect(told).toEqual(alone.sentences);
    expect(asRead(told)).toEqual(digest.summary.sentences.map(({ text }) => text));
    // What the attempt took that was broken off in its writing is nowhere told by the model's server.
    expect(digest.usage.stages).toEqual(alone.digest.usage.stages);
    expect(digest.engine).toEqual(alone.digest.engine);
  },
);

test.each([
  ['once', [turnedAndCut]],
  ['twice', [cut, turnedAndCut]],
  ['and then the first again', [cut, turnedAndCut, cut]],
  ['and ends with what it said in between', [cut, turnedAndCut, cut, turned]],
])('a writer that says something else %s: what a reader has in the end is the digest', async (_, ways) => {
  const clock = { now: 1_800_000_000_000 };
  const [one, two] = twoConnections(clock);
  const { server, parts } = await models(writingAs(...ways));
  const broken = ways.filter((way) => way !== turned);
  for (const [attempt] of broken.entries()) {
    const worker = hand(one, { models: parts });
    if (attempt === 0) await worker.accept(BY_MODELS);
    await until('the writer', () => callsOf(server).write === attempt + 1);
    // What it says again it does not tell again, so that nothing shows when it has come so far.
    await new Promise((resolve) => setTimeout(resolve, 80));
    clock.now += (attempt + 1) * LEASE + 1; // later each time
  }
  const last = hand(two, { models: parts });
  await until('the end', () => last.made.length > 0);
  const digest = await digestIn(two);
  expectSound(digest, NOTES);
  const told = await sentencesTold(two);
  expect(told.length).toBeGreaterThan(digest.summary.sentences.length);
  expect(asRead(told)).toEqual(digest.summary.sentences.map(({ text }) => text));
});
