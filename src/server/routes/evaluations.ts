import { OpenAPIHono } from '@hono/zod-openapi';
import {
  EVALUATION_EXAMPLES,
  type EvaluationOrder,
  evaluate,
  evaluationAnswerSchema,
  evaluationRequestSchema,
  metricOf,
  resolveRequest,
} from '../../evaluation/index.ts';
import { checkTexts, type Limits } from '../limits.ts';
import { type Admission, admit } from '../middleware/admission.ts';
import { onInvalid, plain } from '../problem.ts';
import { idempotencyHeaders, json, jsonBody, missing, operations, replayHeaders, workProblems } from '../responses.ts';
import type { ServiceEnv } from '../service-deps.ts';
import { readEvaluatedDigest } from '../stored/stored-digests.ts';
import type { WorkDeps } from './key-points.ts';

const api = operations('Evaluations');

const create = api.post('/v1/evaluations', 'createEvaluation', 'Score a digest', {
  description: 'Scores a digest, or the text of any other system, by published measures.',
  request: {
    headers: idempotencyHeaders,
    body: jsonBody(evaluationRequestSchema, EVALUATION_EXAMPLES.requests),
  },
  responses: {
    200: {
      ...json(evaluationAnswerSchema, 'The scores, with the verdict on each unit.', EVALUATION_EXAMPLES.answers),
      headers: replayHeaders,
    },
    ...missing('There is no digest with this id.'),
    ...workProblems,
  },
});

export function evaluationRoutes(deps: WorkDeps, admission: Admission) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid }).openapi(create, async (context) => {
    const order = context.req.valid('json');
    checkDocuments(order, deps.limits);
    const made = await admit(context, admission, deps, async (own, signal) =>
      evaluate(await resolveRequest(order, (id) => readEvaluatedDigest(id, own.database)), own, { signal }),
    );
    return context.json(plain(made), 200);
  });
}

function checkDocuments(order: EvaluationOrder, limits: Limits): void {
  const documents = metricOf(order.metric).documents?.(order) ?? [];
  checkTexts(
    documents.map(({ text }) => text),
    limits,
    (index) => documents[index].pointer,
  );
}
