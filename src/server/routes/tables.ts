import { OpenAPIHono, z } from '@hono/zod-openapi';
import * as contract from '../../contract/index.ts';
import { planTable, type ResolvedTable } from '../../digest/index.ts';
import { type Database, readDocuments } from '../../store/index.ts';
import { collectionDocuments } from '../collections/collections.ts';
import { checkLimits, type Limits } from '../limits.ts';
import { STREAM } from '../middleware/http-fields.ts';
import { onInvalid } from '../problem.ts';
import * as answers from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import type { DigestRouteDeps } from './answer-digest.ts';
import { answerWork } from './answer-work.ts';

const EVENTS =
  '`progress` (stage, done, total, document) while documents are read, `cell` for each cell (document, column, and the fields of a cell but `agrees`), and finally `table` with the whole, or `error` with a problem. The rows of a stream fill in any order.';
/** Untyped, as the stream of digests. */
const stream: Readonly<Record<never, never>> = {
  [STREAM]: { schema: z.string(), example: contract.TABLE_EVENTS },
};

const create = answers.operations('Tables').post('/v1/tables', 'makeTable', 'Make a table', {
  description:
    'Answers each question from each document alone: a row per document, a column per question. The table is not stored and has no address. Closing the connection ends the work, unless the request has an Idempotency-Key; with one, the events of a stream are sent once the table is complete.',
  request: {
    headers: answers.idempotencyHeaders,
    body: answers.jsonBody(contract.tableRequestSchema, contract.TABLE_REQUESTS),
  },
  responses: {
    200: {
      description: `With \`Accept: ${STREAM}\`: ${EVENTS}`,
      content: stream,
      headers: answers.replayHeaders,
    },
    201: {
      ...answers.json(contract.tableSchema, 'The table.', answers.example('Two questions', contract.TABLE)),
      headers: answers.replayHeaders,
    },
    ...answers.missing('There is no collection with this id.'),
    ...answers.workProblems,
  },
});

/** Tables are answered from their request alone, and nothing of them is kept. */
export function tableRoutes(deps: DigestRouteDeps) {
  const { limits } = deps;
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid }).openapi(create, async (context) => {
    const asked = context.req.valid('json');
    checkLimits(asked, limits);
    const own = callerDeps(context, deps);
    const request = await withDocuments(asked, own.database, limits);
    planTable(request, own);
    // Hono's types require serialisable values, and a stream is none.
    return (await answerWork(context, deps, { last: 'table', status: 201 }, (admitted, tell, ended) => {
      const told = {
        onProgress: (progress: contract.Progress) => tell('progress', progress),
        onCell: (cell: contract.CellEvent) => tell('cell', cell),
      };
      return admitted.work.makeTable(request, admitted, told, ended);
    })) as never;
  });
}

/** @throws NotFoundError, LimitExceededError */
async function withDocuments(
  { collection, documents = [], questions, engine }: contract.TableRequest,
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
