import { OpenAPIHono } from '@hono/zod-openapi';
import * as contract from '../../contract/index.ts';
import { planDigest, UnusableOptionError } from '../../digest/index.ts';
import * as store from '../../store/index.ts';
import { parseUrl } from '../../text/index.ts';
import { knownCollection } from '../collections/collections.ts';
import { NotFoundError, ServiceError } from '../errors.ts';
import { checkLimits } from '../limits.ts';
import { onInvalid, plain } from '../problem.ts';
import * as answers from '../responses.ts';
import { callerDeps, type ServiceDeps, type ServiceEnv } from '../service-deps.ts';
import { targetProblem } from '../targets.ts';
import type { DigestRouteDeps } from './answer-digest.ts';

type SubscriptionDeps = Pick<DigestRouteDeps, keyof ServiceDeps | 'limits' | 'allowedTargets'>;

const api = answers.operations('Subscriptions');
const one = answers.json(contract.subscriptionSchema, 'The subscription.');
const noSubscription = answers.missing('There is no subscription with this id; it was deleted, or its collection was.');
const gone = { description: 'Deleted. Its digests stay, and one that is being made is still sent.' };

const create = api.post('/v1/subscriptions', 'createSubscription', 'Subscribe to what is new', {
  description:
    'When documents are added to the collection or replaced, makes a digest of what is new since the last one. Documents added within a short time of each other are read together. With a webhook, announces each digest that has something new to say.',
  request: { headers: answers.idempotencyHeaders, body: answers.jsonBody(contract.subscriptionRequestSchema) },
  responses: {
    201: { ...one, headers: answers.madeHeaders('/v1/subscriptions/sub_8c2f1d7a9b3e4c56a0d1f2e3b4c5d6e7') },
    ...answers.missing('There is no collection with this id.'),
    ...answers.postProblems,
  },
});

const list = api.get('/v1/subscriptions', 'listSubscriptions', 'List subscriptions', {
  request: { query: contract.pageQuery },
  responses: { 200: answers.json(contract.subscriptionsSchema, 'A page of subscriptions.'), ...answers.readProblems },
});

const read = api.get('/v1/subscriptions/{id}', 'getSubscription', 'Get a subscription', {
  request: { params: contract.subscriptionParams },
  responses: { 200: one, ...noSubscription, ...answers.callerProblems },
});

const change = api.patch('/v1/subscriptions/{id}', 'changeSubscription', 'Pause or resume a subscription', {
  description: 'Documents added during a pause are read together after it.',
  request: { params: contract.subscriptionParams, body: answers.jsonBody(contract.subscriptionChangeSchema) },
  responses: { 200: one, ...noSubscription, ...answers.bodyProblems },
});

const remove = api.remove('/v1/subscriptions/{id}', 'deleteSubscription', 'Delete a subscription', {
  request: { params: contract.subscriptionParams },
  responses: { 204: gone, ...noSubscription, ...answers.callerProblems, ...answers.noRoom },
});

export function subscriptionRoutes(deps: SubscriptionDeps) {
  const databaseOf = (context: Parameters<typeof callerDeps>[0]) => callerDeps(context, deps).database;
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(create, async (context) => {
      const own = callerDeps(context, deps);
      const { subscriptionsPerTenant: most } = own.limits;
      const request = context.req.valid('json');
      const { collection, intent, selection, summary, engine, webhook } = request;
      const wrong = webhook && targetProblem(webhook.url, own.allowedTargets);
      if (wrong) throw new UnusableOptionError('/webhook/url', wrong);
      checkLimits({ selection }, own.limits);
      planDigest({ intent, selection, summary, engine }, own);
      await knownCollection(collection, own.database);
      const id = `sub_${crypto.randomUUID().replaceAll('-', '')}`;
      const row = { id, collectionId: collection, request: JSON.stringify(request) };
      const isAdded = await store.insertSubscription(own.database, row, most);
      if (!isAdded) throw new ServiceError('too-many-subscriptions', `At most ${most} are kept: delete one first.`);
      const made = plain(await readSubscription(id, own.database));
      return context.json(made, 201, { location: `/v1/subscriptions/${id}` });
    })
    .openapi(list, async (context) => {
      const { rows, next } = await store.listSubscriptions(databaseOf(context), context.req.valid('query'));
      return context.json(plain({ subscriptions: rows.map(subscriptionView), next }), 200);
    })
    .openapi(read, async (context) =>
      context.json(plain(await readSubscription(context.req.valid('param').id, databaseOf(context))), 200),
    )
    .openapi(change, async (context) => {
      const { id } = context.req.valid('param');
      const isPaused = context.req.valid('json').state === 'paused';
      await store.pauseSubscription(databaseOf(context), id, Number(isPaused));
      return context.json(plain(await readSubscription(id, databaseOf(context))), 200);
    })
    .openapi(remove, async (context) => {
      const { id } = context.req.valid('param');
      if (!(await store.removeSubscription(databaseOf(context), id))) throw new NotFoundError('subscription');
      return context.body(null, 204);
    });
}

/** @throws NotFoundError */
async function readSubscription(id: string, database: store.Database): Promise<contract.Subscription> {
  const stored = await store.readSubscription(database, id);
  if (stored === undefined) throw new NotFoundError('subscription');
  return subscriptionView(stored);
}

function subscriptionView(stored: store.StoredSubscription): contract.Subscription {
  const { webhook, ...standing }: contract.SubscriptionRequest = JSON.parse(stored.request); // as it was checked
  const { id, isPaused, seen, unseen, lastRun, digestId, createdAt } = stored;
  return {
    ...standing,
    id,
    webhook: webhook === undefined ? null : { target: parseUrl(webhook.url)?.origin ?? '' },
    state: isPaused === 1 ? 'paused' : 'active',
    documents: { seen, new: unseen },
    lastDigest: digestId,
    lastRun: lastRun === null ? null : JSON.parse(lastRun),
    createdAt: new Date(createdAt).toISOString(),
  };
}
