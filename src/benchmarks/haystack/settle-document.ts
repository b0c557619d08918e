import type { Span } from '../../documents/document.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { findInsights, type InsightsFound, type ShownInsight } from './find-insights.ts';
import type { Counts, HaystackOptions } from './haystack-options.ts';
import type { PlannedDocument } from './plan-documents.ts';
import { editDocument, writeDocument } from './write-document.ts';

/** A document, and what it tells, whatever it was to tell. */
export interface SettledDocument {
  readonly id: string;
  readonly text: string;
  /** Insights by their place, with the words that tell them; without any where nobody could say. */
  readonly told: ReadonlyMap<number, readonly Span[]>;
  readonly counts: Counts;
}

interface Version {
  readonly text: string;
  readonly found: InsightsFound;
  readonly missing: readonly number[];
  readonly extraneous: readonly number[];
}

/**
 * Writes a document, finds what it tells, and has it put right as long as that is not what it should tell, so many times at
 * most (Laban et al. 2024, section 3.2 and appendix A.1). What is still wrong then is put right in the labels: they say what
 * the best version tells. A document whose first version nobody could read keeps the labels of the plan.
 *
 * @param texts of all insights, by place
 * @param shown all of them, in the order in which the model sees them
 * @returns null where none could be written
 */
export async function settleDocument(
  model: AskedModel,
  plan: PlannedDocument,
  texts: readonly string[],
  shown: readonly ShownInsight[],
  options: HaystackOptions,
): Promise<SettledDocument | null> {
  const textsOf = (places: readonly number[]) => places.map((place) => texts[place]);
  let text = await writeDocument(model, plan, textsOf(plan.insights), options);
  if (text === null) return null;
  const first = text;
  let best: Version | null = null;
  let [edits, unverified] = [0, 0];
  for (;;) {
    const found = await findInsights(model, text, shown, plan.insights.length);
    if (found === null) {
      unverified++;
      break;
    }
    const version: Version = { text, found, ...differences(plan.insights, found) };
    if (best === null || wrongIn(version) <= wrongIn(best)) best = version;
    if (wrongIn(version) === 0 || edits === options.edits) break;
    const wrong = { missing: textsOf(version.missing), extraneous: textsOf(version.extraneous) };
    const edited = await editDocument(model, text, wrong, options);
    // The same text again would be found to be the same, and be edited alike.
    if (edited === null || edited === text) break;
    edits++;
    text = edited;
  }
  return {
    id: plan.id,
    text: best?.text ?? first,
    told: best?.found.told ?? new Map(plan.insights.map((place) => [place, []])),
    counts: {
      edits,
      unverified,
      unfounded: best?.found.unfounded ?? 0,
      missingLeft: best?.missing.length ?? 0,
      extraneousLeft: best?.extraneous.length ?? 0,
    },
  };
}

function differences(planned: readonly number[], { told }: InsightsFound) {
  const isPlanned = new Set(planned);
  return {
    missing: planned.filter((place) => !told.has(place)),
    extraneous: [...told.keys()].filter((place) => !isPlanned.has(place)),
  };
}

function wrongIn({ missing, extraneous }: Version): number {
  return missing.length + extraneous.length;
}
