import { z } from 'zod';
import { ListenerFailure, MalformedAnswer } from './answer-failures.ts';
import { answered, type Completion, countUsage } from './read-completion.ts';
import type { Tally } from './tally.ts';

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});

/**
 * Reads a streamed chat completion, piece by piece.
 *
 * @throws Error where it ends before it says that it is finished: the connection broke; MalformedAnswer, ModelRefusal;
 * what `onText` throws, which should be a ListenerFailure
 */
export async function readStream(
  chunks: AsyncIterable<unknown>,
  onText: (piece: string) => void,
  tally: Tally,
): Promise<Completion> {
  let text = '';
  let refusal = '';
  let finish: string | null = null;
  // Some servers tell the tokens so far with every chunk: only the last ones count.
  let counted: unknown;
  try {
    for await (const chunk of chunks) {
      const read = chunkSchema.safeParse(chunk);
      if (!read.success) throw new MalformedAnswer('a part of the answer is not one of a chat completion');
      if (typeof chunk === 'object' && chunk !== null && 'usage' in chunk && chunk.usage) counted = chunk;
      const choice = read.data.choices?.[0];
      finish = choice?.finish_reason ?? finish;
      refusal += choice?.delta?.refusal ?? '';
      const piece = choice?.delta?.content;
      if (!piece) continue;
      text += piece;
      onText(piece);
    }
  } catch (error) {
    // Whatever broke after the end of the answer did not break the answer.
    if (finish === null || error instanceof ListenerFailure || error instanceof MalformedAnswer) {
      countUsage(counted, tally);
      throw error;
    }
  }
  const isCounted = countUsage(counted, tally);
  if (finish === null) throw new Error('the stream ended before the answer did');
  return { ...answered(text, refusal, finish), isCounted, choices: null };
}
