/**
 * What a language model costs a digest: calls, tokens and price by stage for documents that fit its context and that do not, first
 * and second intent. The model is scripted: it answers well, each call after a
 * pause, and counts a token for four bytes; embeddings and everything else are real.
 */

import type { Digest } from '../../src/contract/index.ts';
import { createDigest } from '../../src/digest/index.ts';
import { loadPrompts } from '../../src/models/index.node.ts';
import { openAiModel } from '../../src/models/index.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { good } from '../support/good-model.ts';
import { ScriptedModelServer } from '../support/scripted-model-server.ts';
import { benchInput } from './haystack.ts';

const PAUSE = 400;
/** Per million tokens: what a small hosted model costs. */
const PRICE = { input: 0.15, output: 0.6 };
const MODEL = 'scripted';

const { name, documents, intents } = benchInput();
const server = await ScriptedModelServer.start((request) => ({ ...good(request), delay: PAUSE, usage: null }));
const configuration = readConfiguration({ TESSERA_DB: ':memory:', TESSERA_LOG: 'error' });
const { concurrency } = configuration.languageModel;
process.stdout.write(`${name}; a call takes ${PAUSE} ms, at most ${concurrency} at once\n`);

for (const [count, contextTokens] of [
  [10, 128_000],
  [100, 128_000],
  [100, 8192],
]) {
  const service = await startService(configuration);
  const { cache, engine, reportFailure } = service.deps;
  await service.deps.engine.warmUp();
  const model = openAiModel({
    ...configuration.languageModel,
    apiKey: null,
    baseUrl: server.url,
    contextTokens,
    defaultModel: MODEL,
    prices: new Map([[MODEL, PRICE]]),
  });
  const deps = {
    cache,
    engine,
    reportFailure,
    models: { model, prompts: loadPrompts(), extractor: 'auto', writer: 'llm' } as const,
  };
  const some = documents.slice(0, count);
  for (const [which, intent] of [
    ['first intent', intents[0]],
    ['second intent', intents[1]],
  ]) {
    const digest = await createDigest({ documents: some, intent }, deps);
    process.stdout.write(
      `\n${count} documents, a context of ${contextTokens}, ${which}: ${digest.status}, ${digest.keyPoints.length} key points\n`,
    );
    report(digest);
  }
  await service.close();
}
await server.close();

function report({ usage, timings, writing }: Digest): void {
  for (const [stage, spent] of Object.entries(usage.stages)) {
    if (spent === undefined) continue;
    const { requests, promptTokens, completionTokens, cost } = spent;
    process.stdout.write(
      `  ${stage.padEnd(8)} ${String(requests).padStart(4)} calls ${String(promptTokens).padStart(7)} + ${String(completionTokens).padStart(6)} tokens  ${(cost ?? 0).toFixed(5)}\n`,
    );
  }
  const { requests = 0 } = usage.stages.extract ?? {};
  if (requests > 0) {
    const [took, alone] = [timings.extract, requests * PAUSE];
    process.stdout.write(`  extraction took ${took.toFixed(0)} ms; its calls one after the other ${alone} ms\n`);
  }
  process.stdout.write(`  kept ${writing?.kept} of ${writing?.drafted} sentences, replaced ${writing?.replaced}\n`);
}
