import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { digestSchema } from '../../../src/contract/index.ts';
import { type Fetching, fetchDocument } from '../../../src/server/fetching/fetch-documents.ts';
import { addressFetcher, type HostAddress } from '../../../src/server/runtime/node/guarded-request.node.ts';
import { PUBLIC_ONLY, readAllowedTargets } from '../../../src/server/targets.ts';
import { createKey } from '../../../src/store/index.ts';
import { readFile } from '../../../src/text/files/read-file.ts';
import { UnreadableFileError } from '../../../src/text/index.ts';
import { officeFile } from '../../support/office-file.ts';
import { pdfOf } from '../../support/pdf-file.ts';
import { expectSound } from '../../support/promises.ts';
import { testApp } from '../../support/test-deps.ts';

/** A server that answers by path, and keeps the paths that it was asked for. */
async function site(answers: Readonly<Record<string, RequestListener>>) {
  const [asked, sockets]: [string[], Set<Socket>] = [[], new Set()];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[request.url ?? ''] ?? ((_, missing: ServerResponse) => void missing.writeHead(404).end());
    answer(request, response);
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  return { asked, port, at: (path: string) => `http://127.0.0.1:${port}${path}` };
}

const answer =
  (body: string | Uint8Array, type?: string, more: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { ...(type !== undefined && { 'content-type': type }), ...more }).end(body);
const redirect =
  (location: string, status = 302): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { location }).end();

type Options = Partial<Omit<Fetching, 'allow'>> & {
  readonly allow?: string;
  readonly lookup?: (host: string) => Promise<readonly HostAddress[]>;
};

function fetching({ allow = '127.0.0.1', lookup, ...more }: Options = {}): Fetching {
  const allowed = allow === '' ? PUBLIC_ONLY : readAllowedTargets('TESSERA_FETCH_ALLOW', allow);
  return {
    callers: 'on',
    allow: allowed,
    fetchAddress: addressFetcher({ allow: allowed, lookup }),
    openReader: () => ({ read: ({ name, bytes, charset }) => readFile(name, bytes, charset), end: () => {} }),
    ...more,
  };
}

const read = (url: string, options: Options = {}, signal?: AbortSignal) => {
  const parts = fetching(options);
  return fetchDocument(url, parts, parts.openReader().read, signal);
};

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const PAGE =
  '<!doctype html><html><head><title>The Gazette</title></head><body><nav>Home</nav><p>Fares rose by 6 percent.</p></body></html>';

describe('an address', () => {
  test.each([
    ['a page, with its title', answer(PAGE, 'text/html'), { title: 'The Gazette', text: 'Fares rose by 6 percent.' }],
    [
      'a page whose header names its encoding',
      answer(latin('<html><p>\xc4\xe0.'), 'text/html; charset="Windows-1251"'),
      { text: 'Да.' },
    ],
    [
      'a page that names its encoding itself',
      answer(latin('<meta charset=windows-1251><p>\xc4\xe0.'), 'text/html'),
      { text: 'Да.' },
    ],
    ['plain text', answer(latin('caf\xe9'), 'text/plain'), { text: 'café' }],
    ['Markdown', answer('# Minutes\n\nYes.', 'text/markdown'), { title: 'Minutes', text: '# Minutes\n\nYes.' }],
    ['JSON, as text', answer('{"a": 1}', 'application/json'), { text: '{"a": 1}' }],
    ['a PDF', answer(pdfOf([['Trams run late.']]), 'application/pdf'), { text: 'Trams run late.' }],
    ['a file without a type', answer(pdfOf([['Trams run late.']])), { text: 'Trams run late.' }],
  ])('gives %s', async (_, answered, document) => {
    const { at } = await site({ '/a?b=1': answered });
    expect(await read(at('/a?b=1#part'))).toEqual(document);
  });

  test.each([
    ['a picture', answer('GIF89a', 'image/gif'), 'It is of the type image/gif, which is not read.'],
    ['nothing', answer('', 'text/plain'), 'The file is empty.'],
    ['white space', answer(' \n', 'text/html'), 'No text was found in it.'],
    ['a status', (_, response) => void response.writeHead(503).end(PAGE), 'It was answered with status 503.'],
    ['a redirect to nowhere', (_, response) => void response.writeHead(302).end(), 'It was answered with status 302.'],
    ['bytes that are no text', answer(Uint8Array.of(0, 1, 2, 3)), 'Files of this type are not supported.'],
    ['compression', answer(gzipSync(PAGE), 'text/html', { 'content-encoding': 'gzip' }), 'It came compressed'],
    ['half a PDF', answer('%PDF-1.7', 'application/pdf'), 'It is no PDF, or it is damaged.'],
    ['too long a text', answer('word '.repeat(400_001), 'text/plain'), 'Its text cannot be taken'],
    ['a cut connection', (_, response) => void response.socket?.destroy(), 'It could not be reached.'],
    [
      'a cut body',
      (_, response) => {
        response.writeHead(200, { 'content-length': '9' }).write('abc', () => response.socket?.destroy());
      },
      'It could not be reached.',
    ],
  ] as const satisfies readonly (readonly [string, RequestListener, string])[])(
    'that answers with %s is told in a sentence',
    async (_, answered, told) => {
      const { at } = await site({ '/a': answered });
      const reading = read(at('/a'));
      await expect(reading).rejects.toThrow(UnreadableFileError);
      await expect(reading).rejects.toThrow(told);
    },
  );

  test('of more than 5 MB is left as soon as that is known, as is a bomb in a file', async () => {
    let written = 0;
    const endless: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => {
        for (let isOpen = true; isOpen && !response.destroyed; written += 65_536)
          isOpen = response.write('a'.repeat(65_536));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    const bomb = await officeFile({ 'xl/workbook.xml': 'a'.repeat(100_000_001) });
    const { at } = await site({ '/endless': endless, '/bomb': answer(bomb) });
    await expect(read(at('/endless'))).rejects.toThrow('It has more than 5 MB.');
    expect(written).toBeLessThan(40_000_000); // what the system buffers
    await expect(read(at('/bomb'))).rejects.toThrow('It has more than 100 MB');
  });

  test.each([
    ['no answer', () => {}],
    ['half a body', (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('a')],
    [
      'half a body of unknown length',
      (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/plain', connection: 'close', 'transfer-encoding': 'identity' })
          .write('a'),
    ],
    [
      'redirects in circles, slowly',
      (_, response) => void setTimeout(() => response.writeHead(302, { location: '/a' }).end(), 60),
    ],
  ] as const satisfies readonly (readonly [string, RequestListener])[])(
    'that gives %s is left in time',
    async (_, answered) => {
      const { at } = await site({ '/a': answered });
      await expect(read(at('/a'), { milliseconds: 150 })).rejects.toThrow('It was not answered in time.');
    },
  );

  test('is left when the caller leaves', async () => {
    const leaving = new AbortController();
    const { at } = await site({ '/a': () => leaving.abort() });
    await expect(read(at('/a'), {}, leaving.signal)).rejects.toThrow();
  });

  test('is followed over five redirects, relative ones too, and not over six', async () => {
    const hops = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((n) => [`/${n}`, redirect(n === 6 ? '/end#x' : `${n + 1}`, n === 6 ? 308 : 301)]),
    );
    const { at } = await site({ ...hops, '/end': answer(PAGE, 'text/html') });
    expect(await read(at('/2'))).toMatchObject({ title: 'The Gazette' });
    await expect(read(at('/1'))).rejects.toThrow('It redirects more than five times.');
  });
});

const FORMS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://192.168.1.1:8080/',
  'http://[fd00::1]/',
  'http://localhost/',
  'http://db/',
  'http://metadata.google.internal/',
  'http://user:secret@example.org/',
  'http://user@127.0.0.1/',
  'http://example.org:0/',
  'ftp://example.org/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'gopher://example.org/',
  'http://exa\\mple.org',
]; // prettier-ignore

describe('what is not public', () => {
  test.each(FORMS)('%s is not called', async (url) => {
    const called: string[] = [];
    const fetchAddress: Fetching['fetchAddress'] = async (at) => {
      called.push(at);
      throw new Error('called');
    };
    await expect(read(url, { allow: '', fetchAddress })).rejects.toThrow(/^The address must /);
    expect(called).toEqual([]);
  });

  test.each(FORMS)('a redirect to %s is not followed', async (location) => {
    const { at, asked, port } = await site({ '/a': redirect(location) });
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const reading = read(`http://news.example:${port}/a`, { allow: 'news.example', lookup });
    await expect(reading).rejects.toThrow(/^It redirects to an address that must /);
    expect([asked, at('/a')]).toEqual([['/a'], `http://127.0.0.1:${port}/a`]);
  });

  test('a name is called at the addresses that were checked, and at each hop again', async () => {
    const { asked, port } = await site({ '/a': redirect('/b'), '/b': answer(PAGE, 'text/html') });
    const turns = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['127.0.0.1'], ['127.0.0.1']];
    const lookup = async () => (turns.shift() ?? []).map((address) => ({ address, family: 4 }));
    const options = { lookup };
    await expect(read(`http://news.example:${port}/a`, options)).rejects.toThrow(
      'The host has an address that is not public.',
    );
    expect(asked).toEqual(['/a']);
    expect(await read(`http://news.example:${port}/a`, options)).toMatchObject({ title: 'The Gazette' });
    expect([turns, asked]).toEqual([[], ['/a', '/a', '/b']]);
  });
});

const PLAIN = { id: 'own', text: 'Fares rose by 6 percent. The tram ran every ten minutes.' };

describe('POST /v1/digests', () => {
  test('reads addresses beside texts; one that cannot be read is named with its reason; the text is kept as it was', async () => {
    let page = PAGE;
    const { at, asked } = await site({
      '/a': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    });
    const { post, app } = testApp({ app: { fetching: fetching() } });
    const documents = [PLAIN, { url: at('/a'), publishedAt: '2026-01-31' }, { id: 'gone', url: at('/gone') }];
    const body = { documents, intent: 'How did fares change?' };
    const made = await post('/v1/digests', body, { 'idempotency-key': 'k' });
    expect(made.status).toBe(201);
    const digest = digestSchema.parse(await made.json());
    expect(digest.status).toBe('partial');
    expect(Object.fromEntries(digest.documents.map(({ id, status, error }) => [id, [status, error?.message]]))).toEqual(
      {
        own: ['ok', undefined],
        2: ['ok', undefined],
        gone: ['failed', 'It was answered with status 404.'],
      },
    );
    page = PAGE.replace('6', '9');
    const again = await post('/v1/digests', body, { 'idempotency-key': 'k' });
    expect([again.status, (await again.json()).id, asked]).toEqual([201, digest.id, ['/a', '/gone']]);
    const source = await (await app.request(`/v1/digests/${digest.id}/documents/2`)).json();
    expect(source).toEqual({
      id: '2',
      title: 'The Gazette',
      url: at('/a'),
      publishedAt: '2026-01-31',
      text: 'Fares rose by 6 percent.',
    });
    expectSound(digest, [PLAIN, source, { id: 'gone', text: '' }]);
  });

  test('a list for a collection is refused with one that cannot be read, and what was there stays', async () => {
    const { at } = await site({});
    const { post, app } = testApp({ app: { fetching: fetching() } });
    const path = `/v1/collections/${(await (await post('/v1/collections', {})).json()).id}/documents`;
    await post(path, { documents: [{ id: 'own', text: PLAIN.text }] });
    const refused = await post(path, {
      documents: [
        { id: 'new', text: 'x' },
        { id: 'own', url: at('/gone') },
      ],
    });
    expect([refused.status, (await refused.json()).errors]).toEqual([
      422,
      [{ pointer: '/documents/1/url', detail: 'It was answered with status 404.' }],
    ]);
    expect(await (await app.request(`${path}/own`)).json()).toMatchObject({ text: PLAIN.text });
    expect((await app.request(`${path}/new`)).status).toBe(404);
  });

  test('is refused if nothing can be read, with the reason and a pointer', async () => {
    const { at } = await site({});
    const { post } = testApp({ app: { fetching: fetching() } });
    const refused = await post('/v1/digests', { documents: [' !', { url: at('/gone') }] });
    const problem = await refused.json();
    expect([refused.status, problem.errors]).toEqual([
      422,
      [{ pointer: '/documents/1/url', detail: 'There is nothing to read. It was answered with status 404.' }],
    ]);
  });

  test.each([
    ['keys', false, 422],
    ['keys', true, 201],
    ['on', false, 201],
    ['off', true, 422],
  ] as const)('fetches for TESSERA_FETCH=%s and a key: %s', async (callers, hasKey, status) => {
    const { at, asked } = await site({ '/a': answer(PAGE, 'text/html') });
    const { post, parts } = testApp({ app: { fetching: fetching({ callers }) } });
    const headers: Record<string, string> = {};
    if (hasKey) {
      const { key } = await createKey(parts.database, { tenant: 'a', name: 'test', scopes: ['digests'] });
      headers.authorization = `Bearer ${key}`;
    }
    const response = await post('/v1/digests', { documents: [PLAIN, { url: at('/a') }] }, headers);
    expect([response.status, asked.length]).toEqual([status, status === 201 ? 1 : 0]);
    if (status === 422) expect((await response.json()).errors[0].pointer).toBe('/documents/1/url');
  });

  test.each([
    [{ url: 'ftp://example.org/a' }, '/documents/0/text'],
    [{ id: 'a' }, '/documents/0/text'],
    [{ url: 'https://example.org/', more: 1 }, '/documents/0/more'],
  ])('refuses %j', async (document, pointer) => {
    const { post } = testApp({ app: { fetching: fetching() } });
    const refused = await post('/v1/digests', { documents: [document] });
    expect([refused.status, (await refused.json()).errors[0].pointer]).toEqual([422, pointer]);
  });

  test('fetches at most fifty addresses', async () => {
    const { at, asked } = await site({});
    const { post } = testApp({ app: { fetching: fetching() } });
    const documents = Array.from({ length: 51 }, (_, n) => ({ url: at(`/${n}`) }));
    expect((await post('/v1/digests', { documents })).status).toBe(422);
    expect(asked).toEqual([]);
  });
});

test('a collection takes an address, and keeps what was read', async () => {
  const { at } = await site({ '/a': answer(PAGE, 'text/html') });
  const { app, post } = testApp({ app: { fetching: fetching() } });
  const { id } = await (await post('/v1/collections', {})).json();
  const put = (url: string) =>
    app.request(`/v1/collections/${id}/documents/gazette`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
  const refused = await put(at('/gone'));
  expect([refused.status, (await refused.json()).errors[0].pointer]).toEqual([422, '/url']);
  const kept = await put(at('/a'));
  expect([kept.status, await kept.json()]).toMatchObject([
    201,
    { id: 'gazette', title: 'The Gazette', url: at('/a'), status: 'ok' },
  ]);
  const { text } = await (await app.request(`/v1/collections/${id}/documents/gazette`)).json();
  expect(text).toBe('Fares rose by 6 percent.');
});

test.each([
  ['white space', ' \n\t'],
  ['signs', '!!! … ---'],
])('a document of %s is named as empty beside others; alone it is refused', async (_, text) => {
  const { post } = testApp();
  const made = await post('/v1/digests', { documents: [PLAIN, { id: 'blank', text }] });
  expect(made.status).toBe(201);
  const { documents, status } = digestSchema.parse(await made.json());
  expect([status, documents.find(({ id }) => id === 'blank')?.status]).toEqual(['completed', 'empty']);
  const alone = await post('/v1/digests', { documents: [text, { id: 'blank', text }] });
  expect([alone.status, (await alone.json()).errors]).toEqual([
    422,
    [{ pointer: '/documents', detail: 'hold no letter or digit, so there is nothing to read' }],
  ]);
});
