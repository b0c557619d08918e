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
import { assignSubject } from '../experiments/assign-subject.ts';
import { readExperiment } from '../experiments/read-experiment.ts';
import { recordExposure } from '../experiments/record-exposure.ts';
import { type ReceivedOutcome, recordOutcomes } from '../experiments/record-outcomes.ts';
import { plain } from '../plain.ts';
import { invalid } from '../problem.ts';
import { onInvalid, respond } from '../respond.ts';
import { idempotencyHeaders, json, jsonBody, postProblems, readProblems, replayHeaders } from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-env.ts';
import { NO_EXPERIMENT } from './experiment-problems.ts';

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
  // No route has it as its schema: the batch only refers to it.
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
      const usable = usableOutcomes(batch);
      const { database } = callerDeps(context, parts);
      const kept = await recordOutcomes(database, context.req.valid('param').key, usable.outcomes);
      const recorded = toldOfBatch(kept, usable);
      const { problems } = recorded;
      // A problem is none of the typed answers.
      if (new Set(problems.map(({ index }) => index)).size === batch.length) {
        return respond(invalid(problems.map(({ pointer, detail }) => ({ pointer, detail })))) as never;
      }
      return context.json(plain(recorded), 200);
    });
}

/** Those of a batch that are outcomes, with their places in it, and what is wrong with the others. */
interface UsableOutcomes {
  readonly outcomes: readonly ReceivedOutcome[];
  readonly places: readonly number[];
  readonly problems: RecordedOutcomes['problems'];
}

/** Looks at each of a batch by itself. */
function usableOutcomes(batch: readonly unknown[]): UsableOutcomes {
  const outcomes: ReceivedOutcome[] = [];
  const places: number[] = [];
  const problems: RecordedOutcomes['problems'][number][] = [];
  for (const [index, each] of batch.entries()) {
    const { success, data, error } = outcomeSchema.safeParse(each);
    if (success) {
      const { at, ...outcome } = data;
      outcomes.push({ ...outcome, ...(at !== undefined && { at: Date.parse(at) }) });
      places.push(index);
    } else problems.push(...problemsIn(error, ['outcomes', index]).map((problem) => ({ index, ...problem })));
  }
  return { outcomes, places, problems };
}

/** What became of the usable ones, told of the whole batch: by the places that they have in it, and with what is wrong with the others. */
function toldOfBatch(recorded: RecordedOutcomes, { places, problems }: UsableOutcomes): RecordedOutcomes {
  const placed = recorded.problems.map(({ index, pointer, detail }) => {
    const field = pointer.slice(`/outcomes/${index}`.length);
    return { index: places[index], pointer: `/outcomes/${places[index]}${field}`, detail };
  });
  return { ...recorded, problems: [...problems, ...placed].sort((a, b) => a.index - b.index) };
}
