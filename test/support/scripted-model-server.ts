import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a client sent. */
export interface RecordedRequest {
  readonly path: string;
  /** The parsed body; empty where it is not JSON. */
  readonly body: RequestBody;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds of `performance.now()`. */
  readonly timeIn: number;
  /** When the answer ended or the client went; null as long as neither did. */
  timeOut: number | null;
}

/** The fields that tests look at; there may be more. */
export interface RequestBody {
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly response_format?: { readonly type: string; readonly json_schema?: Readonly<Record<string, unknown>> };
  readonly input?: string | readonly string[];
  readonly query?: string;
  readonly documents?: readonly string[];
  readonly [field: string]: unknown;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

type Act =
  /** Answers a chat completion; `usage: null` tells no tokens, `finish: null` ends a stream without its end. */
  | {
      readonly text: string | null;
      readonly usage?: Usage | null;
      readonly finish?: string | null;
      readonly refusal?: string;
      /** The likeliest tokens at each place, by their log probability: told where they are asked for. */
      readonly logprobs?: readonly Readonly<Record<string, number>>[];
    }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly error?: {
        readonly message?: string;
        readonly type?: string;
        readonly code?: string | null;
        readonly param?: string | null;
      };
    }
  | { readonly hang: 'before-headers' }
  /** Sends the start of an answer with this text, and no more. */
  | { readonly hang: 'mid-body'; readonly text: string }
  /** Breaks the connection, with `text` in the middle of an answer with it. */
  | { readonly reset: true; readonly text?: string }
  /** Sends this as the body, whatever it is; `end` leaves it without an end, or breaks it there. */
  | { readonly raw: string; readonly status?: number; readonly contentType?: string; readonly end?: 'open' | 'broken' }
  | { readonly embeddings: readonly (readonly number[])[] }
  | { readonly scores: readonly number[] };

/** How the server answers, after `delay` milliseconds. */
export type Reply = Act & { readonly delay?: number };
export type Script = (request: RecordedRequest, index: number) => Reply | Promise<Reply>;

/** A server on this machine that speaks OpenAI's API as a script tells it to. */
export class ScriptedModelServer {
  /** All requests, in the order in which they came. */
  readonly requests: RecordedRequest[] = [];
  /** The largest number of requests under way at once. */
  maxInFlight = 0;
  #inFlight = 0;
  readonly #script: Script;
  readonly #server: Server;
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((failure: unknown) => {
        if (!response.headersSent) sendJson(response, 599, { error: { message: String(failure) } });
        else response.destroy();
      });
    });
  }

  static async start(script: Script): Promise<ScriptedModelServer> {
    const scripted = new ScriptedModelServer(script);
    scripted.#server.listen(0, '127.0.0.1');
    await once(scripted.#server, 'listening');
    return scripted;
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Up to and with `/v1`. */
  get url(): string {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Stops, with whatever is still under way. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const timeIn = performance.now();
    this.maxInFlight = Math.max(this.maxInFlight, ++this.#inFlight);
    const path = incoming.url ?? '';
    let request: RecordedRequest | undefined;
    response.once('close', () => {
      this.#inFlight--;
      if (request !== undefined) request.timeOut = performance.now();
    });
    const body = await bodyOf(incoming);
    request = { path, body, headers: incoming.headers, timeIn, timeOut: null };
    this.requests.push(request);
    const reply = await this.#script(request, this.requests.length - 1);
    if (reply.delay !== undefined) await this.#delay(reply.delay);
    if (!response.destroyed) act(response, path, body, reply);
  }

  #delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, milliseconds);
      this.#timers.add(timer);
    });
  }
}

/** The messages of a request, as one text. */
export function messagesOf({ messages = [] }: RequestBody): string {
  return messages.map(({ content }) => content).join('\n');
}

/** The content of the last message of the user. */
export function lastUser({ body }: RecordedRequest): string {
  return body.messages?.findLast(({ role }) => role === 'user')?.content ?? '';
}

async function bodyOf(incoming: IncomingMessage): Promise<RequestBody> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return {};
  }
}

function act(response: ServerResponse, path: string, body: RequestBody, reply: Act): void {
  const isStreamed = body.stream === true;
  if ('hang' in reply) {
    if (reply.hang === 'mid-body') sendStart(response, reply.text, isStreamed);
  } else if ('reset' in reply) {
    if (reply.text === undefined) response.destroy();
    else sendStart(response, reply.text, isStreamed, () => response.destroy());
  } else if ('raw' in reply) {
    response.writeHead(reply.status ?? 200, { 'content-type': reply.contentType ?? 'application/json' });
    // In another turn, so that the body is on its way before the connection is gone.
    response.write(reply.raw, () => reply.end === 'broken' && setImmediate(() => response.destroy()));
    if (reply.end === undefined) response.end();
  } else if ('status' in reply) {
    const { message = 'an error', type = 'error', code = null, param = null } = reply.error ?? {};
    sendJson(response, reply.status, { error: { message, type, code, param } }, reply.headers);
  } else if (!path.endsWith(pathOf(reply))) {
    sendJson(response, 404, { error: { message: `no such answer at ${path}` } });
  } else if ('embeddings' in reply) {
    const data = reply.embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    const usage = { prompt_tokens: data.length, total_tokens: data.length };
    sendJson(response, 200, { object: 'list', model: body.model, data, usage });
  } else if ('scores' in reply) {
    const results = reply.scores.map((relevance_score, index) => ({ index, relevance_score }));
    results.sort((a, b) => b.relevance_score - a.relevance_score);
    sendJson(response, 200, { id: 'rerank-1', model: body.model, results });
  } else if (isStreamed) stream(response, body, reply);
  else sendJson(response, 200, completion(body, reply));
}

function pathOf(reply: object): string {
  if ('embeddings' in reply) return '/v1/embeddings';
  return 'scores' in reply ? '/v1/rerank' : '/v1/chat/completions';
}

type Answer = Extract<Act, { readonly finish?: string | null }>;

const usageOf = ({ usage }: Answer): Usage | null =>
  usage === undefined ? { prompt_tokens: 20, completion_tokens: 5 } : usage;

function completion({ model, logprobs }: RequestBody, reply: Answer): unknown {
  const { text, refusal = null, finish = 'stop' } = reply;
  const usage = usageOf(reply);
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal },
        finish_reason: finish,
        logprobs: logprobs === true ? logprobsOf(reply) : null,
      },
    ],
    ...(usage && { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }),
  };
}

function logprobsOf({ logprobs }: Answer): unknown {
  if (logprobs === undefined) return null;
  const content = logprobs.map((place) => {
    const top_logprobs = Object.entries(place).map(([token, logprob]) => ({ token, logprob, bytes: null }));
    return { ...top_logprobs[0], top_logprobs };
  });
  return { content, refusal: null };
}

function stream(response: ServerResponse, { stream_options }: RequestBody, reply: Answer): void {
  const { text, refusal, finish = 'stop' } = reply;
  const usage = usageOf(reply);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(event([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]));
  if (refusal !== undefined) response.write(event([{ index: 0, delta: { refusal }, finish_reason: null }]));
  for (const content of pieces(text ?? '')) {
    response.write(event([{ index: 0, delta: { content }, finish_reason: null }]));
  }
  if (finish === null) {
    response.end();
    return;
  }
  response.write(event([{ index: 0, delta: {}, finish_reason: finish }]));
  if (stream_options?.include_usage && usage !== null) response.write(event([], usage));
  response.end('data: [DONE]\n\n');
}

function event(choices: readonly unknown[], usage?: Usage): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, choices, usage })}\n\n`;
}

/** A text in several pieces, between characters. */
function pieces(text: string): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / 4));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, i) =>
    characters.slice(i * size, (i + 1) * size).join(''),
  );
}

function sendStart(response: ServerResponse, text: string, isStreamed: boolean, then?: () => void): void {
  const start = isStreamed
    ? event([{ index: 0, delta: { content: text }, finish_reason: null }])
    : `{"id":"chatcmpl-1","choices":[{"index":0,"message":{"role":"assistant","content":${JSON.stringify(text).slice(0, -1)}`;
  response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
  response.write(start, () => {
    // In another turn, so that the start is on its way before the connection is gone.
    if (then !== undefined) setImmediate(then);
  });
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
