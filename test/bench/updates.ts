/**
 * What an update digest tells: of each query of the labelled haystacks, a digest of 60 documents, then one of all 100 with the
 * first as its background. Counts the points of the second that state what the first stated, and the insights that only it
 * states. `tsx test/bench/updates.ts FOLDER [ENCODER]`, FOLDER with h1.json to h4.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../src/contract/index.ts';
import { startService } from '../../src/server/index.node.ts';
import { createApp, readConfiguration } from '../../src/server/index.ts';
import { appDeps } from '../../src/server/runtime/node/serve.node.ts';
import { startWork } from '../../src/server/runtime/node/work.node.ts';
import { NO_METRICS } from '../../src/server/service-metrics.ts';

interface Labelled {
  readonly documents: readonly {
    readonly id: string;
    readonly text: string;
    readonly arguments: readonly {
      readonly start: number;
      readonly end: number;
      readonly keyPoints: readonly string[];
    }[];
  }[];
  readonly queries: readonly { readonly intent: string }[];
}

const READ_BEFORE = 60;
const [folder = '../shared/data/haystacks', encoder = 'transformers'] = process.argv.slice(2);
const configuration = {
  ...readConfiguration({ ...process.env, TESSERA_ENCODER: encoder, TESSERA_RATE: 'off' }),
  database: ':memory:',
  logLevel: 'error' as const,
};
const service = await startService(configuration);
const work = startWork(service, configuration.service, NO_METRICS);
const app = createApp(appDeps(service, configuration, work.worker, NO_METRICS, true));

async function digest(body: unknown): Promise<Digest> {
  const headers = { 'content-type': 'application/json' };
  const response = await app.request('/v1/digests', { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as Digest; // this service answered it
}

/** The insights that each selected point of a digest states, by people's labels. */
function stated({ keyPoints }: Digest, { documents }: Labelled): string[][] {
  const labels = new Map(documents.map((document) => [document.id, document.arguments]));
  return keyPoints
    .filter(({ selected }) => selected)
    .map(({ document, quote }) => {
      const { start, end } = quote;
      if (start === null) return [];
      const overlapping = (labels.get(document) ?? []).filter((each) => each.start < end && start < each.end);
      return overlapping.flatMap((each) => each.keyPoints);
    });
}

const weights = [0, 1];
const counts = weights.map(() => ({ points: 0, repeated: 0, insights: 0, dropped: 0 }));
for (const name of ['h1', 'h2', 'h3', 'h4']) {
  const labelled: Labelled = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const documents = labelled.documents.map(({ id, text }) => ({ id, text }));
  for (const { intent } of labelled.queries) {
    const before = await digest({ documents: documents.slice(0, READ_BEFORE), intent });
    const known = new Set(stated(before, labelled).flat());
    for (const [index, weight] of weights.entries()) {
      const since = { problem: intent, background: { digest: before.id } };
      const after = await digest({ documents, intent: since, selection: { background: { weight } } });
      const count = counts[index];
      const points = stated(after, labelled);
      count.points += points.length;
      count.repeated += points.filter((insights) => insights.some((insight) => known.has(insight))).length;
      count.insights += new Set(points.flat().filter((insight) => !known.has(insight))).size;
      count.dropped += after.keyPoints.filter(({ reason }) => reason === 'known').length;
    }
  }
}
process.stdout.write('background.weight   points   repeat the first   new insights   left out as known\n');
weights.forEach((weight, index) => {
  const { points, repeated, insights, dropped } = counts[index];
  process.stdout.write(
    `${String(weight).padEnd(17)}${String(points).padStart(9)}${String(repeated).padStart(19)}${String(insights).padStart(15)}${String(dropped).padStart(19)}\n`,
  );
});
await work.stop(0);
await service.close();
