import type { APIError, OpenAI } from 'openai';
import { ListenerFailure } from './answer-failures.ts';
import { type ChatRequest, chatRequest } from './chat-request.ts';
import type { ChatAnswer, ChatCall, LanguageModel } from './language-model.ts';
import { type EndpointOptions, modelEndpoint } from './model-endpoint.ts';
import { type Completion, readCompletion } from './read-completion.ts';
import { readStream } from './read-stream.ts';
import { type AnswerForm, concession, mergeLimits, type ServerLimits } from './server-limits.ts';
import { Tally } from './tally.ts';
import { BYTES_PER_TOKEN, type Price } from './usage.ts';

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
  const told = (tell: () => void): void => {
    try {
      tell();
    } catch (cause) {
      throw new ListenerFailure('the listener failed', { cause });
    }
  };
  return {
    start() {
      if (isUsed && onRestart !== undefined) told(onRestart);
      isUsed = false;
    },
    hear(piece) {
      isUsed = true;
      told(() => onText(piece));
    },
  };
}

function tokensOf(...texts: readonly string[]): number {
  const encoder = new TextEncoder();
  return Math.ceil(texts.reduce((bytes, text) => bytes + encoder.encode(text).length, 0) / BYTES_PER_TOKEN);
}
