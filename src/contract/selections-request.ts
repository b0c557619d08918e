import type { ReportRequest, SelectionRequest } from './digest-request.ts';

/** An item of an app's own. */
export interface SelectionItem {
  readonly id: string;
  readonly text: string;
  /** Name of the document it comes from; a document of its own where absent. */
  readonly document?: string | undefined;
}

/** A request to select among given items, checked: exactly one of items, embeddings, kernel and digest is there. */
export interface SelectionsRequest {
  readonly items?: readonly SelectionItem[] | undefined;
  /** Vectors of the same length, of any norm. */
  readonly embeddings?: readonly (readonly number[])[] | undefined;
  /** L: square, symmetric up to rounding, no negative diagonal entry. */
  readonly kernel?: readonly (readonly number[])[] | undefined;
  /** Id of a stored digest, whose points are selected from anew. */
  readonly digest?: string | undefined;
  readonly intent?: string | Pick<ReportRequest, 'problem' | 'userStory' | 'background'> | undefined;
  readonly queryEmbedding?: readonly number[] | undefined;
  readonly relevanceScores?: readonly number[] | undefined;
  readonly selection?: SelectionRequest | undefined;
  readonly engine?: { readonly encoder?: string | undefined } | undefined;
  /** Sets to draw, by a sampling strategy. */
  readonly draws?: number | undefined;
}
