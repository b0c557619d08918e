import type { SummHayRequest } from '../../contract/evaluation-request.ts';
import { knownDocuments } from '../../evaluation/summhay/check-bullets.ts';
import { type ReadBullet, readBullet } from '../../evaluation/summhay/read-bullet.ts';

/** The bullets of a request without their markers, beside what these cite. */
export function readBullets(request: SummHayRequest): ReadBullet[] {
  const known = knownDocuments(request);
  return request.bullets.map((bullet) => readBullet(bullet, known));
}
