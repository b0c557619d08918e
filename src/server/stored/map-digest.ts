import type { Digest, DigestMap } from '../../contract/index.ts';
import { encodedText, encoderWithId, knownEncoder } from '../../digest/index.ts';
import { encodeTexts } from '../../models/index.ts';
import { readDigest } from '../../store/index.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { DigestNotFoundError } from './digest-not-found-error.ts';

/** Of a unit of length. */
const DECIMALS = 1e4;

/**
 * Maps the key points of a stored digest, by the encoder that it was made with, or the default where this service has that no
 * more. Vectors that are not kept are made again.
 *
 * @param dimensions most directions
 * @throws DigestNotFoundError where there is no such digest, or it has no answer
 */
export async function mapDigest(
  id: string,
  dimensions: number,
  { engine, database, cache }: Pick<ServiceDeps, 'engine' | 'database' | 'cache'>,
): Promise<DigestMap> {
  const stored = await readDigest(database, id);
  if (stored === undefined || stored.answer === null) throw new DigestNotFoundError(id);
  // Only this service writes answers.
  const { keyPoints, engine: made } = JSON.parse(stored.answer) as Digest;
  const points = keyPoints.filter(({ relevance }) => relevance !== null);
  const encoder = encoderWithId(engine, made.encoder) ?? knownEncoder(engine, undefined, '');
  const texts = points.map(({ text, speaker }) => encodedText({ text, speaker: speaker ?? undefined }));
  const { sentences } = await encodeTexts(encoder, cache, texts);
  const found = await engine.project(sentences, dimensions);
  return {
    digest: id,
    encoder: encoder.profile.id,
    dimensions: found.dimensions,
    explained: rounded(found.explained),
    points: points.map((point, i) => ({
      id: point.id,
      vector: Array.from(found.coordinates.subarray(i * found.dimensions, (i + 1) * found.dimensions), rounded),
    })),
  };
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
