import { encodeQueries } from '../../models/encoders/encode-queries.ts';
import { encodeTexts } from '../../models/encoders/encoded-texts.ts';
import type { Encoder } from '../../models/encoders/encoder.ts';
import { vectorCosine } from '../../selection/kernel/vector-cosine.ts';
import { wordOverlap, wordSet } from '../../selection/kernel/word-overlap.ts';
import type { Database } from '../../store/database.ts';
import { isForeignTo } from './is-foreign-to.ts';

/** Deviations above what unrelated texts reach on average. */
const RELATED = 1.5;
/** Share of the intent's words, where the encoder does not know its language. */
const SHARED = 0.3;

/** Which questions are about what an intent asks for: nearer to it than unrelated texts come. */
export async function relevantTo(
  questions: readonly string[],
  intent: string,
  encoder: Encoder,
  database: Database,
): Promise<boolean[]> {
  if (isForeignTo(encoder, intent)) {
    const shares = wordOverlap(wordSet(intent), questions.map(wordSet));
    return Array.from(shares, (share) => share >= SHARED);
  }
  const [asked] = await encodeQueries(encoder, [intent]);
  const { sentences } = await encodeTexts(encoder, database, questions);
  const { mean, deviation } = encoder.profile.calibration.unrelated;
  return sentences.map((sentence) => vectorCosine(asked.sentence, sentence) >= mean + RELATED * deviation);
}
