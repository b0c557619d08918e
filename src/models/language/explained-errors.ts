/** What is read of an error answer's headers. */
const READ = ['retry-after', 'retry-after-ms', 'x-request-id'];

/**
 * A fetch whose error answers all have OpenAI's form. Servers that follow it for answers often have errors of their own
 * (`{"detail": …}`, `{"message": …}`, plain text), of which the SDK would keep nothing.
 */
export function explainedErrors(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status < 400) return response;
    // The status says enough where the body cannot be read.
    const text = await response.text().catch(() => '');
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const name of READ) {
      const value = response.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(JSON.stringify({ error: errorOf(text) }), { status: response.status, headers });
  };
}

function errorOf(text: string): Record<string, unknown> {
  const body = parse(text);
  if (!isObject(body)) return { message: text };
  if (isObject(body.error)) return body.error;
  if (typeof body.message === 'string') return body;
  return { message: text };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
