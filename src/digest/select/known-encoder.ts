import { VERIFY_MODES } from '../../contract/index.ts';
import type { Encoder, EntailmentModel, RelevanceScorer } from '../../models/index.ts';
import type { Engine } from '../engine.ts';
import { UnusableOptionError } from '../unusable-option-error.ts';

/**
 * The encoder of this name, or the default.
 *
 * @param pointer where the request names it
 * @throws UnusableOptionError where this service has no such encoder
 */
export function knownEncoder(engine: Engine, name: string | undefined, pointer: string): Encoder {
  const encoderName = name ?? engine.defaultEncoder;
  const encoder = engine.encoders.get(encoderName);
  if (encoder !== undefined) return encoder;
  const problem = engine.rerankers.has(encoderName)
    ? `"${encoderName}" is a reranker and has no vectors to compare key points; use it as "selection.relevance.encoder"`
    : `There is no encoder "${encoderName}"`;
  throw new UnusableOptionError(pointer, `${problem}; available: ${listed(engine.encoders)}.`);
}

/**
 * The encoder or reranker of this name, which relevance is found by.
 *
 * @param pointer where the request names it
 * @throws UnusableOptionError where this service has neither
 */
export function knownScorer({ encoders, rerankers }: Engine, name: string, pointer: string): RelevanceScorer {
  const scorer = encoders.get(name) ?? rerankers.get(name);
  if (scorer !== undefined) return scorer;
  const there = listed(new Map<string, unknown>([...encoders, ...rerankers]));
  throw new UnusableOptionError(pointer, `There is no encoder or reranker "${name}"; available: ${there}.`);
}

/**
 * The entailment model of this name.
 *
 * @param pointer where the request names it
 * @throws UnusableOptionError where this service has none
 */
export function knownVerifier({ verifiers }: Engine, name: string, pointer: string): EntailmentModel {
  const verifier = verifiers.get(name);
  if (verifier !== undefined) return verifier;
  const there = [...VERIFY_MODES, ...verifiers.keys()].map((each) => `"${each}"`).join(', ');
  throw new UnusableOptionError(pointer, `There is no verifier "${name}"; available: ${there}.`);
}

function listed(named: ReadonlyMap<string, unknown>): string {
  return [...named.keys()].map((each) => `"${each}"`).join(', ');
}

/** The encoder that a digest was made with, by the id in its answer; undefined where this service has it no more. */
export function encoderWithId({ encoders }: Pick<Engine, 'encoders'>, id: string): Encoder | undefined {
  return [...encoders.values()].find(({ profile }) => profile.id === id);
}
