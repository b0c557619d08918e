import type { Digest, Progress } from '../contract/index.ts';
import type { ResolvedRequest } from '../digest/index.ts';
import { startService } from '../server/index.node.ts';
import { type Configuration, createStoredDigest } from '../server/index.ts';

/** Makes one or more digests in this process, over the database of the configuration. */
export async function digestHere(
  requests: readonly ResolvedRequest[],
  configuration: Configuration,
  onProgress: (progress: Progress) => void,
): Promise<Digest[]> {
  const service = await startService(configuration);
  try {
    const digests: Digest[] = [];
    for (const request of requests) digests.push(await createStoredDigest(request, service.deps, { onProgress }));
    return digests;
  } finally {
    await service.close();
  }
}
