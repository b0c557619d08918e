import type { DigestMap, KeptRequest, SourceText } from '../digest-sources.ts';
import { DIGEST } from './digest.ts';
import { WITH_DOCUMENTS } from './digest-requests.ts';

/** What the service answered of `DIGEST` for three dimensions. */
export const DIGEST_MAP: DigestMap = {
  digest: DIGEST.id,
  encoder: 'transformers/all-MiniLM-L6-v2/q8/2',
  dimensions: 3,
  explained: 0.8009,
  points: [
    { id: 'kp_5ef8222b24e723b11de743eb', vector: [-0.5053, 0.1443, -0.2439] },
    { id: 'kp_e8d6a7b2a03f1fc2d1a459e9', vector: [-0.1938, 0.3544, 0.3945] },
    { id: 'kp_5618ce0342c7cc86053369f4', vector: [0.1385, -0.3961, 0.6133] },
    { id: 'kp_2282a1d9c8b294396d0c67c7', vector: [0.8363, 0.4913, -0.1873] },
    { id: 'kp_c3b76dd6b4fda0696bc8a33a', vector: [-0.5082, 0.1031, -0.2145] },
    { id: 'kp_064b52ea0a861627d2aa553c', vector: [0.2324, -0.6972, -0.3621] },
  ],
};

const { documents = [], intent = null, selection = null, summary = null } = WITH_DOCUMENTS;

/** The request of `DIGEST`. */
export const DIGEST_REQUEST: KeptRequest = {
  digest: DIGEST.id,
  createdAt: '2026-11-21T09:30:00.000Z',
  intent,
  collection: null,
  documents: documents.map(({ id, title = null, url = null, publishedAt = null, weight = null, text }) => ({
    id,
    title,
    url,
    publishedAt,
    weight,
    characters: text.length,
  })),
  selection,
  summary,
  engine: null,
  experiment: null,
};

const [{ id, title = null, url = null, publishedAt = null, text }] = documents;

/** The first of its documents. */
export const SOURCE_TEXT: SourceText = { id, title, url, publishedAt, text };
