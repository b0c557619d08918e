import { OpenAPIHono, z } from '@hono/zod-openapi';
import {
  type CellEvent,
  type Problem,
  type Progress,
  TABLE,
  TABLE_EVENTS,
  TABLE_REQUESTS,
  type Table,
  type TableRequest,
  tableRequestSchema,
  tableSchema,
} from '../../contract/index.ts';
import { planTable, type ResolvedTable } from '../../digest/index.ts';
import { type Database, readDocuments } from '../../store/index.ts';
import { collectionDocuments } from '../collections/collections.ts';
import { checkLimits, type Limits } from '../limits.ts';
import { admit } from '../middleware/admission.ts';
import { STREAM, wantsStream } from '../middleware/http-fields.ts';
import { isFailure, onInvalid, plain, problemOf } from '../problem.ts';
import * as answers from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import type { DigestRouteDeps } from './answer-digest.ts';
import { HEARTBEAT, type StreamEvent, streamEvents } from './stream-digest.ts';

const EVENTS =
  '`progress` (stage, done, total, document) while documents are read, `cell` for each cell (document, column, and the fields of a cell but `agrees`), and finally `table` with the whole, or `error` with a problem. The rows of a stream fill in any order.';
/** Untyped, as the stream of digests. */
const stream: Readonly<Record<never, never>> = {
  [STREAM]: { schema: z.string(), example: TABLE_EVENTS },
};

const create = answers.operations('Tables').post('/v1/tables', 'makeTable', 'Make a table', {
  description:
    'Answers each question from each document alone: a row per document, a column per question. The table is not stored and has no address. Closing the connection ends the work, unless the request has an Idempotency-Key; with one, the events of a stream are sent once the table is complete.',
  request: { headers: answers.idempotencyHeaders, body: answers.jsonBody(tableRequestSchema, TABLE_REQUESTS) },
  responses: {
    200: {
      description: `With \`Accept: ${STREAM}\`: ${EVENTS}`,
      content: stream,
      headers: answers.replayHeaders,
    },
    201: {
      ...answers.json(tableSchema, 'The table.', answers.example('Two questions', TABLE)),
      headers: answers.replayHeaders,
    },
    ...answers.missing('There is no collection with this id.'),
    ...answers.workProblems,
  },
});

/** Tables are answered from their request alone, and nothing of them is kept. */
export function tableRoutes(deps: DigestRouteDeps) {
  const { otherAdmission, limits, enterStream, heartbeatMilliseconds = HEARTBEAT } = deps;
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid }).openapi(create, async (context) => {
    const asked = context.req.valid('json');
    checkLimits(asked, limits);
    const own = callerDeps(context, deps);
    const isStream = wantsStream(context);
    const leaveStream = isStream ? enterStream(own.database.tenant) : () => {};
    let isLeft = false;
    try {
      const request = await withDocuments(asked, own.database, limits);
      planTable(request, own);
      const leaving = new AbortController();
      const told = tableEvents();
      let isAdmitted = false;
      const made = admit(context, otherAdmission, deps, (admitted, signal) => {
        isAdmitted = true;
        const ended = AbortSignal.any([signal, leaving.signal]);
        return admitted.work.makeTable(request, admitted, isStream ? told : {}, ended);
      });
      if (!isStream) return context.json(plain(await made), 201);
      made.then(told.end, told.fail);
      // The answer to an Idempotency-Key is kept, so a failure must not be part of a successful stream.
      if (!isAdmitted || context.get('keyed') !== undefined) await made;
      const events = (gone: AbortSignal) => {
        gone.addEventListener('abort', () => leaving.abort());
        return told.read(gone, heartbeatMilliseconds);
      };
      isLeft = true;
      // Hono's types require serialisable values, and a stream is none.
      return streamEvents(context, events, own, {}, leaveStream) as never;
    } finally {
      if (!isLeft) leaveStream();
    }
  });
}

/** @throws NotFoundError, LimitExceededError */
async function withDocuments(
  { collection, documents = [], questions, engine }: TableRequest,
  database: Database,
  { characters }: Pick<Limits, 'characters'>,
): Promise<ResolvedTable> {
  if (collection === undefined) return { documents, questions, engine };
  const { documents: hashed } = await collectionDocuments(database, collection, characters);
  const texts = await readDocuments(database, [...new Set(hashed.map(({ hash }) => hash))]);
  // A text that was deleted meanwhile belongs to a document that was.
  const held = hashed.flatMap((document) => {
    const text = texts.get(document.hash);
    return text === undefined ? [] : [{ ...document, text }];
  });
  return { documents: held, questions, engine };
}

/** What is told of a table while it is made, for one reader. */
function tableEvents() {
  const waiting: StreamEvent[] = [];
  let isOver = false;
  let failure: unknown = null;
  let wake = (): void => {};
  const tell = (event: string) => (data: Progress | CellEvent | Table | Problem) => {
    waiting.push({ event, data: JSON.stringify(data) });
    wake();
  };
  const last = (event: 'table' | 'error', data: Table | Problem): void => {
    isOver = true;
    tell(event)(data);
  };
  return {
    onProgress: tell('progress'),
    onCell: tell('cell'),
    end: (table: Table) => last('table', table),
    fail(reason: unknown) {
      const told = problemOf(reason);
      // Only failures of the service are reported to its log.
      if (isFailure(told)) failure = reason;
      last('error', told);
    },
    /** Yields null after each `heartbeat` milliseconds without an event. @throws a failure of the service */
    async *read(gone: AbortSignal, heartbeat: number): AsyncGenerator<StreamEvent | null> {
      gone.addEventListener('abort', () => wake());
      while (!gone.aborted) {
        const next = waiting.shift();
        if (next === undefined && isOver) return;
        if (next?.event === 'error' && failure !== null) throw failure;
        if (next !== undefined) {
          yield next;
          continue;
        }
        let timer: ReturnType<typeof setTimeout> | undefined;
        const isNews = await new Promise<boolean>((resolve) => {
          wake = () => resolve(true);
          timer = setTimeout(() => resolve(false), heartbeat);
        });
        clearTimeout(timer);
        if (!isNews) yield null;
      }
    },
  };
}
