import type { DigestRequest } from '../contract/index.ts';
import { LimitExceededError } from '../digest/index.ts';
import type { StreamLimits } from './jobs/digest-feeds.ts';

/** What one request, and one tenant, may ask of the service. */
export interface Limits {
  /** Documents of a request. */
  readonly documents: number;
  /** UTF-16 code units of a document. */
  readonly documentCharacters: number;
  /** UTF-16 code units of all documents of a digest. */
  readonly characters: number;
  /** Key points that a selection may hold at most. */
  readonly keyPoints: number;
  /** Digests of a tenant under way. */
  readonly digestsPerTenant: number;
  /** Digests of all tenants that wait to be begun. */
  readonly queuedDigests: number;
  /** Event streams open at once: of a tenant, and of all. */
  readonly streams: StreamLimits;
  /** How long a caller may wait for an answer. */
  readonly waitMilliseconds: number;
}

type TextLimits = Pick<Limits, 'documents' | 'documentCharacters' | 'characters'>;

/**
 * Holds a request to the limits of this service.
 *
 * @param at pointer to the document, where the request is one
 * @throws LimitExceededError
 */
export function checkLimits(
  { documents = [], selection }: Pick<DigestRequest, 'documents' | 'selection'>,
  limits: TextLimits & Pick<Limits, 'keyPoints'>,
  at?: string,
): void {
  const texts = documents.map(({ text }) => text);
  checkTexts(texts, limits, (index) => `${at ?? `/documents/${index}`}/text`);
  const size = selection?.size;
  if (typeof size === 'object' && 'keyPoints' in size && size.keyPoints > limits.keyPoints) {
    throw new LimitExceededError(
      '/selection/size/keyPoints',
      `is above ${limits.keyPoints}, the most that is selected`,
    );
  }
}

/**
 * Holds the texts of documents to the limits of this service.
 *
 * @param pointerTo where each stands in the request
 * @throws LimitExceededError
 */
export function checkTexts(texts: readonly string[], limits: TextLimits, pointerTo: (index: number) => string): void {
  if (texts.length > limits.documents) {
    throw new LimitExceededError('/documents', `holds ${texts.length} documents; at most ${limits.documents} are read`);
  }
  texts.forEach((text, index) => {
    if (text.length <= limits.documentCharacters) return;
    const most = `at most ${limits.documentCharacters} are read`;
    throw new LimitExceededError(pointerTo(index), `holds ${text.length} UTF-16 code units; ${most}`);
  });
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > limits.characters) {
    const most = `at most ${limits.characters} are read`;
    throw new LimitExceededError('/documents', `hold ${characters} UTF-16 code units together; ${most}`);
  }
}
