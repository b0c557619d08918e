import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../text/index.ts';
import { isIPv6, parseAddress } from './public-address.ts';

/** The first address, and how many of its bits count. */
type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Where webhooks may go although it is not public. */
export interface AllowedTargets {
  /** Host names, whatever address they have: lower case, without a dot at the end. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly Range[];
}

/** Public addresses only. */
export const PUBLIC_ONLY: AllowedTargets = { hosts: new Set(), ranges: [] };

const SETTING = 'TESSERA_WEBHOOK_ALLOW';
const HOST_NAME = /^(?!-)[a-z\d_-]{1,63}(?<!-)(?:\.(?!-)[a-z\d_-]{1,63}(?<!-))*$/;

/**
 * Reads `TESSERA_WEBHOOK_ALLOW`: host names, IP addresses and ranges of them such as `10.0.0.0/8`, separated by commas.
 *
 * @returns the targets, or what is wrong, in a sentence that names the variable and the entry
 */
export function readAllowedTargets(text: string): { readonly targets: AllowedTargets } | { readonly problem: string } {
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  const entries = text.split(',').map((entry) => entry.trim());
  for (const entry of entries.filter((entry) => entry !== '')) {
    const read = entry.includes('/') ? readRange(entry) : readHost(entry);
    if ('wrong' in read) return { problem: `${SETTING} is wrong at "${entry}": ${read.wrong}.` };
    if ('host' in read) hosts.add(read.host);
    else ranges.push(read.range);
  }
  return { targets: { hosts, ranges } };
}

/** Whether a host may be called by this name, wherever it is. */
export function isAllowedHost({ hosts }: AllowedTargets, host: string): boolean {
  return hosts.has(plainHost(host));
}

/** Whether an IP address may be called that is not public. */
export function isAllowedAddress({ ranges }: AllowedTargets, address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && ranges.some(([range, bits]) => matches(parsed, range, bits));
}

/** The host of a URL as it is compared: without the brackets of IPv6, and without dots at the end, which change nothing. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.+$/g, '');
}

type Wrong = { readonly wrong: string };

function readRange(entry: string): { readonly range: Range } | Wrong {
  const [address, bits, ...rest] = entry.split('/');
  const parsed = writtenAddress(address);
  if (parsed === null || rest.length > 0 || address.includes(':') !== isIPv6(parsed))
    return { wrong: 'is not an address range such as 10.0.0.0/8 or fd00::/8' };
  const most = isIPv6(parsed) ? 128 : 32;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return { wrong: `the bits must be a number from 0 to ${most}` };
  const first = firstOf(parsed, Number(bits));
  if (first !== parsed.toString()) return { wrong: `the range begins at ${first}/${bits}` };
  return { range: [parsed, Number(bits)] };
}

function readHost(entry: string): { readonly range: Range } | { readonly host: string } | Wrong {
  const address = writtenAddress(entry);
  if (address !== null) return { range: [address, isIPv6(address) ? 128 : 32] };
  const host = plainHost(parseUrl(`http://${entry}/`)?.hostname ?? '');
  // An address would not be found again under the name that is written here.
  if (host === '' || parseAddress(host) !== null || /[:/?#@\\]/.test(entry)) {
    return { wrong: 'is neither a host name nor an IP address in full, without protocol, port and path' };
  }
  return HOST_NAME.test(host) ? { host } : { wrong: 'is not a host name; wildcards are not supported' };
}

/** An address as it is usually written; the library also reads `127.1`, `10` and octal numbers. */
function writtenAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null;
  return text.includes('%') ? null : parseAddress(text);
}

function firstOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const range = `${address.toString()}/${bits}`;
  return (isIPv6(address) ? ipaddr.IPv6 : ipaddr.IPv4).networkAddressFromCIDR(range).toString();
}

function matches(address: ipaddr.IPv4 | ipaddr.IPv6, range: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean {
  if (isIPv6(address)) return isIPv6(range) && address.match(range, bits);
  return !isIPv6(range) && address.match(range, bits);
}
