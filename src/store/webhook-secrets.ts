import { eq, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { tenants } from './schema.ts';

/** Bytes of a secret: Standard Webhooks asks for 24 to 64. */
const BYTES = 32;

/** A new random secret as Standard Webhooks writes it; what a new row of `tenants` needs. */
export function newWebhookSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))}`;
}

/**
 * The secrets that sign the tenant's messages: the current one, made where there is none yet, and the one before it while
 * that holds.
 */
export async function webhookSecrets(database: Database): Promise<readonly [string, ...string[]]> {
  const known = (await readSecrets(database)) ?? (await makeSecrets(database));
  const { current, previous, until } = known;
  return previous !== null && until !== null && until > database.now() ? [current, previous] : [current];
}

/**
 * Makes a new secret and returns it. The one before it signs as well for so many milliseconds; the one before that ends.
 */
export async function rotateWebhookSecret(database: Database, keepMilliseconds: number): Promise<string> {
  const now = database.now();
  const [row] = await database.write(() =>
    database.query
      .insert(tenants)
      .values({ tenant: database.tenant, webhookSecret: newWebhookSecret(), createdAt: now })
      .onConflictDoUpdate({
        target: tenants.tenant,
        set: {
          webhookSecret: sql`excluded.webhook_secret`,
          previousSecret: sql`${tenants.webhookSecret}`,
          previousUntil: now + keepMilliseconds,
        },
      })
      .returning({ current: tenants.webhookSecret }),
  );
  return row.current;
}

interface Secrets {
  readonly current: string;
  readonly previous: string | null;
  readonly until: number | null;
}

async function readSecrets(database: Database): Promise<Secrets | undefined> {
  const [row] = await database.query
    .select({ current: tenants.webhookSecret, previous: tenants.previousSecret, until: tenants.previousUntil })
    .from(tenants)
    .where(eq(tenants.tenant, database.tenant));
  return row;
}

async function makeSecrets(database: Database): Promise<Secrets> {
  const current = newWebhookSecret();
  // Of two processes one makes the row; both go on with what is in it.
  await database.write(() =>
    database.query
      .insert(tenants)
      .values({ tenant: database.tenant, webhookSecret: current, createdAt: database.now() })
      .onConflictDoNothing()
      .returning({ tenant: tenants.tenant }),
  );
  return (await readSecrets(database)) ?? { current, previous: null, until: null };
}
