import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf } from './fields.ts';

export const quoteSchema = z
  .object({ text: z.string(), start: z.int().min(0), end: z.int().min(0) })
  .openapi('Quote', { description: 'document.text.slice(start, end) === text, in UTF-16 code units.' });
export type Quote = TypeOf<typeof quoteSchema>;

const citationSchema = z.object({ document: z.string(), quote: quoteSchema });
export type Citation = TypeOf<typeof citationSchema>;

/** How a sentence was checked against its citations; `unverified` if the request disabled it. */
export const verificationSchema = z.enum(['verbatim', 'judged', 'mended', 'unverified']);
export type Verification = TypeOf<typeof verificationSchema>;

export const sentenceSchema = z.object({
  text: z.string(),
  /** True for template sentences, which need no source. */
  framing: z.boolean(),
  /** The selected points that it states, then their supporting points. Empty for framing. */
  keyPoints: z.array(z.string()),
  /** Quotes of the selected points, and one of each other document that says the same. Empty for framing. */
  citations: z.array(citationSchema),
  support: z.number().nullable().openapi({
    description: "1 for the quotes' exact wording; null for framing and for any other wording.",
  }),
  verification: verificationSchema.nullable().optional().openapi({
    description:
      "How the sentence was held against what it cites: the quotes' own wording, judged by a model, judged after it was asked for again, or not at all, as the request wanted. Null for framing, absent in older digests.",
  }),
  paragraph: z.int().min(0).optional().openapi({
    description: 'Index of its paragraph, which may contain a list. Absent in older digests.',
  }),
  item: z.int().min(0).optional().openapi({
    description:
      'Index of its list item in the paragraph; an item may contain several sentences. Absent outside lists.',
  }),
  label: z.string().optional().openapi({
    description:
      'Heading of its list, without the colon ("Still open"); the same for all sentences of the list. Absent if the list has no heading.',
  }),
});
export type SummarySentence = TypeOf<typeof sentenceSchema>;

export const summarySchema = z.object({
  /** The sentences with their markers, in paragraphs and lists. */
  text: z.string(),
  sentences: z.array(sentenceSchema),
});

/** `[number]` in the text of a summary stands for `document`. */
export const sourceSchema = z.object({
  number: z.int(),
  document: z.string(),
  title: z.string().optional(),
  publishedAt: z.string().optional().openapi({ description: 'Date of the document, if it was given.' }),
});
export type Source = TypeOf<typeof sourceSchema>;

/** A summary with its sources. */
export type Summary = TypeOf<typeof summarySchema> & { readonly sources: readonly Source[] };

/**
 * Why a selected point is missing from the text: the writer omitted it, no words or sentences were left, it is too irrelevant to be
 * added, it repeats another, or verification rejected its sentence.
 */
const leftOutReasonSchema = z.enum(['writer', 'words', 'sentences', 'level', 'said', 'unsupported']);
export type LeftOutReason = TypeOf<typeof leftOutReasonSchema>;

/** The fate of drafted sentences and of the points. */
export const writingReportSchema = z.object({
  drafted: z.int(),
  /** Kept unchanged: literal quotes, or not verified. */
  kept: z.int(),
  /** Kept on a judgement, since they paraphrase the quotes. */
  judged: z.int(),
  /** Kept after a retry. */
  mended: z.int(),
  /** Replaced by the wording of the points. */
  replaced: z.int(),
  /** Removed: cites no existing key point. */
  uncited: z.int(),
  /** Retried or replaced: has an address, markup or a formula that no cited quote contains. Absent in older digests. */
  foreign: z.int(),
  repeated: z.int(),
  tooLong: z.int().openapi({
    description: `Sentences left out for lack of words, or since they have more than ${LIMITS.sentenceCharacters} characters.`,
  }),
  tooMany: z.int().openapi({
    description: 'Sentences beyond the three of a brief. Absent in older digests.',
  }),
  /** Sentences that were retried. */
  askedAgain: z.int(),
  /** Points without a sentence, added in their own wording. */
  added: z.int(),
  leftOut: z.array(z.object({ keyPoint: z.string(), reason: leftOutReasonSchema })).openapi({
    description:
      'Selected key points that are not in the text: the writer left them out, no words or no sentence was left for them, they are not relevant enough to be added, another says the same words, or the sentence that told them with others was not borne out. Absent in older digests.',
  }),
  draft: z.string().nullable().openapi({
    description:
      "What the model wrote, as it came and unchecked, of the paper's own arms: the preset `published`, and the strategies `all`, `llm` and `naive` (of the last the sentences of its answer). Its first 128,000 characters; null for other digests, absent in older digests.",
  }),
});
export type WritingReport = TypeOf<typeof writingReportSchema>;
