import type { DigestMap } from '../../digest/map-digest.ts';
import type { KeptRequest } from '../../digest/read-request.ts';
import type { SourceText } from '../../digest/read-source-text.ts';
import { DIGEST } from './digest.ts';
import { WITH_DOCUMENTS } from './digest-requests.ts';

/** What the service answered of `DIGEST` for three dimensions. */
export const DIGEST_MAP: DigestMap = {
  digest: DIGEST.id,
  encoder: 'use-lite/2',
  dimensions: 3,
  explained: 0.7981,
  points: [
    { id: 'kp_aa8d7b5a671b26e54b1e35c2', vector: [0.3063, -0.3989, -0.3833] },
    { id: 'kp_54dd00a8af87988aa9a74065', vector: [-0.2435, -0.459, 0.4156] },
    { id: 'kp_e3d7326d848e889668f803c5', vector: [0.0968, 0.3475, 0.3571] },
    { id: 'kp_de5d2d2f5fd0de6894e1a13a', vector: [-0.9211, 0.1761, -0.2564] },
    { id: 'kp_adf3f14482bb8fd85406cd8c', vector: [0.3598, -0.1098, -0.0324] },
    { id: 'kp_5231aaedbe81e1c886b55fae', vector: [0.4018, 0.4441, -0.1006] },
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
