import { retryAfter } from '../../../models/index.ts';
import { DeliveryError } from '../../errors.ts';
import { targetProblem } from '../../targets.ts';
import type { SendWebhook } from '../../webhooks/deliver.ts';
import { type CallOptions, guardedRequest } from './guarded-request.node.ts';

const MAX_READ = 64 * 1024;

/** Posts to public and allowed addresses only, and follows no redirects. */
export function sendWebhook(options: CallOptions): SendWebhook {
  const requestTo = guardedRequest(options);
  return (url, headers, body, signal) =>
    new Promise((resolve, reject) => {
      const problem = targetProblem(url, options.allow);
      if (problem !== null) throw new DeliveryError('target-refused', `The callback URL ${problem}.`);
      const request = requestTo(url, {
        method: 'POST',
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
