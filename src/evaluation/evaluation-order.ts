import type { ArgueRequest, KeyPointRecallRequest, SourceCoverageRequest, SummHayRequest } from './request.ts';

/** A request in which a stored digest may stand for some fields. */
type Ordered<Request, Field extends keyof Request> = Omit<Request, Field> & {
  readonly [Name in Field]?: Request[Name] | undefined;
} & {
  /** Id of a stored digest. */
  readonly digest?: string | undefined;
};

/** Either bullets with their markers or a digest. */
export type SummHayOrder = Ordered<
  Omit<SummHayRequest, 'bullets'> & { readonly bullets: readonly string[] },
  'bullets'
>;
/** Either an answer or a digest. */
export type KeyPointRecallOrder = Ordered<KeyPointRecallRequest, 'answer'>;
/** Either a report, with documents, or a digest. */
export type ArgueOrder = Ordered<ArgueRequest, 'report' | 'documents'>;
/** Either a summary, with documents, or a digest. */
export type SourceCoverageOrder = Ordered<SourceCoverageRequest, 'summary' | 'documents'>;

/** A request to score as a caller sends it, checked: the digest that it may name is not read yet. */
export type EvaluationOrder = SummHayOrder | KeyPointRecallOrder | ArgueOrder | SourceCoverageOrder;
