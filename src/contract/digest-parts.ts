import { z } from '@hono/zod-openapi';
import { type Digest, digestSchema } from './digest.ts';
import type { TypeOf } from './fields.ts';

const { id, status, ...parts } = digestSchema.shape;

/** What a digest holds beside its id and status, which are always answered. */
// The names of an object's own fields, as the compiler knows them.
const PARTS = Object.keys(parts) as [DigestPart, ...DigestPart[]];
export type DigestPart = Exclude<keyof Digest, 'id' | 'status'>;

/** Names in a list, with a comma between them, as the contract says it. */
const name = `\\s*(${PARTS.join('|')})\\s*`;
const pattern = `^${name}(,${name})*$`;

const list = z
  .string()
  .max(1000)
  .transform((value) => value.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(PARTS)))
  .optional();

/** Which parts of a digest are answered: those of `include`, or all, without those of `exclude`. */
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

/** A digest of which some parts were asked for. */
export const digestPartsSchema = z
  .object({ id, status, ...z.object(parts).partial().shape })
  .openapi('DigestParts', { description: 'The parts of a digest that `include` and `exclude` select.' });

/** The parts of a digest that are asked for, in their order. */
export function partsOf(digest: Digest, { include = PARTS, exclude = [] }: DigestPartsQuery): Partial<Digest> {
  const left = new Set<string>(['id', 'status', ...include]);
  for (const name of exclude) left.delete(name);
  return Object.fromEntries(Object.entries(digest).filter(([name]) => left.has(name)));
}
