/**
 * Tessera's greedy MAP, exact sampling and k-DPP beside numpy (Chen, Zhang & Zhou 2018) and DPPy, on the same kernels in the
 * same run. Needs python3; makes a virtual environment of its own. A ratio above 1 says how many times faster Tessera is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAMILIES, familyKernel, SIZES } from './kernels.ts';
import { ms } from './median.ts';
import type { PeerFigure } from './peers/figures.ts';
import { runPeers } from './peers/python.ts';
import { writeKernel } from './peers/write-kernel.ts';
import { FIXED_SIZE, PICKS, selectionFigures } from './selection-figures.ts';

const RUNS = 5;
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : SIZES;
const folder = mkdtempSync(join(tmpdir(), 'tessera-kernels-'));
try {
  const kernels = FAMILIES.flatMap((family) => sizes.map((n) => ({ family, n, values: familyKernel(family, n) })));
  const files = kernels.map(({ family, n, values }) => ({
    name: family.name,
    n,
    file: writeKernel(folder, family.name, n, values),
  }));
  const peers = runPeers({ kernels: files, picks: PICKS, fixedSize: FIXED_SIZE, runs: RUNS, seed: 1 });
  const { versions, threads } = peers;
  process.stdout.write(`numpy ${versions.numpy} (${threads} threads), DPPy ${versions.dppy}; Tessera on one thread\n`);
  process.stdout.write('ms: Tessera / peer (ratio)\n');
  for (const [index, { family, n, values }] of kernels.entries()) {
    const own = await selectionFigures(values, n);
    const peer = peers.kernels[index];
    const same = own.greedy.items.every((item, place) => item === peer.greedy.items[place]);
    process.stdout.write(
      `\n${family.name}, n = ${n}: expected size ${own.expectedSize.toFixed(1)} (${peer.expectedSize.toFixed(1)}), ` +
        `path ${own.path}, total variation at most ${own.totalVariation.toExponential(1)}\n`,
    );
    line(`greedy MAP, k = ${PICKS}${same ? ', the same items' : ', OTHER items'}`, own.greedy.ms, peer.greedy);
    line('exact sample, first', own.firstDraw, peer.firstDraw);
    line('exact sample, further', own.furtherDraw, peer.furtherDraw);
    line(`k-DPP of ${FIXED_SIZE}, first`, own.firstFixed, peer.firstFixed);
    line(`k-DPP of ${FIXED_SIZE}, further`, own.furtherFixed, peer.furtherFixed);
    if (peer.note !== undefined) process.stdout.write(`  ${peer.note}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function line(what: string, own: number, peer: PeerFigure): void {
  const ratio = peer.ms === null ? '' : `(${(peer.ms / own).toFixed(2)})`;
  process.stdout.write(`  ${what.padEnd(36)} ${ms(own)} / ${ms(peer.ms)} ${ratio}\n`);
}
