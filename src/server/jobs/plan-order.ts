import type { Digest, VariantOptions } from '../../contract/index.ts';
import {
  type DigestOrder,
  type DigestPlan,
  type EarlierReading,
  planDigest,
  type ResolvedRequest,
  type StoredRequest,
  UnusableOptionError,
} from '../../digest/index.ts';
import { type Database, readDigest, readDigestRequest } from '../../store/index.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** What an order asks, with what it goes on from. */
type ResolvedIntent = Pick<ResolvedRequest, 'intent' | 'earlier'>;

/** An order with everything decided that can be before its documents are looked at. */
export interface PlannedOrder {
  readonly asked: ResolvedIntent;
  /** Of a request without documents and without an experiment: nothing of a plan depends on them. */
  readonly plan: DigestPlan;
  /** Ends the calls of the plan's language models. */
  readonly controller: AbortController;
}

/**
 * Reads what the intent of an order refers to; what it returns plans the order with some options.
 *
 * @throws UnusableOptionError where the earlier digest is not there or has no answer
 * @returns a function that throws TesseraError for options that cannot be served
 */
export async function orderPlanner(
  { intent }: Pick<DigestOrder, 'intent'>,
  deps: ServiceDeps,
): Promise<(options: VariantOptions) => PlannedOrder> {
  const asked = await resolvedIntent(intent, deps.database);
  return ({ selection, summary, engine }) => {
    const controller = new AbortController();
    const request = { ...asked, selection, summary, engine, documents: [] };
    return { asked, plan: planDigest(request, deps, controller.signal), controller };
  };
}

/** The intent without the digest that it goes on from, and what that digest told and read. */
async function resolvedIntent(intent: DigestOrder['intent'], database: Database): Promise<ResolvedIntent> {
  if (intent === undefined) return {};
  if (typeof intent === 'string') return { intent };
  const { background, ...report } = intent;
  if (typeof background !== 'object') return { intent: { ...report, background } };
  return { intent: report, earlier: await readEarlier(background.digest, database) };
}

const POINTER = '/intent/background/digest';

async function readEarlier(id: string, database: Database): Promise<EarlierReading> {
  const row = await readDigest(database, id);
  if (row === undefined) throw new UnusableOptionError(POINTER, 'There is no digest with this id.');
  if (row.answer === null) throw new UnusableOptionError(POINTER, 'This digest has no answer, or none yet.');
  // Only this service writes answers and requests.
  const { keyPoints, documents } = JSON.parse(row.answer) as Digest;
  const request = await readDigestRequest(database, id);
  if (request == null) throw new UnusableOptionError(POINTER, 'This digest was made before requests were kept.');
  const before = JSON.parse(request) as StoredRequest;
  const hashes = new Map(before.documents.map((document) => [document.id, document.hash]));
  const read = documents.filter(
    ({ status, excluded }) => status === 'ok' || status === 'empty' || excluded === 'known',
  );
  const told = keyPoints
    .filter(({ selected, supports }) => selected || supports !== null)
    .map(({ text, speaker }) => ({ text, ...(speaker !== null && { speaker }) }));
  const points = new Map([...(before.earlier?.points ?? []), ...told].map((point) => [JSON.stringify(point), point]));
  const seen = new Set([...(before.earlier?.documents ?? []), ...read.flatMap((each) => hashes.get(each.id) ?? [])]);
  return { digest: id, points: [...points.values()], documents: [...seen] };
}
