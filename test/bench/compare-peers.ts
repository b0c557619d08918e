import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAMILIES, familyKernel } from './kernels.ts';
import { selectionLimits } from './limits.ts';
import { ms } from './median.ts';
import type { PeerFigure, PeerFigures, PeerManifest } from './peers/figures.ts';
import { runPeers } from './peers/python.ts';
import { writeKernel } from './peers/write-kernel.ts';
import { FIXED_SIZE, PICKS, selectionFigures } from './selection-figures.ts';

const RUNS = 5;

/**
 * Tessera's greedy MAP, exact sampling and k-DPP beside numpy (Chen, Zhang & Zhou 2018) and DPPy, on the same kernels in the
 * same run, line by line. A ratio above 1 says how many times faster Tessera is; the bare limit is what `selectionLimits` says.
 */
export async function* comparePeers(sizes: readonly number[], gflops: number): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-kernels-'));
  try {
    let begun = false;
    for (const { family, n } of FAMILIES.flatMap((each) => sizes.map((size) => ({ family: each, n: size })))) {
      const values = familyKernel(family, n);
      const kernels = [{ name: family.name, n, file: writeKernel(folder, family.name, n, values) }];
      const own = await selectionFigures(values, n);
      // Right after the other, so that both find the machine as busy.
      const manifest: PeerManifest = { kernels, picks: PICKS, fixedSize: FIXED_SIZE, runs: RUNS, seed: 1 };
      const peers = runPeers<PeerFigures>('peers.py', manifest);
      const [peer] = peers.kernels;
      if (!begun) {
        begun = true;
        yield `numpy ${peers.versions.numpy} (${peers.threads} threads), DPPy ${peers.versions.dppy}; Tessera on one thread; ms`;
        yield '                                         Tessera      peer  ratio  bare limit  of it';
      }
      const bare = selectionLimits(gflops, n, PICKS, FIXED_SIZE, own.expectedSize);
      const same = own.greedy.items.every((item, place) => item === peer.greedy.items[place]);
      yield `${family.name}, n = ${n}: expected size ${own.expectedSize.toFixed(1)} (${peer.expectedSize.toFixed(1)}), ` +
        `path ${own.path}, total variation at most ${own.totalVariation.toExponential(1)}`;
      yield line(`greedy, k = ${PICKS}, ${same ? 'the same' : 'OTHER'} items`, own.greedy.ms, peer.greedy, bare.greedy);
      yield line('exact sample, first', own.firstDraw, peer.firstDraw, bare.first);
      yield line('exact sample, further', own.furtherDraw, peer.furtherDraw, bare.further);
      yield line(`k-DPP of ${FIXED_SIZE}, first`, own.firstFixed, peer.firstFixed, bare.first);
      yield line(`k-DPP of ${FIXED_SIZE}, further`, own.furtherFixed, peer.furtherFixed, bare.furtherFixed);
      if (peer.note !== undefined) yield `  ${peer.note}`;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function line(what: string, own: number, peer: PeerFigure, bare: number): string {
  const ratio = peer.ms === null ? '' : (peer.ms / own).toFixed(2);
  return `  ${what.padEnd(36)} ${ms(own)} ${ms(peer.ms)} ${ratio.padStart(6)}   ${ms(bare)} ${`${((100 * bare) / own).toFixed(0)}%`.padStart(6)}`;
}
