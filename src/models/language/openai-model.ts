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

interface Completion {
  readonly text: string;
  readonly isCut: boolean;
  readonly isCounted: boolean;
  readonly choices: readonly TokenChoice[] | null;
}

const usageSchema = z.object({ prompt_tokens: z.number().nonnegative(), completion_tokens: z.number().nonnegative() });

const tokenSchema = z.object({ token: z.string(), logprob: z.number() });
/** Servers without probabilities omit them, send null, or send a format of their own. */
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

/** Parses a chat completion and counts its tokens, even if it is unusable. @throws SyntaxError, MalformedAnswer, ModelRefusal */
function readCompletion(body: string, tally: Tally): Completion {
  const value: unknown = JSON.parse(body);
  const isCounted = countUsage(value, tally);
  const read = completionSchema.safeParse(value);
  if (!read.success) throw new MalformedAnswer('the answer is not a chat completion');
  const [{ message, finish_reason, logprobs }] = read.data.choices;
  const choices = logprobs?.content.map(({ token, top_logprobs: top }) => ({ token, top })) ?? null;
  return { ...answered(message.content, message.refusal, finish_reason), isCounted, choices };
}

/** An answer is empty if reasoning used up its tokens. @throws MalformedAnswer, ModelRefusal */
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

/** Reads a streamed chat completion. @throws Error if the connection breaks, MalformedAnswer, ModelRefusal, errors of `onText` */
async function readStream(
  chunks: AsyncIterable<unknown>,
  onText: (piece: string) => void,
  tally: Tally,
): Promise<Completion> {
  let text = '';
  let refusal = '';
  let finish: string | null = null;
  // Some servers report running totals with every chunk: the last one counts.
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
    // After the answer's end, a broken connection does not matter.
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
  /** Added to `maxTokens` for models that reason before they answer; 0 by default. */
  readonly thinkingTokens?: number | undefined;
  /** `auto` finds the strictest form that the server accepts for each model. */
  readonly jsonMode: 'auto' | AnswerForm;
  readonly prices: ReadonlyMap<string, Price>;
}

/**
 * A chat model of any OpenAI-compatible server. Refused parameters and answer forms are dropped for later calls of that model too.
 * Tokens are as reported, including failed attempts, else estimated as a quarter of the UTF-8 bytes.
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
  if (/json/i.test(response.headers.get('content-type') ?? '')) {
    const completion = readCompletion(await response.text(), tally);
    if (completion.text !== '') onText(completion.text);
    return completion;
  }
  return readStream(data, onText, tally);
}

/** The listener of a stream, restarted if a failed attempt has sent something. */
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
