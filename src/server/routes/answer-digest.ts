import type { Context } from 'hono';
import type { DigestPartsQuery, DigestRequest, PendingDigest, Problem, VariantOptions } from '../../contract/index.ts';
import { UnusableOptionError } from '../../digest/index.ts';
import { countJobs, type Database, deleteDigest, readDigest, type StoredDigest } from '../../store/index.ts';
import { NotFoundError, OverloadedError } from '../errors.ts';
import { takePart } from '../experiments/take-part.ts';
import { type Fetching, fetchDocuments } from '../fetching/fetch-documents.ts';
import { acceptDigest, cancelDigest, requestPlanner } from '../jobs/accept-digest.ts';
import { hasDigestEnded, type streamPlaces, waitForDigest } from '../jobs/follow-digest.ts';
import type { Worker } from '../jobs/start-worker.ts';
import { checkLimits, type Limits } from '../limits.ts';
import type { Admission } from '../middleware/admission.ts';
import type { Preference } from '../middleware/http-fields.ts';
import { problem, respond } from '../problem.ts';
import type { IdempotentCall, ServiceDeps, ServiceEnv } from '../service-deps.ts';
import type { ServiceMetrics } from '../service-metrics.ts';
import { digestView } from '../stored/stored-digests.ts';
import { type AllowedTargets, targetProblem } from '../targets.ts';
import { type StreamDeps, streamDigest } from './stream-digest.ts';
import { checkVariants } from './variants.ts';

export interface DigestRouteDeps extends ServiceDeps, StreamDeps {
  readonly worker: Worker;
  readonly limits: Limits;
  readonly digestAdmission: Admission;
  readonly otherAdmission: Admission;
  readonly enterStream: ReturnType<typeof streamPlaces>;
  readonly allowedTargets: AllowedTargets;
  readonly fetching?: Fetching;
  readonly metrics: ServiceMetrics;
}

interface ResponseMode {
  readonly isStream: boolean;
  readonly preference: Preference;
  readonly parts: DigestPartsQuery;
}

/** Answers with the digest, a stream, or its address, as the caller prefers. `deps` is limited to the caller's rows. */
export async function answerDigest(
  context: Context<ServiceEnv>,
  asked: DigestRequest,
  mode: ResponseMode,
  deps: DigestRouteDeps,
): Promise<Response> {
  const { database, metrics, digestAdmission, enterStream } = deps;
  const keyed = context.get('keyed');
  // A replayed answer keeps its original form, whatever the caller prefers now.
  const isStream = keyed?.replays == null ? mode.isStream : keyed.replays === 200;
  const isAwaited = isStream || mode.preference.wait !== 0;
  let id = await madeBefore(keyed, database);
  const closeStream = isStream ? enterStream(database.tenant) : () => {};
  // A retry adds no work.
  const leave = isAwaited && id === null ? digestAdmission.enter(database.tenant) : () => {};
  const end = (): void => {
    leave?.();
    closeStream();
  };
  let isLeft = false;
  try {
    if (leave === null) throw new OverloadedError('waiting');
    if (id === null) {
      id = await accept(asked, deps, isAwaited, context);
      metrics.count('jobs', { event: 'queued' });
    }
    if (isStream) {
      keyed?.answers(id);
      isLeft = true;
      return streamDigest(context, id, { after: 0, parts: mode.parts }, deps, end);
    }
    return await waitAndAnswer(context, id, mode, deps);
  } finally {
    if (!isLeft) end();
  }
}

async function accept(
  asked: DigestRequest,
  deps: DigestRouteDeps,
  isAwaited: boolean,
  context: Context<ServiceEnv>,
): Promise<string> {
  const { database, worker, limits } = deps;
  const keyed = context.get('keyed');
  checkLimits(asked, limits);
  const wrong = asked.callbackUrl === undefined ? null : targetProblem(asked.callbackUrl, deps.allowedTargets);
  if (wrong !== null) throw new UnusableOptionError('/callbackUrl', wrong);
  if ((await countJobs(database)).queued >= limits.queuedDigests) throw new OverloadedError('queue');
  const planner = await requestPlanner(asked, deps);
  const planned = (options: VariantOptions) => {
    checkLimits({ selection: options.selection }, limits);
    return planner(options);
  };
  const documents = asked.documents && (await fetchDocuments(asked.documents, deps.fetching, context));
  checkLimits({ documents }, limits);
  const { plan, experiment, exposure } = await takePart(asked, database, planned, (all) => checkVariants(all, deps));
  return acceptDigest({ ...asked, documents }, plan, deps, worker, {
    parts: { experiment },
    isAwaited,
    most: limits.digestsPerTenant,
    maxCharacters: limits.characters,
    statements: (id) => [...(keyed?.bind(id) ?? []), ...exposure],
  });
}

async function waitAndAnswer(
  context: Context<ServiceEnv>,
  id: string,
  { preference: { wait, applied }, parts }: ResponseMode,
  deps: DigestRouteDeps,
): Promise<Response> {
  const { database, worker, limits } = deps;
  const keyed = context.get('keyed');
  const { signal } = context.req.raw;
  const milliseconds = Math.min(limits.waitMilliseconds, 1000 * (wait ?? Number.POSITIVE_INFINITY));
  const headers = { location: `/v1/digests/${id}`, ...(applied !== null && { 'preference-applied': applied }) };
  const stored = await waitForDigest(database, id, worker, milliseconds, signal);
  if (stored === undefined) throw new NotFoundError('digest');
  if (stored.answer !== null) {
    keyed?.answers(id);
    return context.body(await digestView(stored, parts, database), 201, {
      ...headers,
      'content-type': 'application/json',
    });
  }
  if (signal.aborted && !hasDigestEnded(stored)) {
    // Nobody reads this answer, and without a key nobody knows the id.
    if (keyed === undefined && milliseconds > 0 && (await cancelDigest(id, deps, worker))) {
      await deleteDigest(database, id);
    }
    return new Response(null, { status: 499 });
  }
  const failure = failureOf(stored);
  if (failure !== undefined && milliseconds > 0) return respond(failure);
  return context.json(pendingView(stored), 202, headers);
}

/** The digest of an earlier attempt; null if missing, or if it failed and may be retried. */
async function madeBefore(keyed: IdempotentCall | undefined, database: Database): Promise<string | null> {
  if (keyed?.digest == null || keyed.replays !== null) return keyed?.digest ?? null;
  const stored = await readDigest(database, keyed.digest);
  return stored === undefined || failureOf(stored) !== undefined ? null : keyed.digest;
}

/** Why there will be no answer; undefined if there is or may be one. */
function failureOf({ state, problem: stored }: StoredDigest): Problem | undefined {
  return state === 'cancelled' ? problem('digest-cancelled') : errorOf(stored).error;
}

export function pendingView({ id, status, state, progress, problem, createdAt }: StoredDigest): PendingDigest {
  return {
    id,
    status: (state === 'done' || state === null ? status : state) as PendingDigest['status'],
    progress: progress === null ? null : JSON.parse(progress),
    createdAt: new Date(createdAt).toISOString(),
    ...errorOf(problem),
  };
}

/** A stored problem as a field; only `problemOf` makes these. */
export function errorOf(problem: string | null): { readonly error?: Problem } {
  return problem === null ? {} : { error: JSON.parse(problem) };
}
