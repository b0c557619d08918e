/**
 * How long it takes to select again from a stored digest of about 1,600 key points, as an app with sliders does: the first
 * call, and seeded moves of relevance weight, sigma and size, with the gate as it was; and what the service holds for it. The
 * service is the real one, in a process of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Digest } from '../../src/contract/index.ts';
import { seeded } from '../selection/kernel/random.ts';
import { startChild } from './child-service.ts';
import { reports } from './reports.ts';

const MOVES = 60;

const folder = mkdtempSync(join(tmpdir(), 'tessera-reselect-'));
const service = await startChild('serve', folder, {
  TESSERA_DB: join(folder, 'bench.sqlite'),
  TESSERA_RATE: 'off',
});
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function post<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

try {
  const documents = reports(101, 2050);
  const { id, keyPoints, selection, engine } = await post<Digest>('/v1/digests', { documents });
  const before = await service.residentMegabytes();
  const { kernel, relevance, coverage } = selection;
  const sigma = kernel.sigma ?? 1;
  const select = async (moved: { weight?: number; sigma?: number; keyPoints?: number }): Promise<number> => {
    const start = performance.now();
    await post('/v1/selections', {
      digest: id,
      selection: {
        size: { keyPoints: moved.keyPoints ?? 12 },
        kernel: { sigma: moved.sigma ?? sigma },
        relevance: {
          gate: relevance.gate,
          surroundings: relevance.surroundings,
          weight: moved.weight ?? relevance.weight,
        },
        coverage: { weight: coverage.weight },
        refine: true,
      },
    });
    return performance.now() - start;
  };
  const random = seeded(1);
  const weight = () => 0.9 * random.next();
  const width = () => sigma * (0.3 + 1.7 * random.next());
  const keyPointsAsked = () => 5 + random.below(26);
  const sliders: Readonly<Record<string, () => Parameters<typeof select>[0]>> = {
    weight: () => ({ weight: weight() }),
    sigma: () => ({ sigma: width() }),
    size: () => ({ keyPoints: keyPointsAsked() }),
    'all three': () => ({ weight: weight(), sigma: width(), keyPoints: keyPointsAsked() }),
  };
  const held = `${keyPoints.length} points (${selection.gate.kept} past the gate) of ${documents.length} documents`;
  print(`selecting again from a digest: ${held}, ${engine.encoder}, ${engine.matrix}; ms`);
  print(`  first call ${(await select({})).toFixed(0)}`);
  for (const [name, move] of Object.entries(sliders)) {
    const times: number[] = [];
    for (let call = 0; call < MOVES; call++) times.push(await select(move()));
    const [first] = times;
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(MOVES - 1, Math.floor(share * MOVES))].toFixed(0).padStart(5);
    print(
      `  ${name.padEnd(10)} p50 ${at(0.5)}  p95 ${at(0.95)}  most ${at(1)}  first move ${first.toFixed(0).padStart(5)}`,
    );
  }
  const after = await service.residentMegabytes();
  print(`  memory of the process ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
