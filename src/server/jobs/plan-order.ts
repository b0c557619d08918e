import type { Digest, DigestRequest, VariantOptions } from '../../contract/index.ts';
import {
  type EarlierReading,
  type Plan,
  type PlannedRequest,
  planDigest,
  type StoredRequest,
  UnusableOptionError,
} from '../../digest/index.ts';
import { type Database, readDigest, readDigestRequest } from '../../store/index.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface PlannedDigest {
  readonly plan: Plan;
  readonly controller: AbortController;
}

/**
 * Returns a planner of the request with given options, which throws TesseraError if they cannot be served.
 *
 * @throws UnusableOptionError if the earlier digest is missing or has no answer
 */
export async function requestPlanner(
  { intent }: Pick<DigestRequest, 'intent'>,
  deps: ServiceDeps,
): Promise<(options: VariantOptions) => PlannedDigest> {
  const asked = await resolveIntent(intent, deps.database);
  return ({ selection, summary, engine }) => {
    const controller = new AbortController();
    return { plan: planDigest({ ...asked, selection, summary, engine }, deps, controller.signal), controller };
  };
}

async function resolveIntent(
  intent: DigestRequest['intent'],
  database: Database,
): Promise<Pick<PlannedRequest, 'intent' | 'earlier'>> {
  if (intent === undefined) return {};
  if (typeof intent === 'string') return { intent };
  const { background, ...report } = intent;
  if (typeof background !== 'object') return { intent: { ...report, background } };
  return { intent: report, earlier: await readEarlier(background.digest, database) };
}

const POINTER = '/intent/background/digest';

async function readEarlier(id: string, database: Database): Promise<EarlierReading> {
  const row = await readDigest(database, id);
  const request = await readDigestRequest(database, id);
  if (row === undefined) throw new UnusableOptionError(POINTER, 'There is no digest with this id.');
  if (row.answer === null || request == null)
    throw new UnusableOptionError(POINTER, 'This digest has no answer, or none yet.');
  // Only this service writes answers and requests.
  const { keyPoints, documents } = JSON.parse(row.answer) as Digest;
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
