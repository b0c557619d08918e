import { expect, onTestFinished, test } from 'vitest';
import { SERVICE, startWorkerd } from './workerd-runtime.ts';

test('the deployed Worker takes requests out of the one bucket of their tenant', async () => {
  const runtime = await startWorkerd({ variables: { TESSERA_RATE: '6/3600' } });
  onTestFinished(() => runtime.close());
  const ask = async () => {
    const { status, headers } = await runtime.fetch('/v1/digests');
    return [status, headers.get('ratelimit')?.split(';')[1]];
  };
  expect([await ask(), await ask()]).toEqual([
    [200, 'r=5'],
    [200, 'r=4'],
  ]);
  // As another isolate would.
  const rates = await runtime.miniflare.getDurableObjectNamespace('RATES', SERVICE);
  const bucket = Object(rates.get(rates.idFromName('default')));
  expect(await bucket.take({ requests: 6, seconds: 3600 })).toMatchObject({ allowed: true, remaining: 3 });
  expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(
    expect.arrayContaining([
      [200, 'r=2'],
      [200, 'r=1'],
      [200, 'r=0'],
      [429, 'r=0'],
    ]),
  );
  expect(await bucket.take({ requests: 6, seconds: 3600 })).toMatchObject({ allowed: false });
});
