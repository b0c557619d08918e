/** The part of JSON Schema 2020-12 that the API's document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly example?: unknown;
}

/** What `#/a/b` points at inside a document, or undefined. */
export function resolveRef(root: unknown, ref: string): unknown {
  const parts = ref.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], root);
}

/** Where a value does not fit a schema: paths with what is wrong, none where it fits. */
export function misfits(value: unknown, schema: JsonSchema, root: unknown, path = ''): string[] {
  if (schema.$ref !== undefined) return misfits(value, resolveRef(root, schema.$ref) as JsonSchema, root, path);
  const wrong: string[] = (schema.allOf ?? []).flatMap((each) => misfits(value, each, root, path));
  if (schema.anyOf && !schema.anyOf.some((each) => misfits(value, each, root, path).length === 0)) {
    wrong.push(`${path}: none of anyOf`);
  }
  const fitting = schema.oneOf?.filter((each) => misfits(value, each, root, path).length === 0).length ?? 1;
  if (fitting !== 1) wrong.push(`${path}: ${fitting} of oneOf`);
  if (schema.enum && !schema.enum.includes(value)) wrong.push(`${path}: not in enum`);
  if ('const' in schema && schema.const !== value) wrong.push(`${path}: not ${String(schema.const)}`);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    wrong.push(`${path}: not ${types.join(' or ')}`);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) wrong.push(...value.flatMap((item, i) => misfits(item, items, root, `${path}/${i}`)));
  } else if (typeof value === 'object' && value !== null) {
    wrong.push(...misfitsOfFields(value as Record<string, unknown>, schema, root, path));
  }
  return wrong;
}

function misfitsOfFields(value: Record<string, unknown>, schema: JsonSchema, root: unknown, path: string): string[] {
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}/${name}: missing`);
  const wrong = Object.entries(value).flatMap(([name, field]) => {
    const known = schema.properties?.[name] ?? schema.additionalProperties;
    if (known === false) return [`${path}/${name}: not a known field`];
    return typeof known === 'object' ? misfits(field, known, root, `${path}/${name}`) : [];
  });
  return [...missing, ...wrong];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
