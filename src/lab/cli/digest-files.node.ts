import type { Digest } from '../../contract/digest.ts';
import type { DigestRequest } from '../../contract/digest-request.ts';
import type { Progress } from '../../digest/digest-run.ts';
import { createDigest } from '../../digest/stored/create-digest.ts';
import type { Configuration } from '../../server/runtime/configuration.ts';
import { startService } from '../../server/runtime/node/service.node.ts';

/** Makes one or more digests in this process, over the database of the configuration. */
export async function digestHere(
  requests: readonly DigestRequest[],
  configuration: Configuration,
  onProgress: (progress: Progress) => void,
): Promise<Digest[]> {
  const service = await startService(configuration);
  try {
    const digests: Digest[] = [];
    for (const request of requests) digests.push(await createDigest(request, service.parts, { onProgress }));
    return digests;
  } finally {
    await service.close();
  }
}
