import type { OpenAI } from 'openai';
import type { AnswerSchema, ChatCall, ChatMessage } from './language-model.ts';
import type { ServerLimits } from './server-limits.ts';
import { strictSchema } from './strict-schema.ts';

/** The body of a chat completion, without its `stream`. */
export type ChatRequest = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream' | 'messages'> & {
  messages: ChatMessage[];
};

/**
 * What to send for a call to a server with these limits.
 *
 * @param thinkingTokens room for thought, which servers count as part of the answer
 */
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

/** The messages with the schema told at the end of the last one of the user. */
function withSchemaInWords(messages: readonly ChatMessage[], { schema }: AnswerSchema): ChatMessage[] {
  const { $schema: _, ...told } = schema;
  const words = `Answer with nothing but JSON that follows this JSON Schema:\n${JSON.stringify(told)}`;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return [...messages, { role: 'user', content: words }];
  return messages.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\n${words}` } : message,
  );
}
