import { z } from '@hono/zod-openapi';
import { type Digest, digestKeyPointSchema, digestSchema } from './digest.ts';
import { DIGEST } from './examples/digest.ts';
import { nextCursor, type TypeOf } from './fields.ts';

const { id, status, ...parts } = digestSchema.shape;

/** Every part of a digest except id and status, which are always returned. */
const PARTS = Object.keys(parts) as [DigestPart, ...DigestPart[]];
export type DigestPart = Exclude<keyof Digest, 'id' | 'status'>;
/** Not a part: asks for what a short digest leaves out of its lists. */
const RECEIPTS = 'receipts';

/** A schema of comma-separated names. */
function namesOf<Name extends string>(names: readonly [Name, ...Name[]]) {
  const name = `\\s*(${names.join('|')})\\s*`;
  const list = z
    .string()
    .max(1000)
    .transform((value) => value.split(',').map((each) => each.trim()))
    .pipe(z.array(z.enum(names)))
    .optional();
  return { list, pattern: `^${name}(,${name})*$` };
}

const included = namesOf([RECEIPTS, ...PARTS]);
const excluded = namesOf(PARTS);

/** Parts to return: those of `include`, or all, minus those of `exclude`. */
export const digestPartsQuery = z.strictObject({
  include: included.list.openapi({
    type: 'string',
    pattern: included.pattern,
    description: `Parts of the digest to return, separated by commas; all by default. \`id\` and \`status\` are always returned. Parts: ${PARTS.map((name) => `\`${name}\``).join(', ')}. With \`receipts\`, \`keyPoints\` holds every key point, selected or not (of a collection with more than 2,000, those likely enough to be compared), and \`documents\` every document; alone, it returns all parts.`,
    example: 'summary,sources',
  }),
  exclude: excluded.list.openapi({
    type: 'string',
    pattern: excluded.pattern,
    description: 'Parts of the digest to leave out, separated by commas.',
    example: 'keyPoints,selection',
  }),
});
export type DigestPartsQuery = TypeOf<typeof digestPartsQuery>;

export const digestPartsSchema = z
  .object({ id, status, ...z.object(parts).partial().shape })
  .openapi('DigestParts', { description: 'The parts of a digest that `include` and `exclude` select.' });

export function wantsReceipts({ include = [] }: DigestPartsQuery): boolean {
  return include.includes(RECEIPTS);
}

export function partsOf(digest: Digest, { include = [], exclude = [] }: DigestPartsQuery): Partial<Digest> {
  const named = include.filter((name) => name !== RECEIPTS);
  const left = new Set<string>(['id', 'status', ...(named.length > 0 ? named : PARTS)]);
  if (wantsReceipts({ include })) left.add('keyPoints');
  for (const name of exclude) left.delete(name);
  return Object.fromEntries(Object.entries(digest).filter(([name]) => left.has(name)));
}

/** Items that a short list leaves out, each after its place in the whole list. */
type LeftOut<Item> = readonly (readonly [place: number, item: Item])[];

/** What a short digest leaves out. */
export interface DigestRest {
  readonly keyPoints: LeftOut<Digest['keyPoints'][number]>;
  readonly documents: LeftOut<Digest['documents'][number]>;
}

/** Documents that a short digest lists whatever came of them. */
const FEW_DOCUMENTS = 100;

/** Key points that a short digest lists of a sentence: what it tells, and three that joined it. */
const OF_A_SENTENCE = 4;

/**
 * A digest with the key points that its summary and its answer name, and of more than 100 documents those of these key points and
 * as many that failed; and the rest. Citations are whole (promise P4): where fifty documents state a sentence, it stays long.
 */
export function shortened(digest: Digest): { readonly digest: Digest; readonly rest: DigestRest | null } {
  const { keyPoints, documents, summary, intent } = digest;
  const named = new Set([
    ...summary.sentences.flatMap((each) => each.keyPoints.slice(0, OF_A_SENTENCE)),
    ...(intent?.nearest ?? []),
  ]);
  const points = divided(keyPoints, (point) => point.selected || named.has(point.id));
  const told = new Set([
    ...points.kept.map(({ document }) => document),
    ...documents.flatMap((each) => (each.error === null ? [] : each.id)).slice(0, FEW_DOCUMENTS),
  ]);
  const listed = divided(documents, (each) => documents.length <= FEW_DOCUMENTS || told.has(each.id));
  const isWhole = points.rest.length + listed.rest.length === 0;
  return {
    digest: { ...digest, keyPoints: points.kept, documents: listed.kept },
    rest: isWhole ? null : { keyPoints: points.rest, documents: listed.rest },
  };
}

/** The whole of what was shortened. */
export function restored(digest: Digest, rest: DigestRest): Digest {
  const keyPoints = joined(digest.keyPoints, rest.keyPoints);
  return { ...digest, keyPoints, documents: joined(digest.documents, rest.documents) };
}

function divided<Item>(all: readonly Item[], keeps: (item: Item) => boolean): { kept: Item[]; rest: [number, Item][] } {
  const kept = all.filter(keeps);
  const rest = all.flatMap((item, place): [number, Item][] => (keeps(item) ? [] : [[place, item]]));
  return { kept, rest };
}

function joined<Item>(kept: readonly Item[], rest: LeftOut<Item>): Item[] {
  const all: Item[] = [];
  let used = 0;
  for (const [place, item] of rest) {
    while (all.length < place) all.push(kept[used++]);
    all.push(item);
  }
  return [...all, ...kept.slice(used)];
}

/** A page of the key points of a digest, in its order. */
export const keyPointPageSchema = z
  .object({ keyPoints: z.array(digestKeyPointSchema), next: nextCursor })
  .openapi('KeyPointPage');
export type KeyPointPage = TypeOf<typeof keyPointPageSchema>;
export const KEY_POINT_PAGE = { keyPoints: DIGEST.keyPoints.slice(-1), next: null };
