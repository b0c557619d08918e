import type { SummHayRequest } from '../../contract/index.ts';
import { knownDocuments, type ReadBullet, readBullet } from '../../evaluation/index.ts';

/** The bullets of a request without their markers, beside what these cite. */
export function readBullets(request: SummHayRequest): ReadBullet[] {
  const known = knownDocuments(request);
  return request.bullets.map((bullet) => readBullet(bullet, known));
}
