import { parseUrl } from '../../text/index.ts';
import { type AllowedTargets, isAllowedAddress, isAllowedHost, plainHost } from './allowed-targets.ts';
import { isPublicAddress, parseAddress } from './public-address.ts';

const LONGEST = 2000;
/** Names that are looked up on the machine or in its own network; so is a name of one part. */
const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|corp|home|intranet|private)$/;
/** `kubernetes.default.svc` and what stands below such a name. */
const CLUSTER_NAME = /(?:^|\.)svc$/;

/**
 * What is wrong with the address that a webhook is to be sent to, as far as it can be told without looking the host up;
 * null for nothing. Where a name leads is checked when it is called.
 */
export function callbackUrlProblem(url: string, allow: AllowedTargets): string | null {
  if (url.length > LONGEST) return `must not be longer than ${LONGEST} characters`;
  // URL parsers drop or repair these, each in its way.
  if (/[\s\p{Cc}\\]/u.test(url)) return 'must not contain white space, control characters or backslashes';
  const parsed = /^https?:\/\//i.test(url) ? parseUrl(url) : null;
  if (parsed === null) return 'must be an http or https address';
  const { username, password, hostname, port } = parsed;
  if (username !== '' || password !== '') return 'must not contain credentials; webhooks are signed instead';
  if (port === '0') return 'must not have port 0';
  if (url.includes('#')) return 'must not have a fragment';
  const host = plainHost(hostname);
  if (parseAddress(host) !== null) {
    return isPublicAddress(host) || isAllowedAddress(allow, host)
      ? null
      : 'must not lead to an address that is not public';
  }
  if (host.split('.').slice(0, -1).includes('')) return 'must not have an empty part in its host';
  const isLocal = LOCAL_NAME.test(host) || CLUSTER_NAME.test(host);
  return isLocal && !isAllowedHost(allow, host) ? 'must not name a host of a private network' : null;
}
