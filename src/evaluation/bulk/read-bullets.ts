import type { SummHayRequest } from '../request.ts';
import { knownDocuments } from '../summhay/check-bullets.ts';
import { type ReadBullet, readBullet } from '../summhay/read-bullet.ts';

/** The bullets of a request without their markers, beside what these cite. */
export function readBullets(request: SummHayRequest): ReadBullet[] {
  const known = knownDocuments(request);
  return request.bullets.map((bullet) => readBullet(bullet, known));
}
