import { writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';

/** Writes a kernel of n items, by row, as little-endian float64 values; returns the path of the file. */
export function writeKernel(folder: string, name: string, n: number, values: Float64Array): string {
  if (values.length !== n * n) throw new Error(`${name}: ${values.length} values instead of ${n} * ${n}`);
  const file = join(folder, `${name}-${n}.f64`);
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  writeFileSync(file, endianness() === 'LE' ? bytes : Buffer.from(bytes).swap64());
  return file;
}
