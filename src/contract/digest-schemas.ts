import { z } from '@hono/zod-openapi';
import { problemSchema } from './answer-schemas.ts';
import { STAGES } from './digest.ts';

export const PENDING_STATUSES = ['queued', 'running', 'cancelled', 'failed'] as const;
const id = z.string().openapi({ example: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071' });
const createdAt = z.iso.datetime().openapi({ example: '2026-11-21T09:30:00.000Z' });

/** A digest without an answer. */
export const pendingDigestSchema = z
  .object({
    id,
    status: z.enum(PENDING_STATUSES).openapi({ example: 'running' }),
    progress: z
      .object({ stage: z.enum(STAGES), done: z.int(), total: z.int(), document: z.string().optional() })
      .nullable()
      .openapi({
        description: 'How far its stage is; null before it begins.',
        example: { stage: 'extract', done: 3, total: 10 },
      }),
    createdAt,
    error: problemSchema.optional().openapi({ description: 'Why it failed.' }),
  })
  .openapi('PendingDigest', {
    example: {
      id: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
      status: 'running',
      progress: { stage: 'extract', done: 3, total: 10 },
      createdAt: '2026-11-21T09:30:00.000Z',
    },
  });
export type PendingDigest = z.infer<typeof pendingDigestSchema>;

export const digestListSchema = z
  .object({
    digests: z.array(
      z.object({
        id,
        status: z.string().openapi({ description: 'Of a digest, or of one without an answer.', example: 'completed' }),
        createdAt,
      }),
    ),
    next: z.string().nullable().openapi({
      description: 'Send it as `cursor` for the page after this; null where there is none.',
    }),
  })
  .openapi('DigestList', {
    example: {
      digests: [
        { id: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071', status: 'completed', createdAt: '2026-11-21T09:30:00.000Z' },
      ],
      next: null,
    },
  });
