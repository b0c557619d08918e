import { type AllowedTargets, isAllowedAddress, isAllowedHost, plainHost } from './allowed-targets.ts';
import { isPublicAddress, parseAddress } from './public-address.ts';

const LONGEST = 2000;
/** Names that are looked up on the machine or in its own network; so is a name of one part. */
const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/**
 * What is wrong with the address that a webhook is to be sent to, as far as it can be told without looking the host up;
 * null for nothing. Where a name leads is checked when it is called.
 */
export function callbackUrlProblem(url: string, allow: AllowedTargets): string | null {
  if (url.length > LONGEST) return `must not be longer than ${LONGEST} characters`;
  // URL parsers drop or repair these, each in its way.
  if (/[\s\p{Cc}\\]/u.test(url)) return 'must not contain white space, control characters or backslashes';
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'must be an http or https address';
  const { username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'must not contain credentials; webhooks are signed instead';
  if (url.includes('#')) return 'must not have a fragment';
  const host = plainHost(hostname);
  if (parseAddress(host) !== null) {
    return isPublicAddress(host) || isAllowedAddress(allow, host)
      ? null
      : 'must not lead to an address that is not public';
  }
  return LOCAL_NAME.test(host) && !isAllowedHost(allow, host) ? 'must not name a host of a private network' : null;
}
