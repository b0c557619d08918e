import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

// Serves the page and the client, and passes calls on to Tessera. The API key stays here: a page would give it away.
const { TESSERA_URL = 'http://localhost:8787', TESSERA_KEY, PORT = '8080' } = process.env;

const FILES = {
  '/': [new URL('index.html', import.meta.url), 'text/html; charset=utf-8'],
  '/page.js': [new URL('page.js', import.meta.url), 'text/javascript'],
  '/tessera-client.js': [import.meta.resolve('tessera/client'), 'text/javascript'],
};

// What the page needs: to make a digest, and to take up a stream that broke. Nothing else of the API is reachable.
const CALLS = /^(?:POST \/v1\/digests|GET \/v1\/digests\/dig_\w+)$/;
const HEADERS = ['accept', 'content-type', 'idempotency-key', 'last-event-id'];

const server = createServer(async (request, response) => {
  try {
    if (CALLS.test(`${request.method} ${request.url}`)) return await passOn(request, response);
    const [file, type] = FILES[request.url] ?? [];
    if (file === undefined) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type }).end(await readFile(fileURLToPath(file)));
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(502);
    response.end();
  }
});

async function passOn(request, response) {
  const headers = new Headers(
    HEADERS.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : [])),
  );
  if (TESSERA_KEY) headers.set('authorization', `Bearer ${TESSERA_KEY}`);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { method, url } = request;
  const body = method === 'POST' ? request : undefined;
  const init = { method, headers, body, duplex: 'half', signal: gone.signal };
  const answer = await fetch(`${TESSERA_URL}${url}`, init);
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') });
  for await (const part of answer.body) response.write(part);
  response.end();
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
