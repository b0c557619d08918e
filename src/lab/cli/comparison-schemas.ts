import { z } from 'zod';
import { digestOptions, digestRequestSchema, text } from '../../contract/index.ts';
import type { ResolvedReport } from '../../digest/index.ts';
import { sourceCoverage, summHay } from '../../evaluation/index.ts';
import { COMPARISON_METRICS } from '../comparison/metrics.ts';

const name = text(500).min(1);
const { documents, intent } = digestRequestSchema.shape;
const { selection, summary, engine } = digestOptions;

/** Options of an arm: those of `POST /v1/digests`. */
export const armOptionsSchema = z.strictObject({ selection, summary, engine });

/** Keys of the metrics to show and to test; all where absent. */
export const wantedMetrics = z
  .array(z.enum(COMPARISON_METRICS.map(({ key }) => key)))
  .min(1)
  .optional();

/** A file that says what to compare; options of arms are checked once their sweeps are expanded. */
export const comparisonSchema = z.strictObject({
  name,
  arms: z
    .array(
      z.strictObject({
        name,
        options: z.record(z.string(), z.unknown()),
        sweep: z.record(z.string().regex(/^\w+(\.\w+)*$/), z.array(z.unknown()).min(1).max(100)).optional(),
        requires: z.literal('model').optional(),
      }),
    )
    .min(1)
    .max(1000),
  baseline: name.optional(),
  metrics: wantedMetrics,
});

/** A record to digest, with what its digest should tell where that is known. */
export const datumSchema = z
  .strictObject({
    id: name,
    documents: documents.unwrap(),
    intent: intent.refine((given) => !namesDigest(given), {
      path: ['background'],
      message: 'is given in words here: no digest can be named',
    }),
    insights: summHay.order.shape.insights.optional(),
    questions: sourceCoverage.order.shape.questions.optional(),
  })
  .superRefine(({ documents: given, insights = [], questions = [] }, context) => {
    const known = new Set(given.map(({ id }) => id));
    const report = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    const ids = insights.map(({ id }) => id);
    insights.forEach(({ id, text: told, documents: where = [] }, place) => {
      if (ids.indexOf(id) < place) report(['insights', place, 'id'], 'is a duplicate id');
      if (told.trim() === '') report(['insights', place, 'text'], 'is blank');
      for (const [index, document] of where.entries()) {
        if (!known.has(document)) {
          report(['insights', place, 'documents', index], 'is not the id of one of the documents');
        }
      }
    });
    questions.forEach(({ document }, place) => {
      if (!known.has(document)) report(['questions', place, 'document'], 'is not the id of one of the documents');
    });
  })
  .transform(({ intent: given, ...rest }) => ({ ...rest, intent: inWords(given) }));

type Intent = z.output<typeof intent>;

function namesDigest(given: Intent): boolean {
  return typeof given === 'object' && typeof given.background === 'object';
}

/** The intent without a digest in it, of which there is none by now. */
function inWords(given: Intent): string | ResolvedReport | undefined {
  if (typeof given !== 'object') return given;
  const { background, ...rest } = given;
  return { ...rest, ...(typeof background === 'string' && { background }) };
}
