import { z } from '@hono/zod-openapi';

/** What became of the sentences that a language model wrote. */
export const writingSchema = z
  .object({
    drafted: z.int(),
    kept: z.int(),
    judged: z.int(),
    mended: z.int(),
    replaced: z.int(),
    uncited: z.int(),
    repeated: z.int(),
    tooLong: z.int(),
    tooMany: z.int().optional().openapi({
      description: 'Beyond the three sentences of a brief; absent where a stored digest does not say.',
    }),
    askedAgain: z.int(),
    added: z.int(),
    leftOut: z
      .array(
        z.object({
          keyPoint: z.string(),
          reason: z.enum(['writer', 'words', 'sentences', 'level', 'said', 'unsupported']),
        }),
      )
      .optional()
      .openapi({
        description:
          'Selected key points that are not in the text: the writer left them out, no words or no sentence was left for them, they are not relevant enough to be added, another says the same words, or the sentence that told them with others was not borne out. Absent where a stored digest does not say.',
      }),
    draft: z.string().nullable().optional().openapi({
      description:
        "What the model wrote, as it came and unchecked, of the paper's own arms: the preset `published`, and the strategies `all`, `llm` and `naive` (of the last the sentences of its answer). Its first 128,000 characters; null for other digests, absent where a stored digest does not say.",
    }),
  })
  .nullable()
  .openapi({ description: 'What became of the sentences that a language model wrote; null where none did.' });
