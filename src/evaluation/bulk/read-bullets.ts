import type { CitedBullet, SummHayRequest } from '../request.ts';
import { readBullet } from '../summhay/read-bullet.ts';

export type { CitedBullet };

/** The bullets of a request without their markers, beside what these cite. */
export function readBullets({ bullets, insights, documents = [] }: SummHayRequest): CitedBullet[] {
  const known = new Set([...documents, ...insights.flatMap((insight) => insight.documents ?? [])]);
  return bullets.map((bullet) => (typeof bullet === 'string' ? readBullet(bullet, known) : bullet));
}
