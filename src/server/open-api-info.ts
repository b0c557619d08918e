/** Of the service. */
export const VERSION = '0.1.0';

/** What the contract says beside its routes. */
export const openApiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'Tessera',
    version: VERSION,
    description:
      'Intent-tailored, cited digests of many documents. Errors are RFC 9457 problems; every response has an `X-Request-Id`, and those of `/v1` say a known caller in `RateLimit` how many requests are left, where a rate is set. Any POST may come with an `Idempotency-Key`.',
  },
  security: [{ key: [] }],
  tags: [
    { name: 'Digests' },
    { name: 'Selections and key points' },
    { name: 'Evaluations' },
    { name: 'Experiments' },
    { name: 'Collections' },
    { name: 'Service' },
  ],
};
