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

const KEPT = new Set([
  ...['$ref', 'type', 'title', 'description', 'enum', 'const', 'multipleOf', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);
/** Keywords that it may refuse; the code checks them anyway. */
const DROPPED = new Set([
  ...['$schema', '$id', 'id', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'uniqueItems'],
]);

class NotStrict extends Error {}

/** A JSON Schema in OpenAI's strict mode; null if that would change its meaning (optional properties, open records, tuples). */
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
  const kept = Object.entries(schema).filter(([key, value]) => !DROPPED.has(key) && !isBoundOfNumbers(key, value));
  // Mutually exclusive alternatives need no `oneOf`.
  const parts = kept.map(([key, value]) => [key === 'oneOf' ? 'anyOf' : key, strictPart(key, value, schema)]);
  const out = Object.fromEntries(schema.type === 'object' ? [...parts, ['additionalProperties', false]] : parts);
  // Strict mode refuses a schema without any type, and an object without properties.
  const isTyped = ['type', '$ref', 'enum', 'const', 'anyOf'].some((key) => key in out);
  if (!isTyped || (schema.type === 'object' && out.properties === undefined)) throw new NotStrict();
  return out;
}

function strictPart(key: string, value: unknown, { properties, required }: Schema): unknown {
  if (KEPT.has(key)) return value;
  if (key === 'items') return strict(value);
  if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(value)) return value.map(strict);
  if (key === 'required' && isSchema(properties)) return value;
  const isOpen = key === 'additionalProperties' && isSchema(value) && Object.keys(value).length === 0;
  if (isOpen || (key === 'additionalProperties' && value === false)) return false;
  const needed = key === 'properties' && Array.isArray(required) ? required : null;
  if ((key !== 'properties' && key !== '$defs') || !isSchema(value)) throw new NotStrict();
  const isOptional = (name: string): boolean => key === 'properties' && needed?.includes(name) !== true;
  if (Object.keys(value).some(isOptional)) throw new NotStrict();
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, strict(part)]));
}

/** Bounds that zod adds to every integer; some servers fail on them. */
function isBoundOfNumbers(key: string, value: unknown): boolean {
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
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
