import type {
  ArgueRequest,
  KeyPointRecallRequest,
  SourceCoverageRequest,
  SummHayRequest,
} from './evaluation-request.ts';

/** A request in which a stored digest may stand for some fields. */
type Ordered<Request, Field extends keyof Request> = Omit<Request, Field> & {
  readonly [Name in Field]?: Request[Name] | undefined;
} & {
  /** Id of a stored digest. */
  readonly digest?: string | undefined;
};

/** What goes with a text that the service is to split. */
interface Numbered {
  /** Ids of the documents that the markers [1], [2] and so on of the text stand for, in order; by default `documents`. */
  readonly sources?: readonly string[] | undefined;
}

/** Either bullets with their markers, one by one or as one text, or a digest. */
export type SummHayOrder = Ordered<
  Omit<SummHayRequest, 'bullets'> & { readonly bullets: readonly string[] | string },
  'bullets'
> &
  Numbered;
/** Either an answer or a digest. */
export type KeyPointRecallOrder = Ordered<KeyPointRecallRequest, 'answer'>;
/** Either a report, with documents, or a digest. A report is sentences with what they cite, or one text with markers. */
export type ArgueOrder = Ordered<
  Omit<ArgueRequest, 'report'> & { readonly report: ArgueRequest['report'] | string },
  'report' | 'documents'
> &
  Numbered;
/** Either a summary, with documents, or a digest. */
export type SourceCoverageOrder = Ordered<SourceCoverageRequest, 'summary' | 'documents'>;

/** A request to score as a caller sends it, checked: the digest that it may name is not read yet. */
export type EvaluationOrder = SummHayOrder | KeyPointRecallOrder | ArgueOrder | SourceCoverageOrder;
