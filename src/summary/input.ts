import type { Format, Quote, Verification } from '../contract/index.ts';
import type { Span } from '../text/index.ts';

export interface Support {
  readonly keyPoint: string;
  readonly document: string;
  readonly quote: Quote;
  readonly similarity: number;
  /** The statement, tidied for display; the quote if absent. */
  readonly text?: string | undefined;
  readonly speaker?: string | undefined;
}

export interface SelectedPoint {
  readonly id: string;
  readonly document: string;
  readonly text: string;
  readonly speaker?: string | undefined;
  readonly quote: Quote;
  readonly moreQuotes?: readonly Quote[] | undefined;
  readonly relevance: number;
  readonly salience: number;
  /** Number of documents with a point that is nearer to this one than to any other selected. */
  readonly alike?: number | undefined;
  readonly rank: number;
  /** Index of the facet of the intent that the point answers best; null without an intent. */
  readonly facet: number | null;
  /** Key points that state it, in canonical order; several may come from one document. */
  readonly supports: readonly Support[];
  readonly related?: readonly string[] | undefined;
  /** Headings, lead-in and question above it in its document, outermost first. */
  readonly under?: readonly string[] | undefined;
  /** How well it reads alone, in (0, 1]; 1 if absent. */
  readonly selfContained?: number | undefined;
  /** The statement directly before it that its pronoun or connective refers to, unless that is selected as well. */
  readonly antecedent?: { readonly text: string; readonly quote: Quote } | undefined;
  /** Its quotes with their surroundings, for the judge; the quotes alone if absent. */
  readonly inContext?: Passage['quotes'] | undefined;
  readonly within?: Passage['within'];
  /** The beginning of its document, if not already around its quotes. */
  readonly opening?: string | undefined;
  /** An earlier sentence of its document that contains a name of its wording, if the surroundings of its quotes do not. */
  readonly earlier?: string | undefined;
  /** Whether a language model worded it, so that it must be checked against its quotes. */
  readonly isWorded?: boolean | undefined;
  /** How its text was checked; verbatim if absent. */
  readonly verification?: Verification | undefined;
  /** Whether it is relevant enough to be added if the writer omits it; true if absent. */
  readonly helps?: boolean | undefined;
}

type Quoted = 'document' | 'text' | 'speaker' | 'quote' | 'moreQuotes' | 'inContext' | 'within' | 'opening' | 'earlier';
/** A key point that is not selected, or a sentence that is none: its id is null. */
export type Citable = Pick<SelectedPoint, Quoted> &
  Partial<Pick<SelectedPoint, 'isWorded' | 'helps' | 'alike'>> & { readonly id: string | null };

export interface Intent {
  readonly text: string;
  readonly facets: readonly {
    readonly text: string;
    /** Whether a point may answer it. */
    readonly matched: boolean;
    /** False if none does so for sure. */
    readonly isSure?: boolean | undefined;
  }[];
  readonly matched: boolean;
}

export interface DescribedDocument {
  readonly id: string;
  readonly text?: string | undefined;
  readonly title?: string | undefined;
  /** ISO 8601. */
  readonly publishedAt?: string | undefined;
}

/** Number of sentences of a brief, without framing. */
const BRIEF_SENTENCES = 3;

export function sentenceLimit(format: Format): number | null {
  return format === 'brief' ? BRIEF_SENTENCES : null;
}

export interface ComposeInput {
  readonly points: readonly SelectedPoint[];
  /** All else in the documents, if the writer reads them whole and may cite it too. */
  readonly others?: readonly Citable[] | undefined;
  /** points.length^2 values, row-major: similarity of the kernel between selected points, in [-1, 1], 1 on the diagonal. */
  readonly similarity: Float32Array | Float64Array;
  /** The documents read for this request, in its order. A model sees this order; the composed summary does not depend on it. */
  readonly documents: readonly DescribedDocument[];
  readonly intent: Intent | null;
  readonly known?: { readonly documents: number; readonly points: number } | undefined;
  readonly format: Format;
  /** Limits the framing; the selection limits the points. */
  readonly maxWords: number | null;
}

/** A part of a document with the context that a judge needs. */
export interface Passage {
  readonly document: string;
  readonly quotes: readonly (Pick<Quote, 'text'> & { readonly before?: string; readonly after?: string })[];
  /** The document whole, if it is short, with the places of the quotes. */
  readonly within?: { readonly text: string; readonly spans: readonly Span[] } | undefined;
  readonly title?: string | undefined;
  /** The beginning of the document, if not already around a quote. */
  readonly opening?: string | undefined;
  /** An earlier sentence that may explain a reference; numbers and names in it do not count as support. */
  readonly earlier?: string | undefined;
  /** ISO 8601. */
  readonly publishedAt?: string | undefined;
  readonly speaker?: string | undefined;
}
