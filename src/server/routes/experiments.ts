import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import {
  CHANGES,
  EXPERIMENT,
  EXPERIMENTS,
  EXPERIMENTS_REQUESTS,
  experimentChangesSchema,
  experimentParams,
  experimentRequestSchema,
  experimentSchema,
  experimentsSchema,
  experimentWithVersionsSchema,
  pageQuery,
  versionQuery,
  WITH_VERSIONS,
} from '../../contract/index.ts';
import { readVersions } from '../../store/index.ts';
import { changeExperiment } from '../experiments/change-experiment.ts';
import { checkLayer } from '../experiments/check-layer.ts';
import { defineExperiment } from '../experiments/define-experiment.ts';
import { experimentOf, listExperiments, readExperiment } from '../experiments/read-experiment.ts';
import { startExperiment } from '../experiments/start-experiment.ts';
import { plain } from '../plain.ts';
import { conflict } from '../problem.ts';
import { onInvalid } from '../respond.ts';
import {
  bodyProblems,
  conflicts,
  idempotencyHeaders,
  json,
  jsonBody,
  madeHeaders,
  postProblems,
  problemAnswer,
  readProblems,
} from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-env.ts';
import { checkVariants } from './check-variants.ts';
import { LAYER_TAKEN, NO_EXPERIMENT, NO_VERSION, stateConflict } from './experiment-problems.ts';
import { experimentView, versionView } from './experiment-views.ts';
import type { WorkDeps } from './key-points.ts';

const tags = ['Experiments'];
const one = { experiment: { summary: 'An experiment', value: EXPERIMENT } };

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
      conflict({
        code: 'experiment-exists',
        message: 'An experiment with this key already exists.',
        pointer: '/key',
      }),
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
      conflict({
        code: 'experiment-running',
        message: 'The experiment is running: its variants cannot change but in a new version ("newVersion": true).',
        pointer: '/variants',
      }),
      LAYER_TAKEN,
      stateConflict('The experiment was changed by another request at the same time.'),
    ),
  },
});

export function experimentRoutes(deps: WorkDeps) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(create, async (context) => {
      const { database } = callerDeps(context, deps);
      const { status = 'draft', ...asked } = context.req.valid('json');
      checkVariants(asked.variants, deps);
      const { key, layer = null } = asked;
      // Before it is there: what cannot begin should not stay as a draft.
      if (status === 'running') await checkLayer(database, { key, layer });
      const draft = await defineExperiment(database, asked);
      const made = status === 'running' ? await startExperiment(database, key) : draft;
      return context.json(plain(experimentView(made)), 201, { location: `/v1/experiments/${key}` });
    })
    .openapi(list, async (context) => {
      const { rows, next } = await listExperiments(callerDeps(context, deps).database, context.req.valid('query'));
      return context.json({ experiments: plain(rows.map(experimentView)), next }, 200);
    })
    .openapi(read, async (context) => {
      const { database } = callerDeps(context, deps);
      const { key } = context.req.valid('param');
      const found = await readExperiment(database, key, context.req.valid('query').version);
      const versions = (await readVersions(database, key)).map((stored) => versionView(experimentOf(stored)));
      return context.json({ ...plain(experimentView(found)), versions }, 200);
    })
    .openapi(change, async (context) => {
      const { database } = callerDeps(context, deps);
      const { version, newVersion, ...changes } = context.req.valid('json');
      checkVariants(changes.variants ?? [], deps);
      const { key } = context.req.valid('param');
      return context.json(
        plain(experimentView(await changeExperiment(database, key, changes, { newVersion, version }))),
        200,
      );
    });
}
