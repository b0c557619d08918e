/** The part of OpenAPI 3.1 that the page shows; what `OpenAPIHono` publishes is assignable to it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly security?: readonly SecurityRequirement[];
  readonly paths?: Named<Referable<PathItem>>;
  readonly webhooks?: Named<Referable<PathItem>>;
  readonly components?: {
    readonly schemas?: Named<Schema>;
    readonly securitySchemes?: Named<Referable<SecurityScheme>>;
  };
}

export type Named<Value> = Readonly<Record<string, Value>>;

interface Reference {
  readonly $ref: string;
}

export type Referable<Value> = Value | Reference;

/** Names of schemes with the scopes that are needed of each. */
export type SecurityRequirement = Named<readonly string[]>;

export interface SecurityScheme {
  readonly type: string;
  readonly description?: string;
  readonly name?: string;
  readonly in?: string;
  readonly scheme?: string;
  readonly bearerFormat?: string;
}

export const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options', 'trace'] as const;

export interface PathItem extends Partial<Readonly<Record<(typeof METHODS)[number], Operation>>> {
  readonly parameters?: readonly Referable<Parameter>[];
}

export interface Operation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Referable<Parameter>[];
  readonly requestBody?: Referable<RequestBody>;
  readonly responses?: Named<Referable<Response>>;
  readonly callbacks?: Named<Referable<Named<Referable<PathItem>>>>;
  readonly security?: readonly SecurityRequirement[];
}

/** A response header, or what a parameter has in common with it. */
export interface Header {
  readonly description?: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema?: Schema;
  readonly content?: Named<MediaType>;
  readonly example?: unknown;
  readonly examples?: Named<Referable<Example>>;
}

export interface Parameter extends Header {
  readonly name: string;
  readonly in: string;
}

export interface RequestBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content: Named<MediaType>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Named<Referable<Header>>;
  readonly content?: Named<MediaType>;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Named<Referable<Example>>;
}

export interface Example {
  readonly summary?: string;
  readonly description?: string;
  readonly value?: unknown;
}

export type Schema = SchemaObject | boolean;

/** JSON Schema 2020-12 as far as the page shows it. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Named<Schema>;
  readonly patternProperties?: Named<Schema>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}
