import ipaddr from 'ipaddr.js';

/** What all IPv6 addresses that were ever given out lie in; the library counts the rest as unicast as well. */
const GIVEN_OUT: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Public by its range, but each machine at Azure reaches its host's own services there. */
const WIRE_SERVER = '168.63.129.16';

/** An address without the IPv6 form of IPv4 addresses; null for what is none. */
export function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

/**
 * Whether an IP address is one machine's somewhere on the internet. Private, local, shared, reserved and multicast ones are
 * not, nor those that lead to IPv4 addresses by NAT64, 6to4 or Teredo.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null || parsed.range() !== 'unicast') return false;
  return isIPv6(parsed) ? parsed.match(GIVEN_OUT) : parsed.toString() !== WIRE_SERVER;
}

/** Which of the two kinds of addresses it is. */
export function isIPv6(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}
