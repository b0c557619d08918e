/** `comparePeers` on kernels of the given sizes. Needs python3; makes a virtual environment of its own. */
import { comparePeers } from './compare-peers.ts';
import { SIZES } from './kernels.ts';
import { bareProducts } from './limits.ts';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : SIZES;
const gflops = await bareProducts();
process.stdout.write(`bare products of doubles: ${gflops.toFixed(1)} GFLOPS\n`);
for await (const line of comparePeers(sizes, gflops)) process.stdout.write(`${line}\n`);
