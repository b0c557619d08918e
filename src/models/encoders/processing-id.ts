import { contentHash } from '../../text/index.ts';

/**
 * What is done to texts before they are encoded, as the end of a profile's id: empty where nothing is.
 *
 * @param changes what differs from the plain processing: prefixes, limits
 */
export function processingId(changes: readonly (string | number)[]): string {
  return changes.every((change) => change === '') ? '' : `/${contentHash(JSON.stringify(changes)).slice(0, 12)}`;
}
