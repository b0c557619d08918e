import type { Format, Quote, Verification } from '../contract/index.ts';

/** An unselected key point that states what a selected one says, or is near it. */
export interface Support {
  readonly keyPoint: string;
  readonly document: string;
  readonly quote: Quote;
  /** Similarity to the selected point. */
  readonly similarity: number;
  /** The statement as a reader should see it; the quote where it is absent. */
  readonly text?: string | undefined;
  readonly speaker?: string | undefined;
}

/** A key point of the selection, with all that the writer needs to know of it. */
export interface SelectedPoint {
  readonly id: string;
  readonly document: string;
  readonly text: string;
  readonly speaker?: string | undefined;
  readonly quote: Quote;
  /** Further quotes of the same document that state it. */
  readonly moreQuotes?: readonly Quote[] | undefined;
  readonly relevance: number;
  readonly salience: number;
  /** 1 for the first pick. */
  readonly rank: number;
  /** Index of the facet of the intent that the point answers best; null without an intent. */
  readonly facet: number | null;
  /** What states it, in canonical order. Several may come from one document. */
  readonly supports: readonly Support[];
  /** Ids of key points that are near it and do not state it, most similar first; not cited. */
  readonly related?: readonly string[] | undefined;
  /** What it stands under in its document, outermost first: headings, a lead-in, the question that it answers. */
  readonly under?: readonly string[] | undefined;
  /** How well it reads alone, in (0, 1]; 1 if absent. */
  readonly selfContained?: number | undefined;
  /** Its quotes with what stands around them, for whoever judges what rests on them; the quotes alone where absent. */
  readonly inContext?: Passage['quotes'] | undefined;
  /** How its document begins, if that does not stand around its quotes already. */
  readonly opening?: string | undefined;
  /** An earlier sentence of its document that holds a name of its wording, if nothing that is shown with its quotes does. */
  readonly earlier?: string | undefined;
  /** Whether a language model worded it, so that its text has to be held against its quotes. */
  readonly isWorded?: boolean | undefined;
  /** How its text was held; the quote's own wording where absent. */
  readonly verification?: Verification | undefined;
  /** Whether it is relevant enough to be told where a writer passes it over; true if absent. */
  readonly helps?: boolean | undefined;
  /** Probability that it helps to answer the question; null without an intent. */
  readonly probability?: number | null | undefined;
}

interface Facet {
  readonly text: string;
  /** False where no document speaks to it. */
  readonly matched: boolean;
}

export interface Intent {
  readonly text: string;
  readonly facets: readonly Facet[];
  /** False where no document speaks to any of it. */
  readonly matched: boolean;
}

export interface DescribedDocument {
  readonly id: string;
  readonly title?: string | undefined;
  /** ISO 8601. */
  readonly publishedAt?: string | undefined;
}

/** Sentences of a brief, beside those of the service's own. */
const BRIEF_SENTENCES = 3;

/** How many sentences a summary tells at most, beside those of the service's own; null for no bound. */
export function sentenceLimit(format: Format): number | null {
  return format === 'brief' ? BRIEF_SENTENCES : null;
}

export interface ComposeInput {
  /** In rank order. */
  readonly points: readonly SelectedPoint[];
  /** points.length^2 values, row-major: similarity of the kernel between selected points, in [-1, 1], 1 on the diagonal. */
  readonly similarity: Float32Array | Float64Array;
  /** The documents that were read for this request, in its order: a model is shown them so; what is composed does not depend on it. */
  readonly documents: readonly DescribedDocument[];
  readonly intent: Intent | null;
  /** What was left out because the reader has it from an earlier digest; nothing by default. */
  readonly known?: { readonly documents: number; readonly points: number } | undefined;
  readonly format: Format;
  /** Bounds the framing that is added around the points; the points themselves are bounded by the selection (`selection/fit-to-words.ts`). */
  readonly maxWords: number | null;
}

/** A place of a document, with what a judge needs to know to understand it. */
export interface Passage {
  /** Its id, which tells passages of one document from those of others. */
  readonly document: string;
  /** Its exact quotes, each with what stands around it in the document. */
  readonly quotes: readonly (Pick<Quote, 'text'> & { readonly before?: string; readonly after?: string })[];
  readonly title?: string | undefined;
  /** How the document begins, if that does not stand around a quote already. */
  readonly opening?: string | undefined;
  /** A sentence before all that, which may say who or what is meant; no alarm is stilled by it. */
  readonly earlier?: string | undefined;
  /** ISO 8601. */
  readonly publishedAt?: string | undefined;
  readonly speaker?: string | undefined;
}
