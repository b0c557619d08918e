import type { MiddlewareHandler } from 'hono';
import type { Refusal } from '../../../page/annotate/protocol.ts';

export interface Door {
  /** Names by which the page is reached, with the port. */
  readonly hosts: readonly string[];
  /** Known to whoever was told the address. */
  readonly token: string;
}

/** Lets nobody in under another name: a page of elsewhere whose name was made to lead here (DNS rebinding). */
export function onlyByName({ hosts }: Pick<Door, 'hosts'>): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (hosts.includes(host)) return next();
    return context.json<Refusal>({ detail: 'This page is served under its printed address only.' }, 403);
  };
}

/** Lets in who knows the token, and no page of another origin; whatever changes something has to say where it comes from. */
export function onlyThisPage({ hosts, token }: Door): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin');
    const isRead = context.req.method === 'GET';
    const isOwn = origin === undefined ? isRead : hosts.some((host) => origin === `http://${host}`);
    if (!isOwn) return context.json<Refusal>({ detail: origin === undefined ? MISSING : FOREIGN }, 403);
    if (isSame(context.req.header('authorization') ?? '', `Bearer ${token}`)) return next();
    return context.json<Refusal>({ detail: 'Open the page by the whole address that was printed.' }, 401);
  };
}

const MISSING =
  'The header Origin is missing: whatever changes something says where it comes from, as browsers do by themselves. Send the address of this page without its path.';
const FOREIGN = 'The header Origin names another page.';

/** In a time that does not tell how much of it is right. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let i = 0; i < wanted.length; i++) difference |= given.charCodeAt(i) ^ wanted.charCodeAt(i);
  return difference === 0;
}
