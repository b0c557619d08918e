import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Named<Value> = Readonly<Record<string, Value>>;

/** As much of OpenAPI 3.1 as tests look at. */
export interface OpenApiDocument {
  readonly paths: Named<Named<unknown>>;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

export interface MediaType {
  readonly schema: SchemaObject;
  readonly example?: unknown;
  readonly examples?: Named<{ readonly summary?: string; readonly value?: unknown }>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Named<{ readonly schema: SchemaObject; readonly required?: boolean }>;
  readonly content?: Named<MediaType>;
}

/** An operation of the contract, and where it stands in it. */
export interface Operation {
  readonly name: string;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly (Parameter & { readonly schema: SchemaObject })[];
  readonly body: MediaType | undefined;
  readonly responses: Named<Response>;
  readonly pointer: readonly string[];
}

export interface Contract {
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  /** What is wrong with a value where the document has a schema; nothing where it fits. */
  misfits(pointer: readonly string[], value: unknown): readonly string[];
  /** Of a schema that may refer to others of the document. */
  misfitsOf(schema: SchemaObject, value: unknown): readonly string[];
  /** What a schema refers to, or itself. */
  resolve(schema: SchemaObject): SchemaObject;
}

const NAME = 'https://tessera.test/openapi.json';

/** The contract that an app serves, with its schemas compiled as JSON Schema 2020-12. */
export async function servedContract(app: {
  request(path: string): Response_ | Promise<Response_>;
}): Promise<Contract> {
  const document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  // The document around the schemas is no schema; `example` and `discriminator` say nothing of what fits.
  ajv.addVocabulary(['example', 'discriminator', ...Object.keys(document)]);
  ajv.addSchema(document, NAME);
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();
  const misfitsOf = (schema: SchemaObject, value: unknown) => {
    // References of the document are to itself, and this schema is beside it.
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${NAME}#/`);
    const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
    validators.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  const at = (pointer: readonly string[]) => pointer.map((part) => encodeURIComponent(escaped(part))).join('/');
  return {
    document,
    operations: operationsOf(document),
    misfitsOf,
    misfits: (pointer, value) => misfitsOf({ $ref: `#/${at(pointer)}` }, value),
    resolve: (schema) => {
      const parts = /^#\/(.+)$/.exec(schema.$ref ?? '')?.[1].split('/') ?? [];
      if (parts.length === 0) return schema;
      // Only references that are known to resolve are asked for: another test follows all.
      return parts.reduce<unknown>((found, part) => (found as Named<unknown>)[part], document) as SchemaObject;
    },
  };
}

type Response_ = globalThis.Response;

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function operationsOf({ paths = {} }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      // What the document holds, before it is known to be right; tests look at each field.
      const found = (
        item as Named<(Omit<Operation, 'body'> & { requestBody?: { content: Named<MediaType> } }) | undefined>
      )[method];
      if (found === undefined) return [];
      const { parameters = [], requestBody } = found;
      const body = requestBody?.content['application/json'];
      const name = `${method.toUpperCase()} ${path}`;
      return [{ ...found, name, method, path, parameters, body, pointer: ['paths', path, method] }];
    }),
  );
}

/** Examples of a body: its own, or the one of the schema that it refers to. */
export function examplesOf({ schema, example, examples }: MediaType, { resolve }: Contract): Named<unknown> {
  if (example !== undefined) return { example };
  if (examples !== undefined) {
    return Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
  }
  const given = resolve(schema).example;
  return given === undefined ? {} : { schema: given };
}

/** A body that the contract tells of; of a request where it has no status. */
interface Body {
  readonly name: string;
  readonly pointer: readonly string[];
  readonly type: string;
  readonly media: MediaType;
  readonly status: string | null;
}

/** Every body that the contract tells of, asked for or answered. */
export function bodiesOf(operations: readonly Operation[]): Body[] {
  return operations.flatMap(({ name, pointer, body, responses }) => {
    const type = 'application/json';
    const asked = [...pointer, 'requestBody', 'content', type, 'schema'];
    return [
      ...(body === undefined ? [] : [{ name: `${name} asks`, pointer: asked, type, media: body, status: null }]),
      ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, media]) => ({
          name: `${name} answers ${status} ${type}`,
          pointer: [...pointer, 'responses', status, 'content', type, 'schema'],
          type,
          media,
          status,
        })),
      ),
    ];
  });
}
