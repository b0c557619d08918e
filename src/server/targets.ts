import ipaddr from 'ipaddr.js';
import { parseUrl } from '../text/index.ts';
import { ConfigurationError } from './errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Range = readonly [Address, number];

export interface AllowedTargets {
  /** Allowed whatever their addresses: lower case, without a trailing dot. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly Range[];
}

export const PUBLIC_ONLY: AllowedTargets = { hosts: new Set(), ranges: [] };

/** All allocated IPv6 unicast addresses; the library counts the rest as unicast as well. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** A public address, but on Azure it reaches services of the host. */
const WIRE_SERVER = '168.63.129.16';

/**
 * Whether an IP address is allowed, or on the public internet: not private, local, shared, reserved or multicast, and not an IPv6 address
 * that embeds an IPv4 address (NAT64, 6to4, Teredo).
 */
export function isReachable(address: string, { ranges }: AllowedTargets): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (ranges.some(([range, bits]) => matches(parsed, range, bits))) return true;
  if (parsed.range() !== 'unicast') return false;
  return isIPv6(parsed) ? parsed.match(GLOBAL_UNICAST) : parsed.toString() !== WIRE_SERVER;
}

export function isAllowedHost({ hosts }: AllowedTargets, host: string): boolean {
  return hosts.has(plainHost(host));
}

/** IPv4-mapped IPv6 becomes IPv4. */
function parseAddress(address: string): Address | null {
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

function isIPv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

function matches(address: Address, range: Address, bits: number): boolean {
  if (isIPv6(address)) return isIPv6(range) && address.match(range, bits);
  return !isIPv6(range) && address.match(range, bits);
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.+$/g, '');
}

const LONGEST = 2000;
/** Local and private-network names; single-label names are also local. */
const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|corp|home|intranet|private)$/;
/** Kubernetes services, such as `kubernetes.default.svc`. */
const CLUSTER_NAME = /(?:^|\.)svc$/;

/** The problem of an address to call before DNS resolution, or null. Resolved addresses are checked at each call. */
export function targetProblem(url: string, allow: AllowedTargets): string | null {
  if (url.length > LONGEST) return `must not be longer than ${LONGEST} characters`;
  // URL parsers drop or repair these in different ways.
  if (/[\s\p{Cc}\\]/u.test(url)) return 'must not contain white space, control characters or backslashes';
  const parsed = /^https?:\/\//i.test(url) ? parseUrl(url) : null;
  if (parsed === null) return 'must be an http or https address';
  const { username, password, hostname, port } = parsed;
  if (username !== '' || password !== '') return 'must not contain credentials';
  if (port === '0') return 'must not have port 0';
  if (url.includes('#')) return 'must not have a fragment';
  const host = plainHost(hostname);
  if (parseAddress(host) !== null) {
    return isReachable(host, allow) ? null : 'must not lead to an address that is not public';
  }
  if (host.split('.').slice(0, -1).includes('')) return 'must not have an empty part in its host';
  const isLocal = LOCAL_NAME.test(host) || CLUSTER_NAME.test(host);
  return isLocal && !isAllowedHost(allow, host) ? 'must not name a host of a private network' : null;
}

const EXPECTED =
  'it must be a host name, an IP address in full, or a range that begins at its first address, as 10.0.0.0/8';
const HOST_NAME = /^(?!-)[a-z\d_-]{1,63}(?<!-)(?:\.(?!-)[a-z\d_-]{1,63}(?<!-))*$/;

/** Reads host names, IP addresses and ranges such as `10.0.0.0/8`, separated by commas. @throws ConfigurationError that names the setting and the entry */
export function readAllowedTargets(setting: string, text: string): AllowedTargets {
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  for (const entry of text.split(',').map((each) => each.trim())) {
    if (entry === '') continue;
    const target = readTarget(entry);
    if (target === null) throw new ConfigurationError(`${setting} is wrong at "${entry}": ${EXPECTED}.`);
    if (typeof target === 'string') hosts.add(target);
    else ranges.push(target);
  }
  return { hosts, ranges };
}

/** A host name or a range; null if it is neither, or a range that does not begin with its first address. */
function readTarget(entry: string): Range | string | null {
  const [text] = entry.split('/');
  const address = writtenAddress(text);
  if (address !== null) {
    if (text === entry) return [address, isIPv6(address) ? 128 : 32];
    if (!ipaddr.isValidCIDR(entry) || text.includes(':') !== isIPv6(address)) return null;
    const first = (isIPv6(address) ? ipaddr.IPv6 : ipaddr.IPv4).networkAddressFromCIDR(entry);
    return first.toString() === address.toString() ? [address, ipaddr.parseCIDR(entry)[1]] : null;
  }
  const host = plainHost(parseUrl(`http://${entry}/`)?.hostname ?? '');
  // URL parsers normalise other notations of an address, which would then not match the entry.
  return HOST_NAME.test(host) && parseAddress(host) === null && !/[:/?#@\\]/.test(entry) ? host : null;
}

/** The library also accepts `127.1`, `10` and octal numbers. */
function writtenAddress(text: string): Address | null {
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null;
  return text.includes('%') ? null : parseAddress(text);
}
