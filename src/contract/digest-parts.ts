import { z } from '@hono/zod-openapi';
import { type Digest, digestSchema } from './digest.ts';
import type { TypeOf } from './fields.ts';

const { id, status, ...parts } = digestSchema.shape;

/** Every part of a digest except id and status, which are always returned. */
const PARTS = Object.keys(parts) as [DigestPart, ...DigestPart[]];
export type DigestPart = Exclude<keyof Digest, 'id' | 'status'>;

/** Comma-separated names. */
const name = `\\s*(${PARTS.join('|')})\\s*`;
const pattern = `^${name}(,${name})*$`;

const list = z
  .string()
  .max(1000)
  .transform((value) => value.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(PARTS)))
  .optional();

/** Parts to return: those of `include`, or all, minus those of `exclude`. */
export const digestPartsQuery = z.strictObject({
  include: list.openapi({
    type: 'string',
    pattern,
    description: `Parts of the digest to return, separated by commas; all by default. \`id\` and \`status\` are always returned. Parts: ${PARTS.map((name) => `\`${name}\``).join(', ')}.`,
    example: 'summary,sources',
  }),
  exclude: list.openapi({
    type: 'string',
    pattern,
    description: 'Parts of the digest to leave out, separated by commas.',
    example: 'keyPoints,selection',
  }),
});
export type DigestPartsQuery = TypeOf<typeof digestPartsQuery>;

export const digestPartsSchema = z
  .object({ id, status, ...z.object(parts).partial().shape })
  .openapi('DigestParts', { description: 'The parts of a digest that `include` and `exclude` select.' });

export function partsOf(digest: Digest, { include = PARTS, exclude = [] }: DigestPartsQuery): Partial<Digest> {
  const left = new Set<string>(['id', 'status', ...include]);
  for (const name of exclude) left.delete(name);
  return Object.fromEntries(Object.entries(digest).filter(([name]) => left.has(name)));
}
