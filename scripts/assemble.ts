import { readFileSync } from 'node:fs';
import wabt from 'wabt';

/** What is written in the text format of WebAssembly, and its folder in src/selection. */
export const MODULES = { 'subtract-products': 'dpp', 'eliminate-pivot': 'dpp', 'tile-maxima': 'kernel' } as const;

/** A file of a module, by its ending. */
export function fileOf(name: keyof typeof MODULES, ending: string): URL {
  return new URL(`../src/selection/${MODULES[name]}/${name}${ending}`, import.meta.url);
}

/** The bytes of a module's .wat file. */
export async function assemble(name: keyof typeof MODULES): Promise<Uint8Array> {
  const { parseWat } = await wabt();
  const module = parseWat(`${name}.wat`, readFileSync(fileOf(name, '.wat'), 'utf8'), { simd: true });
  return module.toBinary({}).buffer;
}
