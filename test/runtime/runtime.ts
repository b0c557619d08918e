import type { Connection } from '../../src/store/index.ts';
import type { ScriptedAi } from './scripted-ai.ts';

/** The service as it runs somewhere, seen from outside; what is done to its database is what crashes and operators do. */
export interface Runtime {
  /** What stands in place of Workers AI. */
  readonly ai: ScriptedAi;
  /** The database that the service is over. */
  readonly connection: Connection;
  /** Asks the service; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** What the platform does once a minute. */
  everyMinute(): Promise<void>;
  /** Leaves nothing running. */
  close(): Promise<void>;
}

/** What both runtimes are configured with beyond their defaults: callbacks may come to this machine, and all may ask often. */
export const VARIABLES: Readonly<Record<string, string>> = {
  TESSERA_OPEN: 'yes',
  TESSERA_WEBHOOK_ALLOW: '127.0.0.1',
  TESSERA_RATE: '100000/60',
  TESSERA_QUIET_SECONDS: '1',
  TESSERA_LOG: 'silent',
};
