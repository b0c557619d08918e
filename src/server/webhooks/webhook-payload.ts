import type { DigestStatus } from '../../contract/index.ts';

/** How a digest ends. */
type EndStatus = DigestStatus | 'cancelled';

/** Types of messages by how the digest ended. */
const TYPES: Readonly<Record<EndStatus, string>> = {
  completed: 'digest.completed',
  partial: 'digest.partial',
  failed: 'digest.failed',
  cancelled: 'digest.cancelled',
};

/** The body of the message that a digest has ended: where it is, not what it says. */
export function webhookPayload(digestId: string, status: EndStatus, now: number): string {
  return JSON.stringify({
    type: TYPES[status],
    timestamp: new Date(now).toISOString(),
    data: { id: digestId, status, url: `/v1/digests/${digestId}` },
  });
}
