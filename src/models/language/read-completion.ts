import { z } from 'zod';
import { MalformedAnswer, ModelRefusal } from './answer-failures.ts';
import type { Tally } from './tally.ts';
import type { TokenChoice } from './weigh-words.ts';

/** What is read of an answer. */
export interface Completion {
  readonly text: string;
  readonly isCut: boolean;
  /** Whether the server told its tokens, which are in the tally then. */
  readonly isCounted: boolean;
  /** Null where the server tells none. */
  readonly choices: readonly TokenChoice[] | null;
}

const usageSchema = z.object({ prompt_tokens: z.number().nonnegative(), completion_tokens: z.number().nonnegative() });

const tokenSchema = z.object({ token: z.string(), logprob: z.number() });
/** Servers that know no probabilities leave them out, say null, or fill in something of their own. */
const logprobsSchema = z
  .object({ content: z.array(z.object({ token: z.string(), top_logprobs: z.array(tokenSchema) })).min(1) })
  .nullish()
  .catch(null);

const completionSchema = z.object({
  choices: z.tuple(
    [
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
        logprobs: logprobsSchema,
      }),
    ],
    z.unknown(),
  ),
});

/**
 * Reads the body of a chat completion. Its tokens are counted also where it is of no use.
 *
 * @throws SyntaxError where it is not JSON; MalformedAnswer, ModelRefusal
 */
export function readCompletion(body: string, tally: Tally): Completion {
  const value: unknown = JSON.parse(body);
  const isCounted = countUsage(value, tally);
  const read = completionSchema.safeParse(value);
  if (!read.success) throw new MalformedAnswer('the answer is not a chat completion');
  const [{ message, finish_reason, logprobs }] = read.data.choices;
  const choices = logprobs?.content.map(({ token, top_logprobs: top }) => ({ token, top })) ?? null;
  return { ...answered(message.content, message.refusal, finish_reason), isCounted, choices };
}

/**
 * The answer that a message is. A reasoning model that used up its tokens before it said anything has answered, with
 * nothing.
 *
 * @throws MalformedAnswer, ModelRefusal
 */
export function answered(
  content: string | null | undefined,
  refusal: string | null | undefined,
  finish: string | null | undefined,
): Pick<Completion, 'text' | 'isCut'> {
  if (refusal || (!content && finish === 'content_filter')) throw new ModelRefusal();
  const isCut = finish === 'length';
  if (typeof content !== 'string' && !isCut) throw new MalformedAnswer('the answer has no content');
  return { text: content ?? '', isCut };
}

/** Counts the tokens that a completion, or the last part of a streamed one, tells of. */
export function countUsage(value: unknown, tally: Tally): boolean {
  const read = z.object({ usage: usageSchema }).safeParse(value);
  if (read.success) tally.add(read.data.usage.prompt_tokens, read.data.usage.completion_tokens);
  return read.success;
}
