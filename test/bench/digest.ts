/**
 * Time and memory of a digest of 100 documents, per encoder and matrix backend: cold (nothing stored), warm (the same
 * documents, another intent), per stage, the longest time that the event loop was held up, and how the kernel stage compares
 * with its bare matrix products. Each run is a process of its own, so that its peak memory is its own.
 */
import { spawnSync } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readConfiguration } from '../../src/configuration.ts';
import { createDigest } from '../../src/digest/create-digest.ts';
import type { Digest } from '../../src/digest/digest.ts';
import { hasTransformersModel } from '../../src/encoders/choose-encoder.node.ts';
import { startService } from '../../src/service.node.ts';
import { benchInput } from './haystack.ts';
import { kernelShare } from './kernel-share.ts';

const WARM_RUNS = 5;

async function run(encoder: string, matrix: string): Promise<void> {
  const { documents, intents } = benchInput();
  const configuration = readConfiguration({ ...process.env, TESSERA_ENCODER: encoder, TESSERA_MATRIX: matrix });
  const service = await startService({ ...configuration, database: ':memory:', logLevel: 'error' });
  await service.parts.engine.warmUp();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const measure = async (intent: string): Promise<{ digest: Digest; ms: number; blocked: number }> => {
    delay.reset();
    delay.enable();
    const start = performance.now();
    const digest = await createDigest({ documents, intent }, service.parts);
    const ms = performance.now() - start;
    delay.disable();
    return { digest, ms, blocked: delay.max / 1e6 };
  };
  const line = (name: string, { digest, ms, blocked }: Awaited<ReturnType<typeof measure>>): void => {
    const stages = Object.entries(digest.timings).map(([stage, spent]) => `${stage} ${spent.toFixed(0)}`);
    const gated = digest.selection.gate.kept;
    process.stdout.write(
      `  ${name.padEnd(6)} ${ms.toFixed(0).padStart(6)} ms   ${stages.join('  ')}   ` +
        `${digest.keyPoints.length} key points, ${gated} past the gate   loop held at most ${blocked.toFixed(0)} ms\n`,
    );
  };
  line('cold', await measure(intents[0]));
  const warm = [];
  for (let i = 0; i < WARM_RUNS; i++) warm.push(await measure(intents[(i + 1) % intents.length]));
  warm.sort((a, b) => a.ms - b.ms);
  line('warm', warm[WARM_RUNS >> 1]);
  process.stdout.write(`  ${await kernelShare(service.parts, warm[WARM_RUNS >> 1].digest)}\n`);
  process.stdout.write(`  peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB\n`);
  await service.close();
}

const [encoder, matrix] = process.argv.slice(2);
if (encoder !== undefined) {
  await run(encoder, matrix);
} else {
  process.stdout.write(`${benchInput().name}, median of ${WARM_RUNS} warm runs\n`);
  const models = process.env.TESSERA_MODELS ?? '../shared/models';
  const encoders = hasTransformersModel(models) ? ['transformers', 'use-lite'] : ['use-lite'];
  if (encoders.length === 1) process.stdout.write(`transformers: skipped, no model in ${models}\n`);
  for (const name of encoders) {
    for (const backend of ['onnxruntime', 'wasm']) {
      process.stdout.write(`${name}, ${backend}\n`);
      const { status } = spawnSync(process.execPath, ['--import', 'tsx', import.meta.filename, name, backend], {
        stdio: 'inherit',
        env: { ...process.env, TESSERA_MODELS: models },
      });
      if (status !== 0) process.exitCode = 1;
    }
  }
}
