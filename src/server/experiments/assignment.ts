import type { BatchItem } from 'drizzle-orm/batch';
import type { Assignment, Experiment } from '../../contract/index.ts';
import { type Database, insertExposure, readExposures } from '../../store/index.ts';
import { InvalidExperimentError } from '../errors.ts';
import { type ExperimentDefinition, metricsOf, problemOfId } from './experiment.ts';

const PLACES = 10_000;

/**
 * Maps a value to [0, 1) in steps of 1 / 10,000: GrowthBook's hash version 2, as in its JavaScript SDK
 * (docs.growthbook.io/lib/build-your-own, "hash"). 32-bit FNV-1a twice, the second time over the digits of the first; otherwise values with
 * a common ending would correlate.
 */
export function hashPlace(seed: string, value: string): number {
  return (fnv32a(String(fnv32a(seed + value))) % PLACES) / PLACES;
}

function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/**
 * Assigns a subject by hash alone. Traffic and variant use independent hashes: a change of traffic moves nobody between variants.
 */
export function assign(experiment: Experiment, subject: string): Assignment {
  const { key, version, status, traffic, salt } = experiment;
  const out = (reason: Assignment['reason']): Assignment => ({ key, version, variant: null, reason });
  if (status !== 'running') return out(status);
  if (hashPlace(`${salt}:traffic`, subject) >= traffic) return out('traffic');
  return { key, version, variant: variantOf(experiment, subject), reason: 'assigned' };
}

function variantOf({ variants, salt }: ExperimentDefinition, subject: string): string {
  const place = hashPlace(salt, subject);
  let end = 0;
  for (const { name, weight } of variants) {
    end += weight;
    if (place < end) return name;
  }
  return variants[variants.length - 1].name; // weights sum to 1 up to rounding
}

/** The variant that a subject saw in this version, or by hash if none. Writes nothing. @throws InvalidExperimentError for an invalid id */
export async function assignSubject(
  database: Database,
  experiment: Experiment,
  subject: string,
  pointer = '/subject',
): Promise<Assignment> {
  const detail = problemOfId(subject);
  if (detail !== null) throw new InvalidExperimentError([{ pointer, detail }]);
  const assigned = assign(experiment, subject);
  if (experiment.status !== 'running') return assigned;
  const { key, version, variants } = experiment;
  const seen = (await readExposures(database, key, [subject])).find((exposure) => exposure.version === version);
  return seen === undefined ? assigned : { key, version, variant: variants[seen.variant].name, reason: 'assigned' };
}

/**
 * Statements that record an exposure once per subject and version, for the commit of the exposed content. A subject that overrides at any
 * time is excluded from the analysis. Empty without a variant; without effect after the version has ended.
 */
export function exposureStatements(
  database: Database,
  experiment: Experiment,
  subject: string,
  { variant, overridden }: { readonly variant: string | null; readonly overridden: boolean },
): BatchItem<'sqlite'>[] {
  const place = experiment.variants.findIndex(({ name }) => name === variant);
  if (place < 0) return [];
  const exposure = { subject, version: experiment.version, variant: place, overridden };
  return insertExposure(database, experiment.key, exposure, metricsOf(experiment).length);
}

/** Records an exposure for apps that apply variants themselves. @throws InvalidExperimentError for an invalid subject id */
export async function recordExposure(database: Database, experiment: Experiment, subject: string): Promise<Assignment> {
  const assignment = await assignSubject(database, experiment, subject);
  const { variant } = assignment;
  const statements = exposureStatements(database, experiment, subject, { variant, overridden: false });
  if (statements.length > 0) await database.commit(statements);
  return assignment;
}
