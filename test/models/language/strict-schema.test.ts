import { expect, test } from 'vitest';
import { z } from 'zod';
import { strictSchema } from '../../../src/models/language/chat-request.ts';

const strictOf = (schema: z.ZodType) => strictSchema({ ...z.toJSONSchema(schema, { io: 'input' }) });

test('objects are closed all the way down, and what strict mode does not take is left out', () => {
  const points = z.object({
    points: z.array(z.object({ id: z.int(), text: z.string().min(1).max(9), kind: z.enum(['a', 'b']) })).max(3),
    note: z.string().nullable(),
    of: z.object({ a: z.string() }).nullable(),
    url: z.url(),
    wrong: z.string().catch(''),
  });
  expect(strictOf(points)).toEqual({
    type: 'object',
    properties: {
      points: {
        type: 'array',
        maxItems: 3,
        items: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            text: { type: 'string' },
            kind: { type: 'string', enum: ['a', 'b'] },
          },
          required: ['id', 'text', 'kind'],
          additionalProperties: false,
        },
      },
      note: { type: ['string', 'null'] },
      of: {
        anyOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
          { type: 'null' },
        ],
      },
      url: { type: 'string' },
      wrong: { type: 'string' },
    },
    required: ['points', 'note', 'of', 'url', 'wrong'],
    additionalProperties: false,
  });
});

test.each<[string, z.ZodType]>([
  ['an optional property', z.object({ a: z.string().optional() })],
  ['a property with a default', z.object({ a: z.string().default('x') })],
  ['an optional property far down', z.object({ a: z.array(z.object({ b: z.object({ c: z.int().optional() }) })) })],
  ['an optional property in an alternative', z.object({ a: z.union([z.object({ b: z.int().optional() }), z.null()]) })],
  ['a record', z.object({ a: z.record(z.string(), z.string()) })],
  ['anything', z.object({ a: z.unknown() })],
  [
    'alternatives told apart by a field',
    z.object({ a: z.discriminatedUnion('is', [z.object({ is: z.literal('b') })]) }),
  ],
  ['a tuple', z.object({ a: z.tuple([z.string()]) })],
  ['no object', z.array(z.string())],
  ['an object of unknown properties', z.object({ a: z.object({}).catchall(z.string()) })],
  ['an object of known and unknown properties', z.object({ a: z.string() }).catchall(z.string())],
])('%s is not strict', (_, schema) => {
  expect(strictOf(schema)).toBeNull();
});
