import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerType } from '@hono/node-server';
import { problem } from '../../problem.ts';

/** What Node answers to what it cannot read as a request, by the code of the failure; to anything else 400. */
const PROBLEMS: Readonly<Record<string, ReturnType<typeof problem>>> = {
  HPE_HEADER_OVERFLOW: problem(
    431,
    'headers-too-large',
    'Request headers too large',
    'The headers of a request may have at most 16 kB.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: problem(
    413,
    'body-too-large',
    'Request body too large',
    'The chunk extensions of a request may have at most 16 kB.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: problem(408, 'request-timeout', 'Request timeout', 'The request did not arrive in time.'),
};
const MALFORMED = problem(400, 'malformed-request', 'Malformed request', 'This is not an HTTP request.');

/** Answers what the server cannot read as a request with a problem, where Node would answer with the status alone. */
export function answerUnreadRequests(server: ServerType): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', ({ socket }, response) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });
  server.on('clientError', (failure: NodeJS.ErrnoException, socket: Duplex) => {
    // What is written now would be taken for a part of the answer that is under way.
    if (!socket.writable || answering.has(socket)) {
      socket.destroy();
      return;
    }
    const answer = PROBLEMS[failure.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(answer);
    const head = [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
