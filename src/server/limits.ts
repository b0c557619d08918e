import type { DigestRequest } from '../contract/index.ts';
import { LimitExceededError } from '../digest/index.ts';

export interface Limits {
  readonly documents: number;
  readonly documentCharacters: number;
  readonly characters: number;
  readonly keyPoints: number;
  readonly digestsPerTenant: number;
  readonly queuedDigests: number;
  readonly subscriptionsPerTenant: number;
  readonly streams: StreamLimits;
  readonly waitMilliseconds: number;
}

type TextLimits = Pick<Limits, 'documents' | 'documentCharacters' | 'characters'>;

/** Checks documents and selection size. `at` is the pointer if the request is a single document. @throws LimitExceededError */
export function checkLimits(
  {
    documents = [],
    selection,
  }: Pick<DigestRequest, 'selection'> & { readonly documents?: readonly { readonly text: string }[] | undefined },
  limits: TextLimits & Pick<Limits, 'keyPoints'>,
  at?: string,
): void {
  const texts = documents.map(({ text }, index) => ({ text, pointer: `${at ?? `/documents/${index}`}/text` }));
  checkTexts(texts, limits);
  const size = selection?.size;
  const isAbove = typeof size === 'object' && 'keyPoints' in size && size.keyPoints > limits.keyPoints;
  const detail = `is above ${limits.keyPoints}, the most that is selected`;
  if (isAbove) throw new LimitExceededError('/selection/size/keyPoints', detail);
}

/** @throws LimitExceededError */
export function checkTexts(
  texts: readonly { readonly text: string; readonly pointer: string }[],
  { documents, documentCharacters, characters }: TextLimits,
): void {
  const refuse = (pointer: string, what: string, most: number): never => {
    throw new LimitExceededError(pointer, `${what}; at most ${most} ${most === 1 ? 'is' : 'are'} read`);
  };
  if (texts.length > documents) refuse('/documents', `holds ${texts.length} documents`, documents);
  const long = texts.find(({ text }) => text.length > documentCharacters);
  if (long) refuse(long.pointer, `holds ${long.text.length} UTF-16 code units`, documentCharacters);
  const all = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (all > characters) refuse('/documents', `hold ${all} UTF-16 code units together`, characters);
}

export interface StreamLimits {
  readonly perTenant: number;
  readonly total: number;
}

interface TenantTally {
  readonly all: number;
  of(tenant: string): number;
  each(): Iterable<number>;
  /** Returns a function that releases the amount, or returns false if already released. */
  take(tenant: string, amount: number): () => boolean;
}

export function tenantTally(): TenantTally {
  const held = new Map<string, number>();
  let all = 0;
  return {
    get all() {
      return all;
    },
    of: (tenant) => held.get(tenant) ?? 0,
    each: () => held.values(),
    take(tenant, amount) {
      all += amount;
      held.set(tenant, (held.get(tenant) ?? 0) + amount);
      let isHeld = true;
      return () => {
        if (!isHeld) return false;
        isHeld = false;
        all -= amount;
        const left = (held.get(tenant) ?? amount) - amount;
        if (left > 0) held.set(tenant, left);
        else held.delete(tenant);
        return true;
      };
    },
  };
}
