import { OpenAPIHono } from '@hono/zod-openapi';
import * as contract from '../../contract/index.ts';
import { createSelection } from '../../digest/index.ts';
import {
  EVALUATION_EXAMPLES,
  evaluationAnswerSchema,
  evaluationRequestSchema,
  metricOf,
  type ReadEvaluatedDigest,
} from '../../evaluation/index.ts';
import { checkLimits, checkTexts, type Limits } from '../limits.ts';
import { type Admission, admit } from '../middleware/admission.ts';
import { onInvalid, plain } from '../problem.ts';
import * as answers from '../responses.ts';
import type { ServiceDeps, ServiceEnv } from '../service-deps.ts';
import { readEvaluatedDigest, storedDigests } from '../stored/stored-digests.ts';

const noDigest = answers.missing('There is no digest with this id.');
const points = answers.json(
  contract.keyPointsSchema,
  'The key points with their quotes.',
  answers.example('By rules', contract.KEY_POINTS),
);
const selected = { ...answers.example('Selection', contract.SELECTION), ...answers.example('Draws', contract.DRAWS) };
const receipts = 'What was selected, and a receipt for every item; with `draws`, the sets drawn.';
const selection = answers.json(contract.selectionsAnswerSchema, receipts, selected);
const scores = answers.json(
  evaluationAnswerSchema,
  'The scores, with the verdict on each unit.',
  EVALUATION_EXAMPLES.answers,
);

const extract = answers.operations('Key points').post('/v1/key-points', 'extractKeyPoints', 'Extract key points', {
  description: `Extracts the key points of documents, without selecting among them or writing a summary. Documents with more than ${contract.LIMITS.extractedKeyPoints} together are refused.`,
  request: {
    headers: answers.idempotencyHeaders,
    body: answers.jsonBody(contract.keyPointsRequestSchema, contract.KEY_POINTS_REQUESTS),
  },
  responses: { 200: { ...points, headers: answers.replayHeaders }, ...answers.workProblems },
});

const select = answers.operations('Selections').post('/v1/selections', 'createSelection', 'Select items', {
  description:
    'Options that are left out take the defaults of this call: no gate, no coverage, no surroundings, also over a stored digest, whose own options its answer gives in `selection`. Similarities of a digest are kept in memory for a while, so that only the first call computes them.',
  request: {
    headers: answers.idempotencyHeaders,
    body: answers.jsonBody(contract.selectionsRequestSchema, contract.SELECTIONS_REQUESTS),
  },
  responses: { 200: { ...selection, headers: answers.replayHeaders }, ...noDigest, ...answers.workProblems },
});

const score = answers.operations('Evaluations').post('/v1/evaluations', 'createEvaluation', 'Score a digest', {
  description: 'Scores a digest, or the text of any other system, by published measures.',
  request: {
    headers: answers.idempotencyHeaders,
    body: answers.jsonBody(evaluationRequestSchema, EVALUATION_EXAMPLES.requests),
  },
  responses: { 200: { ...scores, headers: answers.replayHeaders }, ...noDigest, ...answers.workProblems },
});

export interface WorkDeps extends ServiceDeps {
  readonly limits: Limits;
}

/** Calls that answer from their request alone, and keep nothing. */
export function workRoutes(deps: WorkDeps, admission: Admission) {
  const { limits } = deps;
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(extract, async (context) => {
      const request = context.req.valid('json');
      checkLimits(request, limits);
      const json = await admit(context, admission, deps, (own, signal) =>
        own.work.extractKeyPoints(request, own, signal),
      );
      // Hono's types require serialisable values; these bytes are JSON.
      return context.body(json, 200, { 'content-type': 'application/json' }) as never;
    })
    .openapi(select, async (context) => {
      const request = context.req.valid('json');
      checkLimits({ selection: request.selection }, limits);
      const made = await admit(context, admission, deps, (own, signal) =>
        createSelection(request, own, storedDigests(own.database), signal),
      );
      return context.json(plain(made), 200);
    })
    .openapi(score, async (context) => {
      const order = context.req.valid('json');
      checkTexts(metricOf(order.metric).documents?.(order) ?? [], limits);
      const made = await admit(context, admission, deps, (own, signal) => {
        const readDigest: ReadEvaluatedDigest = (id) => readEvaluatedDigest(id, own.database);
        return own.work.evaluate(order, own, { readDigest, signal });
      });
      return context.json(plain(made), 200);
    });
}
