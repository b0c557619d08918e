import type { APIError, OpenAI } from 'openai';
import { z } from 'zod';
import { ListenerFailure, MalformedAnswer, ModelRefusal } from '../errors.ts';
import {
  type AnswerForm,
  type ChatRequest,
  chatRequest,
  concession,
  mergeLimits,
  type ServerLimits,
} from './chat-request.ts';
import type { ChatAnswer, ChatCall, LanguageModel } from './language-model.ts';
import { type EndpointOptions, modelEndpoint } from './model-endpoint.ts';
import type { TokenChoice } from './read-answer.ts';
import { BYTES_PER_TOKEN, type Price, Tally } from './usage.ts';

/** What is read of an answer. */
interface Completion {
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
function readCompletion(body: string, tally: Tally): Completion {
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
function answered(
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
function countUsage(value: unknown, tally: Tally): boolean {
  const read = z.object({ usage: usageSchema }).safeParse(value);
  if (read.success) tally.add(read.data.usage.prompt_tokens, read.data.usage.completion_tokens);
  return read.success;
}

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
async function readStream(
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

export interface OpenAiModelOptions extends EndpointOptions {
  readonly defaultModel: string | null;
  readonly contextTokens: number;
  /** Added to the most tokens of every answer, for models that think before they say anything; none by default. */
  readonly thinkingTokens?: number | undefined;
  /** How JSON is asked for; `auto` finds out what the server takes for each model, from the surest way down. */
  readonly jsonMode: 'auto' | AnswerForm;
  /** By model. */
  readonly prices: ReadonlyMap<string, Price>;
}

/**
 * A chat model of any server that speaks OpenAI's API.
 *
 * Parameters and answer forms that the server refuses are done without; what a call that succeeded did without, later
 * calls of the same model do not try again. Tokens are the server's, failed attempts' with them; where an answer comes
 * without, they are estimated as a quarter of its and its prompt's UTF-8 bytes.
 */
export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  const { defaultModel, contextTokens, thinkingTokens = 0, jsonMode, prices } = options;
  const endpoint = modelEndpoint(options);
  const found = new Map<string, ServerLimits>();
  const none: ServerLimits = { form: jsonMode === 'auto' ? 'json_schema' : jsonMode, refused: new Set() };

  return {
    defaultModel,
    contextTokens,
    thinkingTokens,
    concurrency: options.concurrency,
    priceOf: (model) => prices.get(model),
    async complete(call): Promise<ChatAnswer> {
      const { model } = call.settings;
      const tally = new Tally(prices.get(model));
      const listener = restartable(call);
      let limits = found.get(model) ?? none;
      let request = chatRequest(call, limits, thinkingTokens);
      const { text, isCut, isCounted, choices } = await endpoint.call({
        tally,
        sent: call.messages.map(({ content }) => content),
        signal: call.signal,
        send: (client, signal) => {
          listener?.start();
          // What other calls found out meanwhile is known here too.
          limits = mergeLimits(limits, found.get(model) ?? none);
          request = chatRequest(call, limits, thinkingTokens);
          return send(client, request, signal, tally, listener?.hear);
        },
        concede: (refusal: APIError) => {
          const fewer = concession(limits, request, refusal, jsonMode !== 'auto');
          if (fewer !== null) limits = fewer;
          return fewer !== null;
        },
      });
      found.set(model, mergeLimits(limits, found.get(model) ?? none));
      if (!isCounted) tally.add(tokensOf(...request.messages.map(({ content }) => content)), tokensOf(text));
      return { text, isCut, ...(choices !== null && { choices }), usage: tally.usage() };
    },
  };
}

async function send(
  client: OpenAI,
  request: ChatRequest,
  signal: AbortSignal,
  tally: Tally,
  onText: ((piece: string) => void) | undefined,
): Promise<Completion> {
  if (onText === undefined) {
    const { stream_options: _, ...plain } = request;
    const response = await client.chat.completions.create({ ...plain, stream: false }, { signal }).asResponse();
    return readCompletion(await response.text(), tally);
  }
  const { data, response } = await client.chat.completions
    .create({ ...request, stream: true }, { signal })
    .withResponse();
  // A server that does not stream answers as a whole.
  if (/json/i.test(response.headers.get('content-type') ?? '')) {
    const completion = readCompletion(await response.text(), tally);
    if (completion.text !== '') onText(completion.text);
    return completion;
  }
  return readStream(data, onText, tally);
}

/** The listener of a streamed call, told to start again where an attempt gave out something before it failed. */
function restartable({ onText, onRestart }: ChatCall): { start(): void; hear(piece: string): void } | undefined {
  if (onText === undefined) return undefined;
  let isUsed = false;
  const call = (notify: () => void): void => {
    try {
      notify();
    } catch (cause) {
      throw new ListenerFailure('the listener failed', { cause });
    }
  };
  return {
    start() {
      if (isUsed && onRestart !== undefined) call(onRestart);
      isUsed = false;
    },
    hear(piece) {
      isUsed = true;
      call(() => onText(piece));
    },
  };
}

function tokensOf(...texts: readonly string[]): number {
  const encoder = new TextEncoder();
  return Math.ceil(texts.reduce((bytes, text) => bytes + encoder.encode(text).length, 0) / BYTES_PER_TOKEN);
}
