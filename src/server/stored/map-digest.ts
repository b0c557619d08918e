import type { Digest, DigestMap } from '../../contract/index.ts';
import { encodedText, encoderWithId, knownEncoder } from '../../digest/index.ts';
import { encodeTexts } from '../../models/index.ts';
import { readDigest } from '../../store/index.ts';
import { DigestNotFoundError } from '../errors.ts';
import type { ServiceDeps } from '../service-deps.ts';

const DECIMALS = 1e4;

/**
 * Maps the key points of a stored digest by the vectors of its encoder, or of the default encoder if this service no longer has it.
 * Missing vectors are computed again.
 *
 * @param dimensions maximum number of principal components
 * @throws DigestNotFoundError if there is no such digest, or it has no answer
 */
export async function mapDigest(
  id: string,
  dimensions: number,
  { engine, database, cache }: Pick<ServiceDeps, 'engine' | 'database' | 'cache'>,
): Promise<DigestMap> {
  const stored = await readDigest(database, id);
  if (stored === undefined || stored.answer === null) throw new DigestNotFoundError();
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
