/**
 * Time and memory of a digest of 100 documents: cold (nothing stored), warm (the same documents, another intent), per stage and
 * the longest time that the event loop was held up.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Digest } from '../../src/contract/index.ts';
import { createDigest } from '../../src/digest/index.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { benchInput } from './haystack.ts';

const WARM_RUNS = 5;

const { name, documents, intents } = benchInput();
const service = await startService({ ...readConfiguration(process.env), database: ':memory:', logLevel: 'error' });
await service.deps.engine.warmUp();
const delay = monitorEventLoopDelay({ resolution: 1 });
const measure = async (intent: string): Promise<{ digest: Digest; ms: number; blocked: number }> => {
  delay.reset();
  delay.enable();
  const start = performance.now();
  const digest = await createDigest({ documents, intent }, service.deps);
  const ms = performance.now() - start;
  delay.disable();
  return { digest, ms, blocked: delay.max / 1e6 };
};
const line = (what: string, { digest, ms, blocked }: Awaited<ReturnType<typeof measure>>): void => {
  const stages = Object.entries(digest.timings).map(([stage, spent]) => `${stage} ${spent.toFixed(0)}`);
  const gated = digest.selection.gate.kept;
  process.stdout.write(
    `  ${what.padEnd(6)} ${ms.toFixed(0).padStart(6)} ms   ${stages.join('  ')}   ` +
      `${digest.keyPoints.length} key points, ${gated} past the gate   loop held at most ${blocked.toFixed(0)} ms\n`,
  );
};
const { encoders, defaultEncoder, matrix } = service.deps.engine;
process.stdout.write(
  `${name}; ${encoders.get(defaultEncoder)?.profile.id}, ${matrix}; median of ${WARM_RUNS} warm runs\n`,
);
line('cold', await measure(intents[0]));
const warm = [];
for (let i = 0; i < WARM_RUNS; i++) warm.push(await measure(intents[(i + 1) % intents.length]));
warm.sort((a, b) => a.ms - b.ms);
line('warm', warm[WARM_RUNS >> 1]);
process.stdout.write(`  peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB\n`);
await service.close();
