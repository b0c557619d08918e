import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import {
  EXPERIMENT,
  experimentParams,
  experimentResultsSchema,
  experimentSchema,
  RESULTS,
  resultsQuery,
  STOPPED,
} from '../../contract/index.ts';
import { readAggregates } from '../experiments/read-aggregates.ts';
import { readExperiment } from '../experiments/read-experiment.ts';
import { resultsOf } from '../experiments/results-of.ts';
import { startExperiment } from '../experiments/start-experiment.ts';
import { stopExperiment } from '../experiments/stop-experiment.ts';
import type { Admission } from '../middleware/admission.ts';
import { admit } from '../middleware/admit.ts';
import { plain } from '../plain.ts';
import { onInvalid } from '../respond.ts';
import {
  bodylessProblems,
  conflicts,
  idempotencyHeaders,
  json,
  readProblems,
  replayHeaders,
  workProblems,
} from '../responses.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { callerDeps, type ServiceEnv } from '../service-env.ts';
import { LAYER_TAKEN, NO_EXPERIMENT, NO_VERSION, stateConflict } from './experiment-problems.ts';
import { experimentView } from './experiment-views.ts';

const tags = ['Experiments'];

const start = createRoute({
  method: 'post',
  path: '/v1/experiments/{key}/start',
  operationId: 'startExperiment',
  tags,
  summary: 'Start an experiment',
  description: 'Subjects are assigned to variants from now on.',
  request: { params: experimentParams, headers: idempotencyHeaders },
  responses: {
    200: {
      ...json(experimentSchema, 'The running experiment.', {
        experiment: { summary: 'An experiment', value: EXPERIMENT },
      }),
      headers: replayHeaders,
    },
    ...NO_EXPERIMENT,
    ...bodylessProblems,
    ...conflicts(
      'It is no draft; or another experiment runs in its part of the layer',
      stateConflict('The experiment is running already.'),
      LAYER_TAKEN,
    ),
  },
});

const stop = createRoute({
  method: 'post',
  path: '/v1/experiments/{key}/stop',
  operationId: 'stopExperiment',
  tags,
  summary: 'Stop an experiment',
  description:
    'No more subjects are assigned. Outcomes that happened before the stop still count when they arrive later.',
  request: { params: experimentParams, headers: idempotencyHeaders },
  responses: {
    200: {
      ...json(experimentSchema, 'The stopped experiment.', {
        experiment: { summary: 'An experiment', value: STOPPED },
      }),
      headers: replayHeaders,
    },
    ...NO_EXPERIMENT,
    ...bodylessProblems,
    ...conflicts('It is not running', stateConflict('The experiment has not begun.')),
  },
});

const results = createRoute({
  method: 'get',
  path: '/v1/experiments/{key}/results',
  operationId: 'getExperimentResults',
  tags,
  summary: 'Get the results of an experiment',
  request: { params: experimentParams, query: resultsQuery },
  responses: {
    200: json(experimentResultsSchema, 'The results.', {
      results: { summary: 'Of an experiment that runs', value: RESULTS },
    }),
    ...NO_VERSION,
    ...readProblems,
    503: workProblems[503],
  },
});

export function experimentRunRoutes(parts: ServiceDeps, admission: Admission) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(start, async (context) => {
      const { key } = context.req.valid('param');
      return context.json(plain(experimentView(await startExperiment(callerDeps(context, parts).database, key))), 200);
    })
    .openapi(stop, async (context) => {
      const { key } = context.req.valid('param');
      return context.json(plain(experimentView(await stopExperiment(callerDeps(context, parts).database, key))), 200);
    })
    .openapi(results, async (context) => {
      const { database } = callerDeps(context, parts);
      const { key } = context.req.valid('param');
      const { version, ...options } = context.req.valid('query');
      const experiment = await readExperiment(database, key, version);
      const aggregates = await admit(context, admission, parts, (own) => readAggregates(own.database, experiment));
      return context.json(plain(resultsOf(experiment, aggregates, options)), 200);
    });
}
