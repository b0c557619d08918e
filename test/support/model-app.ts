import { expect } from 'vitest';
import { type Digest, digestSchema } from '../../src/contract/index.ts';
import type { ModelDeps, ResolvedRequest } from '../../src/digest/index.ts';
import type { OpenAiModelOptions } from '../../src/models/language/openai-model.ts';
import { type ScriptedModel, scriptedModel } from '../models/language/scripted-model.ts';
import { type Asked, askedIn } from './good-model.ts';
import type { InProcessEngine } from './in-process-engine.ts';
import { expectSound } from './promises.ts';
import { PROMPTS } from './prompts.ts';
import type { Script, ScriptedModelServer } from './scripted-model-server.ts';
import { type TestApp, testApp } from './test-deps.ts';

/** One event of a stream; comments are left out. */
export interface StreamEvent {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
}

export interface ModelApp extends TestApp, ScriptedModel {
  /** Waits for a digest, and holds it to its schema and to what is promised of any. */
  digest(request: ResolvedRequest): Promise<Digest>;
  /** The same, streamed: its events, which end with the digest. */
  streamed(request: ResolvedRequest): Promise<{ readonly digest: Digest; readonly events: readonly StreamEvent[] }>;
  stream(request: unknown): Promise<Response>;
}

export interface ModelAppOptions {
  readonly model?: Partial<OpenAiModelOptions> | undefined;
  readonly parts?: Partial<ModelDeps>;
  readonly engine?: InProcessEngine;
}

/** The whole app over a scripted model; extractor and writer are models by default. */
export async function modelApp(
  script: Script,
  { model = {}, parts = {}, engine }: ModelAppOptions = {},
): Promise<ModelApp> {
  const scripted = await scriptedModel(script, model);
  const models = { model: scripted.model, prompts: PROMPTS, extractor: 'llm', writer: 'llm', ...parts } as const;
  const made = testApp({ models, ...(engine && { engine }) });
  const stream = async (request: unknown): Promise<Response> =>
    made.app.request('/v1/digests?include=receipts', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(request),
    });
  return {
    ...made,
    ...scripted,
    stream,
    async digest(request) {
      const response = await made.post('/v1/digests?include=receipts', request);
      const json = await response.json();
      expect(response.status, JSON.stringify(json)).toBe(201);
      return soundDigest(json, request);
    },
    async streamed(request) {
      const response = await stream(request);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const events = eventsIn(await response.text());
      expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)?.event, JSON.stringify(events.at(-1))).toBe('digest');
      const digest = soundDigest(events.at(-1)?.data, request);
      expectToldAsMade(events, digest);
      return { digest, events };
    },
  };
}

function soundDigest(json: unknown, request: ResolvedRequest): Digest {
  const digest = digestSchema.parse(json) as Digest;
  expect(digest).toEqual(json);
  expectSound(digest, request.documents);
  return digest;
}

/** Sentences were told as they stand in the end, in order, with the numbers of their sources. */
export function expectToldAsMade(events: readonly StreamEvent[], { summary, sources }: Digest): void {
  const numberOf = new Map(sources.map(({ document, number }) => [document, number]));
  const told = events.filter(({ event }) => event === 'sentence').map(({ data }) => data);
  const made = summary.sentences.map((sentence, index) => {
    const numbers = new Set(sentence.citations.map(({ document }) => Number(numberOf.get(document))));
    return { index, ...sentence, sources: [...numbers].sort((a, b) => a - b) };
  });
  expect(told).toEqual(made);
}

export function eventsIn(body: string): StreamEvent[] {
  return body
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? ['', line]);
      const { id, event, data = 'null' } = Object.fromEntries(fields);
      return { id: Number(id), event: String(event), data: JSON.parse(data) };
    });
}

/** How many requests asked for what; what was not asked for is not in it. */
export function callsOf({ requests }: ScriptedModelServer): Partial<Record<Asked, number>> {
  const calls: Partial<Record<Asked, number>> = {};
  for (const asked of requests.map(askedIn)) calls[asked] = (calls[asked] ?? 0) + 1;
  return calls;
}

/** What the sentences of a digest say that are not the service's own. */
export function statedIn({ summary }: Digest): string[] {
  return summary.sentences.filter(({ framing }) => !framing).map(({ text }) => text);
}

/** Documents whose every sentence states something, so that one reading misses none. */
export const NOTES = [
  {
    id: 'council',
    text: 'The council approved a congestion charge of 4 euros for the old town. Residents pay half the charge. Revenue from the charge goes to the tram network.',
  },
  {
    id: 'shops',
    text: 'Shopkeepers fear that the charge drives customers to the malls. Sales in the old town fell by 8 percent when the bridge was closed.',
  },
  {
    id: 'study',
    text: 'The study expects 2.5 million euros of revenue from the charge a year. Traffic in the old town would fall by 15 percent.',
  },
] as const;
export const NOTES_INTENT = 'What will the congestion charge do to sales and traffic in the old town?';
