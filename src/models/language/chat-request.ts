import type { APIError, OpenAI } from 'openai';
import type { AnswerSchema, ChatCall, ChatMessage } from './language-model.ts';

/** Ways to enforce JSON, the strictest first. */
const JSON_FORMS = ['json_schema', 'json_object', 'text'] as const;
export type AnswerForm = (typeof JSON_FORMS)[number];

const DROPPABLE = [
  'max_completion_tokens',
  'temperature',
  'top_p',
  'seed',
  'stream_options',
  'top_logprobs',
  'logprobs',
] as const;
type Droppable = (typeof DROPPABLE)[number];

export interface ServerLimits {
  readonly form: AnswerForm;
  readonly refused: ReadonlySet<Droppable>;
}

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that strict mode may refuse; the code checks them anyway. */
const DROPPED = new Set(['$schema', 'default', 'minLength', 'maxLength', 'pattern', 'format']);
/** Bounds that zod adds to every integer; some servers fail on them. */
const BOUNDS: ReadonlySet<unknown> = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

class NotStrict extends Error {}

/** The schema in OpenAI's strict mode, of objects, arrays, `anyOf` and plain values; null if that would change what it means. */
export function strictSchema(schema: Schema): Schema | null {
  if (schema.type !== 'object') return null;
  try {
    return strict(schema);
  } catch (failure) {
    if (failure instanceof NotStrict) return null;
    throw failure;
  }
}

function strict(schema: unknown): Schema {
  if (!isSchema(schema)) throw new NotStrict();
  const { type, properties, required, items, anyOf, additionalProperties = false } = schema;
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => !DROPPED.has(key) && !BOUNDS.has(value)),
  );
  if (Array.isArray(anyOf)) return { ...kept, anyOf: anyOf.map(strict) };
  if (type === 'array') return { ...kept, items: strict(items) };
  if (type === 'object') {
    const parts = Object.entries(isSchema(properties) ? properties : {});
    const isWhole = Array.isArray(required) && parts.every(([name]) => required.includes(name));
    if (!isWhole || additionalProperties !== false) throw new NotStrict();
    const strictParts = Object.fromEntries(parts.map(([name, part]) => [name, strict(part)]));
    return { ...kept, properties: strictParts, additionalProperties: false };
  }
  if ((type ?? schema.enum ?? schema.const) === undefined) throw new NotStrict();
  return kept;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type ChatRequest = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream' | 'messages'> & {
  messages: ChatMessage[];
};

export function chatRequest(call: ChatCall, { form, refused }: ServerLimits, thinkingTokens: number): ChatRequest {
  const { settings, messages, schema, onText, topTokens } = call;
  const maxTokens = call.maxTokens + thinkingTokens;
  const body: ChatRequest = { model: settings.model, messages: [...messages] };
  if (refused.has('max_completion_tokens')) body.max_tokens = maxTokens;
  else body.max_completion_tokens = maxTokens;
  if (settings.temperature !== null && !refused.has('temperature')) body.temperature = settings.temperature;
  if (settings.topP !== null && !refused.has('top_p')) body.top_p = settings.topP;
  if (settings.seed !== null && !refused.has('seed')) body.seed = settings.seed;
  if (onText !== undefined && !refused.has('stream_options')) body.stream_options = { include_usage: true };
  if (topTokens !== undefined && !refused.has('logprobs') && !refused.has('top_logprobs')) {
    body.logprobs = true;
    body.top_logprobs = topTokens;
  }
  if (schema === undefined) return body;
  if (form === 'json_schema') {
    const strict = strictSchema(schema.schema);
    const { name } = schema;
    body.response_format = {
      type: 'json_schema',
      json_schema: { name, schema: strict ?? schema.schema, strict: strict !== null },
    };
    return body;
  }
  if (form === 'json_object') body.response_format = { type: 'json_object' };
  body.messages = withSchemaInWords(messages, schema);
  return body;
}

function withSchemaInWords(messages: readonly ChatMessage[], { schema }: AnswerSchema): ChatMessage[] {
  const { $schema: _, ...shape } = schema;
  const words = `Answer with nothing but JSON that follows this JSON Schema:\n${JSON.stringify(shape)}`;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return [...messages, { role: 'user', content: words }];
  return messages.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\n${words}` } : message,
  );
}

/** How to retry after a refusal (400, 422); null if nothing in the request explains it. */
export function concession(
  limits: ServerLimits,
  request: ChatRequest,
  refusal: APIError,
  isFormFixed: boolean,
): ServerLimits | null {
  // Too long a prompt cannot be conceded, although the message often names a parameter.
  if (refusal.code === 'context_length_exceeded' || /context (?:length|window|size)/i.test(refusal.message))
    return null;
  const isNamed = (name: string): boolean => parametersOf(refusal).includes(name);
  const isMentioned = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(refusal.message);
  const isSent = (name: Droppable): boolean => request[name] !== undefined;
  const asked = request.response_format !== undefined;
  const canLower = asked && !isFormFixed;
  const dropped =
    DROPPABLE.find((name) => isSent(name) && isNamed(name)) ??
    (asked && (isNamed('response_format') || isMentioned('response_format'))
      ? undefined
      : DROPPABLE.find((name) => isSent(name) && isMentioned(name)));
  if (dropped !== undefined) return { ...limits, refused: new Set([...limits.refused, dropped]) };
  // Servers reject a response format in many ways, some without naming it.
  return canLower ? { ...limits, form: JSON_FORMS[JSON_FORMS.indexOf(limits.form) + 1] ?? 'text' } : null;
}

export function mergeLimits(a: ServerLimits, b: ServerLimits): ServerLimits {
  const form = JSON_FORMS[Math.max(JSON_FORMS.indexOf(a.form), JSON_FORMS.indexOf(b.form))];
  return { form, refused: new Set([...a.refused, ...b.refused]) };
}

function parametersOf({ param }: APIError): string[] {
  return typeof param === 'string' ? param.split(/[.[\]]+/) : [];
}
