import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import {
  CHANGES,
  EXPERIMENT,
  EXPERIMENTS,
  EXPERIMENTS_REQUESTS,
  experimentChangesSchema,
  experimentParams,
  experimentRequestSchema,
  experimentResultsSchema,
  experimentSchema,
  experimentsSchema,
  experimentWithVersionsSchema,
  pageQuery,
  RESULTS,
  resultsQuery,
  STOPPED,
  versionQuery,
  WITH_VERSIONS,
} from '../../contract/index.ts';
import { readVersions } from '../../store/index.ts';
import { ExperimentExistsError, ExperimentRunningError, ExperimentStateError, LayerTakenError } from '../errors.ts';
import { readAggregates } from '../experiments/aggregates.ts';
import {
  changeExperiment,
  checkLayer,
  defineExperiment,
  startExperiment,
  stopExperiment,
} from '../experiments/definition.ts';
import { type Experiment, experimentOf, listExperiments, readExperiment } from '../experiments/experiment.ts';
import { resultsOf } from '../experiments/results.ts';
import { type Admission, admit } from '../middleware/admission.ts';
import { onInvalid, plain, problemOf } from '../problem.ts';
import {
  bodylessProblems,
  bodyProblems,
  conflicts,
  idempotencyHeaders,
  json,
  jsonBody,
  madeHeaders,
  missing,
  postProblems,
  problemAnswer,
  readProblems,
  replayHeaders,
  workProblems,
} from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import type { WorkDeps } from './key-points.ts';
import { checkVariants } from './variants.ts';

const tags = ['Experiments'];
const one = { experiment: { summary: 'An experiment', value: EXPERIMENT } };
const NOT_FOUND = 'There is no experiment with this key.';
export const NO_EXPERIMENT = missing(NOT_FOUND);
const NO_VERSION = missing(NOT_FOUND, 'There is no experiment with this key, or no such version of it.');
const LAYER_TAKEN = problemOf(new LayerTakenError('strategies'));

const create = createRoute({
  method: 'post',
  path: '/v1/experiments',
  operationId: 'createExperiment',
  tags,
  summary: 'Create an experiment',
  description: 'Defines the variants, the traffic and the metrics.',
  request: { headers: idempotencyHeaders, body: jsonBody(experimentRequestSchema, EXPERIMENTS_REQUESTS) },
  responses: {
    201: {
      ...json(experimentSchema, 'The experiment. `Location` is its address.', one),
      headers: madeHeaders('/v1/experiments/shorter-digests'),
    },
    ...postProblems,
    ...conflicts(
      'There is an experiment with this key; or another runs in its part of the layer',
      problemOf(new ExperimentExistsError()),
      LAYER_TAKEN,
    ),
  },
});

const list = createRoute({
  method: 'get',
  path: '/v1/experiments',
  operationId: 'listExperiments',
  tags,
  summary: 'List experiments',
  description: 'The newest first.',
  request: { query: pageQuery },
  responses: {
    200: json(experimentsSchema, 'A page of experiments.', { page: { summary: 'A page', value: EXPERIMENTS } }),
    ...readProblems,
  },
});

const read = createRoute({
  method: 'get',
  path: '/v1/experiments/{key}',
  operationId: 'getExperiment',
  tags,
  summary: 'Get an experiment',
  description: 'The newest version by default.',
  request: { params: experimentParams, query: versionQuery },
  responses: {
    200: json(experimentWithVersionsSchema, 'The experiment.', {
      experiment: { summary: 'An experiment', value: WITH_VERSIONS },
    }),
    ...NO_VERSION,
    ...readProblems,
  },
});

const change = createRoute({
  method: 'put',
  path: '/v1/experiments/{key}',
  operationId: 'updateExperiment',
  tags,
  summary: 'Update an experiment',
  description:
    'Every field of a draft can change. Once an experiment has started, only its hypothesis can; other changes need a new version.',
  request: { params: experimentParams, body: jsonBody(experimentChangesSchema, CHANGES) },
  responses: {
    200: json(experimentSchema, 'The updated experiment.', one),
    ...NO_EXPERIMENT,
    ...bodyProblems,
    409: problemAnswer(
      'It has begun, and `errors` points at what cannot change but in a new version; or another experiment runs in its part of the layer; or another change came between.',
      problemOf(new ExperimentRunningError('variants', 'running')),
      LAYER_TAKEN,
      problemOf(new ExperimentStateError('running', 'The experiment was changed by another request at the same time.')),
    ),
  },
});

const start = createRoute({
  method: 'post',
  path: '/v1/experiments/{key}/start',
  operationId: 'startExperiment',
  tags,
  summary: 'Start an experiment',
  description: 'Subjects are assigned to variants from now on.',
  request: { params: experimentParams, headers: idempotencyHeaders },
  responses: {
    200: { ...json(experimentSchema, 'The running experiment.', one), headers: replayHeaders },
    ...NO_EXPERIMENT,
    ...bodylessProblems,
    ...conflicts(
      'It is no draft; or another experiment runs in its part of the layer',
      problemOf(new ExperimentStateError('running', 'The experiment is running already.')),
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
    ...conflicts('It is not running', problemOf(new ExperimentStateError('draft', 'The experiment has not begun.'))),
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

export function experimentRoutes(deps: WorkDeps, admission: Admission) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(create, async (context) => {
      const { database } = callerDeps(context, deps);
      const { status = 'draft', ...asked } = context.req.valid('json');
      checkVariants(asked.variants, deps);
      const { key, layer = null } = asked;
      // Check first, so that no draft remains that cannot start.
      if (status === 'running') await checkLayer(database, { key, layer });
      const draft = await defineExperiment(database, asked);
      const made = status === 'running' ? await startExperiment(database, key) : draft;
      return context.json(experimentView(made), 201, { location: `/v1/experiments/${key}` });
    })
    .openapi(list, async (context) => {
      const { rows, next } = await listExperiments(callerDeps(context, deps).database, context.req.valid('query'));
      return context.json({ experiments: rows.map(experimentView), next }, 200);
    })
    .openapi(read, async (context) => {
      const { database } = callerDeps(context, deps);
      const { key } = context.req.valid('param');
      const found = await readExperiment(database, key, context.req.valid('query').version);
      const versions = (await readVersions(database, key)).map((stored) => versionView(experimentOf(stored)));
      return context.json({ ...experimentView(found), versions }, 200);
    })
    .openapi(change, async (context) => {
      const { database } = callerDeps(context, deps);
      const { version, newVersion, ...changes } = context.req.valid('json');
      checkVariants(changes.variants ?? [], deps);
      const { key } = context.req.valid('param');
      return context.json(experimentView(await changeExperiment(database, key, changes, { newVersion, version })), 200);
    })
    .openapi(start, async (context) => {
      const { key } = context.req.valid('param');
      return context.json(experimentView(await startExperiment(callerDeps(context, deps).database, key)), 200);
    })
    .openapi(stop, async (context) => {
      const { key } = context.req.valid('param');
      return context.json(experimentView(await stopExperiment(callerDeps(context, deps).database, key)), 200);
    })
    .openapi(results, async (context) => {
      const { database } = callerDeps(context, deps);
      const { key } = context.req.valid('param');
      const { version, ...options } = context.req.valid('query');
      const experiment = await readExperiment(database, key, version);
      const aggregates = await admit(context, admission, deps, (own) => readAggregates(own.database, experiment));
      return context.json(plain(resultsOf(experiment, aggregates, options)), 200);
    });
}

function experimentView({ key, hypothesis, version, state, createdAt, startedAt, stoppedAt, ...rest }: Experiment) {
  return plain({
    key,
    hypothesis,
    version,
    status: state,
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    startedAt: timeView(startedAt),
    stoppedAt: timeView(stoppedAt),
  });
}

function versionView({ version, state, startedAt, stoppedAt }: Experiment) {
  return { version, status: state, startedAt: timeView(startedAt), stoppedAt: timeView(stoppedAt) };
}

function timeView(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
