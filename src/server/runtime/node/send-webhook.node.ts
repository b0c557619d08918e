import dns from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { retryAfter } from '../../../models/index.ts';
import { DeliveryError } from '../../errors.ts';
import type { SendWebhook } from '../../webhooks/deliver.ts';
import { type AllowedTargets, callbackUrlProblem, isAllowedHost, isReachable } from '../../webhooks/targets.ts';

export interface SendOptions {
  readonly allow: AllowedTargets;
  /** Resolves all addresses of a host; by the operating system by default. */
  readonly lookup?: ((host: string) => Promise<readonly HostAddress[]>) | undefined;
}

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

const MAX_READ = 64 * 1024;

/**
 * Posts to public and allowed addresses only: checks every address of the host and connects to a checked one, which prevents DNS rebinding.
 * Follows no redirects and uses no proxy.
 */
export function sendWebhook({ allow, lookup = systemLookup }: SendOptions): SendWebhook {
  const options = { keepAlive: false, lookup: guarded(lookup, allow) };
  const plain = new http.Agent(options);
  const secure = new https.Agent({ ...options, rejectUnauthorized: true });
  return (url, headers, body, signal) =>
    new Promise((resolve, reject) => {
      const problem = callbackUrlProblem(url, allow);
      if (problem !== null) throw new DeliveryError('target-refused', `The callback URL ${problem}.`);
      const isSecure = new URL(url).protocol === 'https:';
      const request = (isSecure ? https : http).request(url, {
        method: 'POST',
        agent: isSecure ? secure : plain,
        signal,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Tessera',
        },
      });
      request.on('error', reject);
      request.on('close', () => reject(new DeliveryError('no-answer', 'The connection was closed without an answer.')));
      request.on('response', (response) => {
        const asked = new Headers({ 'retry-after': response.headers['retry-after'] ?? '' });
        resolve({ status: response.statusCode ?? 0, retryAfter: retryAfter(asked) });
        let read = 0;
        response.on('error', () => {}); // the status decides, even if the rest fails
        response.on('data', (bytes: Buffer) => {
          read += bytes.length;
          if (read > MAX_READ) request.destroy();
        });
      });
      request.end(body);
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
