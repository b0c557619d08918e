import type { BatchItem } from 'drizzle-orm/batch';

/** What a route needs to know of the key that a request came with. */
export interface IdempotentCall {
  /** The digest that this very request made before its answer was lost; null where it made none. */
  readonly digest: string | null;
  /** The status that was answered before, where the answer is the digest's own. */
  readonly replays: number | null;
  /** Written with the digest that the route makes. */
  bind(id: string): readonly BatchItem<'sqlite'>[];
  /** Told by the route which digest its answer is, so that the answer itself need not be kept. */
  answers(id: string): void;
}
