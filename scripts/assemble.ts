import { readFileSync } from 'node:fs';
import wabt from 'wabt';

const SOURCE = new URL('../src/selection/dpp/subtract-products.wat', import.meta.url);

/** The bytes of src/selection/dpp/subtract-products.wat. */
export async function assemble(): Promise<Uint8Array> {
  const { parseWat } = await wabt();
  const module = parseWat('subtract-products.wat', readFileSync(SOURCE, 'utf8'), { simd: true });
  return module.toBinary({}).buffer;
}
