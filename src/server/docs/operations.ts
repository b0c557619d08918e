import {
  METHODS,
  type Named,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Referable,
} from './open-api.ts';
import type { Ids } from './page.ts';
import { resolve } from './resolve.ts';

/** An operation with its place; webhooks and callbacks are called by the service, not by its clients. */
export interface Entry {
  readonly id: string;
  readonly kind: 'route' | 'callback' | 'webhook';
  readonly method: string;
  /** Path of a route, name of a webhook, or name and address of a callback. */
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly entries: readonly Entry[];
}

/** All operations by their first tag, in the order of the document's tags and then as they come. */
export function operationGroups(document: OpenApiDocument, ids: Ids): Group[] {
  const routes = entriesOf(document, document.paths, 'route', ids);
  const webhooks = entriesOf(document, document.webhooks, 'webhook', ids);
  const byTag = new Map<string | undefined, Entry[]>((document.tags ?? []).map(({ name }) => [name, []]));
  let tag: string | undefined;
  for (const entry of routes) {
    // Callbacks stand with the operation that they come after.
    if (entry.kind === 'route') tag = entry.operation.tags?.[0];
    byTag.set(tag, [...(byTag.get(tag) ?? []), entry]);
  }
  const groups = [...byTag].map(([name, entries]) => {
    const description = document.tags?.find((each) => each.name === name)?.description;
    return { id: ids.take('group', name ?? 'other'), name: nameOf(name, byTag.size), description, entries };
  });
  if (webhooks.length > 0) {
    groups.push({ id: ids.take('group', 'webhooks'), name: 'Webhooks', description: undefined, entries: webhooks });
  }
  return groups.filter(({ entries }) => entries.length > 0);
}

function nameOf(tag: string | undefined, tags: number): string {
  return tag ?? (tags === 1 ? 'Operations' : 'Other operations');
}

function entriesOf(
  document: OpenApiDocument,
  items: Named<Referable<PathItem>> | undefined,
  kind: Entry['kind'],
  ids: Ids,
  name = '',
): Entry[] {
  return Object.entries(items ?? {}).flatMap(([path, reference]) => {
    const item = resolve<PathItem>(document, reference);
    return METHODS.flatMap((method) => {
      const operation = item?.[method];
      if (item === undefined || operation === undefined) return [];
      const entry: Entry = {
        id: ids.take(kind === 'route' ? 'operation' : kind, method, name, path),
        kind,
        method,
        path: name + path,
        operation,
        parameters: parametersOf(document, item, operation),
      };
      return [entry, ...callbacksOf(document, operation, kind, ids)];
    });
  });
}

/** Callbacks of callbacks are left out: they could go round in a circle of references. */
function callbacksOf(document: OpenApiDocument, operation: Operation, kind: Entry['kind'], ids: Ids): Entry[] {
  if (kind === 'callback') return [];
  return Object.entries(operation.callbacks ?? {}).flatMap(([name, callback]) =>
    entriesOf(document, resolve<Named<Referable<PathItem>>>(document, callback), 'callback', ids, `${name} `),
  );
}

/** Parameters of an operation and those of its path that it does not replace. */
function parametersOf(document: OpenApiDocument, item: PathItem, operation: Operation): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const reference of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve<Parameter>(document, reference);
    if (parameter !== undefined) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...parameters.values()];
}
