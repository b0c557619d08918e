import type { Encoder } from '../encoders/encoder.ts';
import type { Engine } from './engine.ts';
import { UnusableOptionError } from './unusable-option-error.ts';

/**
 * The encoder of this name, or the default.
 *
 * @param pointer where the request names it
 * @throws UnusableOptionError where this service has no such encoder
 */
export function knownEncoder(engine: Engine, name: string | undefined, pointer: string): Encoder {
  const wanted = name ?? engine.defaultEncoder;
  const encoder = engine.encoders.get(wanted);
  if (encoder === undefined) {
    const there = [...engine.encoders.keys()].map((each) => `"${each}"`).join(' and ');
    throw new UnusableOptionError(pointer, `There is no encoder "${wanted}" here; there is ${there}.`);
  }
  return encoder;
}
