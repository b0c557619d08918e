import dns from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { UnreadableFileError } from '../../../text/index.ts';
import { DeliveryError } from '../../errors.ts';
import type { FetchAddress } from '../../fetching/fetch-documents.ts';
import { type AllowedTargets, isAllowedHost, isReachable } from '../../targets.ts';

export interface CallOptions {
  readonly allow: AllowedTargets;
  /** Resolves all addresses of a host; by the operating system by default. */
  readonly lookup?: ((host: string) => Promise<readonly HostAddress[]>) | undefined;
}

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * Begins requests that reach public and allowed addresses only: checks every address of the host and connects to a checked one, which
 * prevents DNS rebinding. Follows no redirects and uses no proxy.
 */
export function guardedRequest({ allow, lookup = systemLookup }: CallOptions) {
  const options = { keepAlive: false, lookup: guarded(lookup, allow) };
  const plain = new http.Agent(options);
  const secure = new https.Agent({ ...options, rejectUnauthorized: true });
  return (url: string, more: http.RequestOptions): http.ClientRequest =>
    new URL(url).protocol === 'https:'
      ? https.request(url, { ...more, agent: secure })
      : http.request(url, { ...more, agent: plain });
}

/** Gets documents; the caller has checked the address itself. */
export function addressFetcher(options: CallOptions): FetchAddress {
  const requestTo = guardedRequest(options);
  return (url, headers, signal) =>
    new Promise((resolve, reject) => {
      const request = requestTo(url, { headers, signal });
      request.on('error', reject);
      request.on('response', (response) => {
        const {
          'content-encoding': encoding = 'identity',
          location = '',
          'content-type': type = '',
        } = response.headers;
        const answered = new Headers({ location, 'content-type': type });
        if (encoding === 'identity') resolve({ status: response.statusCode ?? 0, headers: answered, body: response });
        else reject(new UnreadableFileError('It came compressed, although that was not asked for.'));
      });
      request.end();
    });
}

const systemLookup = (host: string): Promise<readonly HostAddress[]> => dns.lookup(host, { all: true });

/** Fails unless every address of the host is allowed. */
function guarded(lookup: (host: string) => Promise<readonly HostAddress[]>, allow: AllowedTargets): LookupFunction {
  return (host, options, answer) => {
    lookup(host).then(
      (addresses) => {
        const isOpen = isAllowedHost(allow, host);
        const isFine = ({ address }: HostAddress): boolean => isOpen || isReachable(address, allow);
        const [first] = addresses;
        if (first === undefined || !addresses.every(isFine)) {
          answer(new DeliveryError('target-refused', 'The host has an address that is not public.'), '', 0);
        } else if (options.all) answer(null, [...addresses]);
        else answer(null, first.address, first.family);
      },
      (error) => answer(error, '', 0),
    );
  };
}
