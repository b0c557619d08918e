import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { makeDigest } from '../digest/create-digest.ts';
import type { DigestParts } from '../digest/digest-parts.ts';
import { planDigest } from '../digest/plan-digest.ts';
import type { DigestRequest } from '../digest/request.ts';
import type { SummarySentence } from '../summary/summary.ts';
import type { AppParts } from './app.ts';
import { problemOf } from './problem.ts';

export type StreamParts = Pick<AppParts, keyof DigestParts | 'reportError' | 'heartbeatMilliseconds'>;

const HEARTBEAT = 15_000;

/**
 * Makes a digest and tells of it while it is made: `progress` events, a `sentence` event for each sentence of the summary
 * once it stands, and one `digest` event at the end, or `error` with a problem. Ids count up from 1.
 *
 * Whatever is wrong with the request is answered before the stream begins. A client that goes away ends the calls of
 * language models, and nothing is stored.
 *
 * @throws TesseraError where the request cannot be served as it stands
 */
export function streamDigest(context: Context, request: DigestRequest, parts: StreamParts): Response {
  const gone = new AbortController();
  const plan = planDigest(request, parts, gone.signal);
  return streamSSE(context, async (stream) => {
    stream.onAbort(() => gone.abort());
    const events = eventWriter(stream);
    const beat = setInterval(() => events.comment('still here'), parts.heartbeatMilliseconds ?? HEARTBEAT);
    try {
      const numberOf = new Map<string, number>();
      let index = 0;
      const digest = await makeDigest(plan, parts, {
        onProgress: (progress) => events.send('progress', progress),
        onSentence: (sentence) => {
          events.send('sentence', { index: index++, ...sentence, sources: numbersOf(sentence, numberOf) });
        },
      });
      events.send('digest', digest);
    } catch (error) {
      if (!gone.signal.aborted) {
        const answer = problemOf(error);
        if (answer.status >= 500) parts.reportError(error, { method: context.req.method, path: context.req.path });
        events.send('error', answer);
      }
    } finally {
      clearInterval(beat);
      await events.done();
    }
  });
}

/** The numbers of a sentence's sources: documents count up as a reader meets them, as in the finished digest. */
function numbersOf({ citations }: SummarySentence, numberOf: Map<string, number>): number[] {
  for (const { document } of citations) if (!numberOf.has(document)) numberOf.set(document, numberOf.size + 1);
  return [...new Set(citations.map(({ document }) => numberOf.get(document) ?? 0))].sort((a, b) => a - b);
}

/** Writes events one after the other, in the order in which they were sent. */
function eventWriter(stream: SSEStreamingApi) {
  let id = 0;
  let last: Promise<unknown> = Promise.resolve();
  const queue = (write: () => Promise<unknown>): void => {
    last = last.then(write);
  };
  return {
    send(event: string, data: unknown) {
      const own = String(++id);
      queue(() => stream.writeSSE({ id: own, event, data: JSON.stringify(data) }));
    },
    comment(text: string) {
      queue(() => stream.write(`: ${text}\n\n`));
    },
    done: () => last,
  };
}
