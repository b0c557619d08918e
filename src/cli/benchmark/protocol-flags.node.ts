import { UsageError } from '../command.node.ts';

export const PROTOCOL_FLAGS = {
  out: { type: 'string' },
  seed: { type: 'string' },
  model: { type: 'string' },
  yes: { type: 'boolean' },
  restart: { type: 'boolean' },
  retry: { type: 'boolean' },
} as const;

export const PROTOCOL_USAGE = '[--out FILE] [--seed N] [--model NAME] [--yes] [--retry | --restart]';

export interface ProtocolOptions {
  readonly out: string | undefined;
  readonly seed: number;
  readonly model: string | undefined;
  readonly yes: boolean;
  readonly restart: boolean;
  /** Repeats questions without a readable answer. */
  readonly retry: boolean;
}

/** @throws UsageError for a bad seed, and conflicting flags */
export function protocolOptions(values: {
  readonly out?: string | undefined;
  readonly seed?: string | undefined;
  readonly model?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly restart?: boolean | undefined;
  readonly retry?: boolean | undefined;
}): ProtocolOptions {
  const { out, seed, model, yes = false, restart = false, retry = false } = values;
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
