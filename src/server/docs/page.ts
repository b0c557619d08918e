import type { OpenApiDocument } from './open-api.ts';

/** What the parts of the page share: the document, and the `id` of everything in it that can be linked to. */
export interface Page {
  readonly document: OpenApiDocument;
  /** Ids of component schemas by name. */
  readonly schemas: ReadonlyMap<string, string>;
  /** Ids of security schemes by name. */
  readonly schemes: ReadonlyMap<string, string>;
}

/** Gives ids that are unique and safe in a fragment, however odd the names are. */
export class Ids {
  readonly #taken = new Set<string>();

  take(...words: readonly string[]): string {
    const base = words
      .join('-')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/-$/, '');
    let id = base;
    for (let count = 2; this.#taken.has(id); count++) id = `${base}-${count}`;
    this.#taken.add(id);
    return id;
  }

  /** Ids of all names, by name. */
  takeAll(prefix: string, names: readonly string[]): ReadonlyMap<string, string> {
    return new Map(names.map((name) => [name, this.take(prefix, name)]));
  }
}
