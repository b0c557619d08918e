import { type Flags, UsageError, type Values } from '../command.node.ts';

/** Flags of all commands that ask a language model to make a set. */
export const PROTOCOL_FLAGS = {
  out: { type: 'string', value: 'FILE', about: 'file for the set; default standard output' },
  seed: { type: 'string', value: 'N', about: 'seed of what is random; default 1' },
  model: { type: 'string', value: 'NAME', about: 'language model; default TESSERA_MODEL' },
  yes: { type: 'boolean', about: 'ask a language model without asking first' },
  retry: { type: 'boolean', about: 'repeat questions without a readable answer' },
  restart: { type: 'boolean', about: 'ask everything anew' },
} as const satisfies Flags;

export type ProtocolValues = Values<typeof PROTOCOL_FLAGS>;
export type ProtocolOptions = ReturnType<typeof protocolOptions>;

/** @throws UsageError for a bad seed, and conflicting flags */
export function protocolOptions({ out, seed, model, yes = false, restart = false, retry = false }: ProtocolValues) {
  if (restart && retry) throw new UsageError('--restart asks everything anew; --retry would add nothing.');
  return { out, seed: wholeNumber('--seed', seed, 1, 0), model, yes, restart, retry };
}

/** @throws UsageError unless a whole number of at least `least` */
export function wholeNumber(flag: string, given: string | undefined, otherwise: number, least = 1): number {
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (!/^\d{1,9}$/.test(given) || number < least) {
    throw new UsageError(`${flag} is a whole number from ${least}, not "${given}".`);
  }
  return number;
}

/** @throws UsageError unless a number between 0 and 1 */
export function share(flag: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (given.trim() === '' || !(number >= 0 && number <= 1)) {
    throw new UsageError(`${flag} is a number from 0 to 1, not "${given}".`);
  }
  return number;
}
