import { OpenAPIHono } from '@hono/zod-openapi';
import * as contract from '../../contract/index.ts';
import { readVersions } from '../../store/index.ts';
import { experimentRunning, ServiceError } from '../errors.ts';
import { readAggregates } from '../experiments/aggregates.ts';
import { assignSubject, recordExposure } from '../experiments/assignment.ts';
import { changeExperiment, defineExperiment, startExperiment, stopExperiment } from '../experiments/definition.ts';
import { experimentOf, listExperiments, readExperiment } from '../experiments/experiment.ts';
import { recordOutcomes } from '../experiments/outcomes.ts';
import { resultsOf } from '../experiments/results.ts';
import { type Admission, admit } from '../middleware/admission.ts';
import { invalid, onInvalid, plain, problemOf, respond } from '../problem.ts';
import * as answers from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import { checkVariants } from './variants.ts';
import type { WorkDeps } from './work.ts';

const api = answers.operations('Experiments');
const one = answers.json(contract.experimentSchema, 'The experiment.', contract.EXPERIMENT_EXAMPLES.experiment);
const NOT_FOUND = 'There is no experiment with this key.';
const NO_EXPERIMENT = answers.missing(NOT_FOUND);
const NO_VERSION = answers.missing(NOT_FOUND, 'There is no experiment with this key, or no such version of it.');
const wrongState = (detail: string) => problemOf(new ServiceError('experiment-state', detail));

const create = api.post('/v1/experiments', 'createExperiment', 'Create an experiment', {
  description: 'Defines the variants, the traffic and the metrics.',
  request: {
    headers: answers.idempotencyHeaders,
    body: answers.jsonBody(contract.experimentRequestSchema, contract.EXPERIMENT_EXAMPLES.requests),
  },
  responses: {
    201: {
      ...one,
      description: 'The experiment. `Location` is its address.',
      headers: answers.madeHeaders('/v1/experiments/shorter-digests'),
    },
    ...answers.postProblems,
    ...answers.conflicts(
      'There is an experiment with this key',
      problemOf(new ServiceError('experiment-exists', 'An experiment with this key already exists.', '/key')),
    ),
  },
});

const list = api.get('/v1/experiments', 'listExperiments', 'List experiments', {
  description: 'The newest first.',
  request: { query: contract.pageQuery },
  responses: {
    200: answers.json(contract.experimentsSchema, 'A page of experiments.', contract.EXPERIMENT_EXAMPLES.page),
    ...answers.readProblems,
  },
});

const read = api.get('/v1/experiments/{key}', 'getExperiment', 'Get an experiment', {
  description: 'The newest version by default.',
  request: { params: contract.experimentParams, query: contract.versionQuery },
  responses: {
    200: answers.json(
      contract.experimentWithVersionsSchema,
      'The experiment.',
      contract.EXPERIMENT_EXAMPLES.withVersions,
    ),
    ...NO_VERSION,
    ...answers.readProblems,
  },
});

const change = api.put('/v1/experiments/{key}', 'updateExperiment', 'Update an experiment', {
  description:
    'Every field of a draft can change. Once an experiment has started, only its hypothesis can; other changes need a new version.',
  request: {
    params: contract.experimentParams,
    body: answers.jsonBody(contract.experimentChangesSchema, contract.EXPERIMENT_EXAMPLES.changes),
  },
  responses: {
    200: { ...one, description: 'The updated experiment.' },
    ...NO_EXPERIMENT,
    ...answers.bodyProblems,
    409: answers.problemAnswer(
      'It has begun, and `errors` points at what cannot change but in a new version; or another change came between.',
      problemOf(experimentRunning('variants', 'running')),
      wrongState('The experiment was changed by another request at the same time.'),
    ),
  },
});

const start = api.post('/v1/experiments/{key}/start', 'startExperiment', 'Start an experiment', {
  description: 'Subjects are assigned to variants from now on.',
  request: { params: contract.experimentParams, headers: answers.idempotencyHeaders },
  responses: {
    200: { ...one, description: 'The running experiment.', headers: answers.replayHeaders },
    ...NO_EXPERIMENT,
    ...answers.bodylessProblems,
    ...answers.conflicts('It is no draft', wrongState('The experiment is running already.')),
  },
});

const stop = api.post('/v1/experiments/{key}/stop', 'stopExperiment', 'Stop an experiment', {
  description:
    'No more subjects are assigned. Outcomes that happened before the stop still count when they arrive later.',
  request: { params: contract.experimentParams, headers: answers.idempotencyHeaders },
  responses: {
    200: {
      ...answers.json(contract.experimentSchema, 'The stopped experiment.', contract.EXPERIMENT_EXAMPLES.stopped),
      headers: answers.replayHeaders,
    },
    ...NO_EXPERIMENT,
    ...answers.bodylessProblems,
    ...answers.conflicts('It is not running', wrongState('The experiment has not begun.')),
  },
});

const results = api.get('/v1/experiments/{key}/results', 'getExperimentResults', 'Get the results of an experiment', {
  request: { params: contract.experimentParams, query: contract.resultsQuery },
  responses: {
    200: answers.json(contract.experimentResultsSchema, 'The results.', contract.EXPERIMENT_EXAMPLES.results),
    ...NO_VERSION,
    ...answers.readProblems,
    503: answers.workProblems[503],
  },
});

const assignment = api.get('/v1/experiments/{key}/assignment', 'getAssignment', 'Get the variant of a subject', {
  description: 'Does not record an exposure.',
  request: { params: contract.experimentParams, query: contract.subjectSchema },
  responses: {
    200: answers.json(contract.assignmentSchema, 'The assignment.', contract.EXPERIMENT_EXAMPLES.assignments),
    ...NO_EXPERIMENT,
    ...answers.readProblems,
  },
});

const expose = api.post('/v1/experiments/{key}/exposures', 'recordExposure', 'Record an exposure', {
  description: 'For applications that apply the variant themselves: records that the subject has seen it.',
  request: {
    params: contract.experimentParams,
    headers: answers.idempotencyHeaders,
    body: answers.jsonBody(contract.subjectSchema, contract.EXPERIMENT_EXAMPLES.exposures),
  },
  responses: {
    200: {
      ...answers.json(contract.assignmentSchema, 'The assignment.', contract.EXPERIMENT_EXAMPLES.assignments),
      headers: answers.replayHeaders,
    },
    ...NO_EXPERIMENT,
    ...answers.postProblems,
  },
});

const outcomes = api.post('/v1/experiments/{key}/outcomes', 'recordOutcomes', 'Record outcomes', {
  description:
    'An outcome belongs to the version that its subject saw last before it. Valid outcomes are recorded even if others in the batch are not; if none is valid, the response is 422.',
  request: {
    params: contract.experimentParams,
    headers: answers.idempotencyHeaders,
    body: answers.jsonBody(contract.outcomesRequestSchema, contract.EXPERIMENT_EXAMPLES.outcomes),
  },
  responses: {
    200: {
      ...answers.json(contract.recordedOutcomesSchema, 'What became of them.', contract.EXPERIMENT_EXAMPLES.recorded),
      headers: answers.replayHeaders,
    },
    ...NO_EXPERIMENT,
    ...answers.postProblems,
  },
});

export function experimentRoutes(deps: WorkDeps, admission: Admission) {
  const databaseOf = (context: Parameters<typeof callerDeps>[0]) => callerDeps(context, deps).database;
  const routes = new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid });
  // No route uses it as its schema: the batch only refers to it.
  routes.openAPIRegistry.register(contract.OUTCOME, contract.outcomeSchema);
  return routes
    .openapi(create, async (context) => {
      const database = databaseOf(context);
      const { status = 'draft', ...asked } = context.req.valid('json');
      checkVariants(asked.variants, deps);
      const draft = await defineExperiment(database, asked);
      const made = status === 'running' ? await startExperiment(database, asked.key) : draft;
      return context.json(plain(made), 201, { location: `/v1/experiments/${asked.key}` });
    })
    .openapi(list, async (context) => {
      const { rows, next } = await listExperiments(databaseOf(context), context.req.valid('query'));
      return context.json({ experiments: rows.map(plain), next }, 200);
    })
    .openapi(read, async (context) => {
      const database = databaseOf(context);
      const { key } = context.req.valid('param');
      const found = await readExperiment(database, key, context.req.valid('query').version);
      const versions = (await readVersions(database, key)).map((stored) => {
        const { version, status, startedAt, stoppedAt } = experimentOf(stored);
        return { version, status, startedAt, stoppedAt };
      });
      return context.json(plain({ ...found, versions }), 200);
    })
    .openapi(change, async (context) => {
      const changes = context.req.valid('json');
      checkVariants(changes.variants ?? [], deps);
      const changed = await changeExperiment(databaseOf(context), context.req.valid('param').key, changes);
      return context.json(plain(changed), 200);
    })
    .openapi(start, async (context) => {
      const { key } = context.req.valid('param');
      return context.json(plain(await startExperiment(databaseOf(context), key)), 200);
    })
    .openapi(stop, async (context) => {
      const { key } = context.req.valid('param');
      return context.json(plain(await stopExperiment(databaseOf(context), key)), 200);
    })
    .openapi(results, async (context) => {
      const { version, ...options } = context.req.valid('query');
      const experiment = await readExperiment(databaseOf(context), context.req.valid('param').key, version);
      const aggregates = await admit(context, admission, deps, (own) => readAggregates(own.database, experiment));
      return context.json(plain(resultsOf(experiment, aggregates, options)), 200);
    })
    .openapi(assignment, async (context) => {
      const database = databaseOf(context);
      const experiment = await readExperiment(database, context.req.valid('param').key);
      return context.json(plain(await assignSubject(database, experiment, context.req.valid('query').subject)), 200);
    })
    .openapi(expose, async (context) => {
      const database = databaseOf(context);
      const experiment = await readExperiment(database, context.req.valid('param').key);
      return context.json(plain(await recordExposure(database, experiment, context.req.valid('json').subject)), 200);
    })
    .openapi(outcomes, async (context) => {
      const batch = context.req.valid('json').outcomes;
      const recorded = await recordOutcomes(databaseOf(context), context.req.valid('param').key, batch);
      const { problems } = recorded;
      if (new Set(problems.map(({ index }) => index)).size === batch.length) {
        return respond(invalid(problems.map(({ pointer, detail }) => ({ pointer, detail })))) as never;
      }
      return context.json(plain(recorded), 200);
    });
}
