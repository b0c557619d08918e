import { z } from 'zod';

/** Tokens of prompt and answer together that well-known hosted models take, as their makers state; the first that fits counts. */
const KNOWN: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/\bgpt-4\.1/, 1_000_000],
  [/\bgpt-5/, 272_000],
  [/\bo[134](?:-|$)/, 200_000],
  [/\bgpt-4(?:o|-turbo)/, 128_000],
  [/\bgpt-3\.5/, 16_385],
  [/\bclaude-/, 200_000],
  [/\bgemini-/, 1_000_000],
  [/\b(?:mistral-(?:large|medium|small)|command-[ar]|grok-|deepseek-(?:chat|reasoner))/, 128_000],
];

/** Undefined for a model that is not known by its name. "llama3.1:8b" runs on the user's own server, which sets the bound. */
export function knownContext(model: string): number | undefined {
  if (model.includes(':')) return undefined;
  return KNOWN.find(([name]) => name.test(model))?.[1];
}

const tokens = z.int().min(1024).max(10_000_000).optional().catch(undefined);
/** How servers name it in their list of models: vLLM, OpenRouter and Together, Groq, llama.cpp. */
const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      max_model_len: tokens,
      context_length: tokens,
      context_window: tokens,
      meta: z.object({ n_ctx: tokens }).optional().catch(undefined),
    }),
  ),
});

const MILLISECONDS = 3000;

/** What the server says of the model in its list; undefined if it says nothing, or does not answer within three seconds. */
export async function servedContext(
  { apiKey, baseUrl }: { readonly apiKey: string | null; readonly baseUrl: string },
  model: string,
): Promise<number | undefined> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(MILLISECONDS),
    });
    const { data } = listed.parse(await response.json());
    // A server with one model answers to any name.
    const own = data.find(({ id }) => id === model) ?? (data.length === 1 ? data[0] : undefined);
    return own?.max_model_len ?? own?.context_length ?? own?.context_window ?? own?.meta?.n_ctx;
  } catch {
    // The start of a service does not depend on it; the caller says what is assumed.
    return undefined;
  }
}
