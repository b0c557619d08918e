import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import {
  ASSIGNMENTS,
  assignmentSchema,
  EXPOSURES,
  experimentParams,
  OUTCOME,
  OUTCOMES,
  outcomeSchema,
  outcomesRequestSchema,
  problemsIn,
  RECORDED,
  type RecordedOutcomes,
  recordedOutcomesSchema,
  subjectSchema,
} from '../../contract/index.ts';
import type { Database } from '../../store/index.ts';
import { assignSubject, recordExposure } from '../experiments/assignment.ts';
import { readExperiment } from '../experiments/experiment.ts';
import { type ReceivedOutcome, recordOutcomes } from '../experiments/outcomes.ts';
import { invalid, onInvalid, plain, respond } from '../problem.ts';
import { idempotencyHeaders, json, jsonBody, postProblems, readProblems, replayHeaders } from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import { NO_EXPERIMENT } from './experiments.ts';

const tags = ['Experiments'];

const assignment = createRoute({
  method: 'get',
  path: '/v1/experiments/{key}/assignment',
  operationId: 'getAssignment',
  tags,
  summary: 'Get the variant of a subject',
  description: 'Does not record an exposure.',
  request: { params: experimentParams, query: subjectSchema },
  responses: {
    200: json(assignmentSchema, 'The assignment.', ASSIGNMENTS),
    ...NO_EXPERIMENT,
    ...readProblems,
  },
});

const expose = createRoute({
  method: 'post',
  path: '/v1/experiments/{key}/exposures',
  operationId: 'recordExposure',
  tags,
  summary: 'Record an exposure',
  description: 'For applications that apply the variant themselves: records that the subject has seen it.',
  request: { params: experimentParams, headers: idempotencyHeaders, body: jsonBody(subjectSchema, EXPOSURES) },
  responses: {
    200: { ...json(assignmentSchema, 'The assignment.', ASSIGNMENTS), headers: replayHeaders },
    ...NO_EXPERIMENT,
    ...postProblems,
  },
});

const outcomes = createRoute({
  method: 'post',
  path: '/v1/experiments/{key}/outcomes',
  operationId: 'recordOutcomes',
  tags,
  summary: 'Record outcomes',
  description:
    'An outcome belongs to the version that its subject saw last before it. Valid outcomes are recorded even if others in the batch are not; if none is valid, the response is 422.',
  request: { params: experimentParams, headers: idempotencyHeaders, body: jsonBody(outcomesRequestSchema, OUTCOMES) },
  responses: {
    200: { ...json(recordedOutcomesSchema, 'What became of them.', RECORDED), headers: replayHeaders },
    ...NO_EXPERIMENT,
    ...postProblems,
  },
});

export function experimentSubjectRoutes(parts: { readonly database: Database }) {
  const routes = new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid });
  // No route uses it as its schema: the batch only refers to it.
  routes.openAPIRegistry.register(OUTCOME, outcomeSchema);
  return routes
    .openapi(assignment, async (context) => {
      const { database } = callerDeps(context, parts);
      const experiment = await readExperiment(database, context.req.valid('param').key);
      return context.json(plain(await assignSubject(database, experiment, context.req.valid('query').subject)), 200);
    })
    .openapi(expose, async (context) => {
      const { database } = callerDeps(context, parts);
      const experiment = await readExperiment(database, context.req.valid('param').key);
      return context.json(plain(await recordExposure(database, experiment, context.req.valid('json').subject)), 200);
    })
    .openapi(outcomes, async (context) => {
      const batch = context.req.valid('json').outcomes;
      const refused: RecordedOutcomes['problems'][number][] = [];
      const usable = batch.map((each, index): ReceivedOutcome | null => {
        const { success, data, error } = outcomeSchema.safeParse(each);
        if (!success) {
          refused.push(...problemsIn(error, ['outcomes', index]).map((problem) => ({ index, ...problem })));
          return null;
        }
        const { at, ...outcome } = data;
        return { ...outcome, ...(at !== undefined && { at: Date.parse(at) }) };
      });
      const { database } = callerDeps(context, parts);
      const recorded = await recordOutcomes(database, context.req.valid('param').key, usable);
      const problems = [...refused, ...recorded.problems].sort((a, b) => a.index - b.index);
      if (new Set(problems.map(({ index }) => index)).size === batch.length) {
        return respond(invalid(problems.map(({ pointer, detail }) => ({ pointer, detail })))) as never;
      }
      return context.json(plain({ ...recorded, problems }), 200);
    });
}
