/** `comparePeers` on kernels of the given sizes. Needs python3; makes a virtual environment of its own. */
import { comparePeers } from './compare-peers.ts';
import { SIZES } from './kernels.ts';
import { bareLimits } from './limits.ts';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : SIZES;
const limits = await bareLimits();
process.stdout.write(
  `bare limits: products ${limits.gflops.toFixed(1)} GFLOPS, copies within the cache ${limits.copied.toFixed(0)} GB/s\n`,
);
for await (const line of comparePeers(sizes, limits)) process.stdout.write(`${line}\n`);
