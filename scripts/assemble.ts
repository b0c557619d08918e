import { readFileSync } from 'node:fs';
import wabt from 'wabt';

/** What is written in the text format of WebAssembly: src/selection/dpp/<name>.wat. */
export const MODULES = ['subtract-products', 'eliminate-pivot'] as const;

/** The bytes of src/selection/dpp/<name>.wat. */
export async function assemble(name: (typeof MODULES)[number]): Promise<Uint8Array> {
  const { parseWat } = await wabt();
  const source = new URL(`../src/selection/dpp/${name}.wat`, import.meta.url);
  const module = parseWat(`${name}.wat`, readFileSync(source, 'utf8'), { simd: true });
  return module.toBinary({}).buffer;
}
