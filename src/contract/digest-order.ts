import type { SourceDocument } from '../text/index.ts';
import type { DigestRequest, EarlierReading, ReportRequest } from './digest-request.ts';

/** A report request whose background may be an earlier digest. */
export interface OrderedReport extends Omit<ReportRequest, 'background'> {
  readonly background?: string | { readonly digest: string } | undefined;
}

/** A request for a digest as a caller sends it, checked: what it refers to is not read yet. */
export interface DigestOrder extends Omit<DigestRequest, 'documents' | 'intent' | 'earlier'> {
  /** Either these or a collection. */
  readonly documents?: readonly SourceDocument[] | undefined;
  /** Id of a stored collection. */
  readonly collection?: string | undefined;
  readonly intent?: string | OrderedReport | undefined;
  /** Told by a webhook when the digest has ended. */
  readonly callbackUrl?: string | undefined;
}

/** A subject of an experiment, whose variant a request is to follow. */
export interface ExperimentSubject {
  /** Of the experiment. */
  readonly key: string;
  readonly subject: string;
}

/** An order that does not know its variant yet. */
export interface ExperimentOrder extends Omit<DigestOrder, 'experiment'> {
  readonly experiment?: ExperimentSubject | undefined;
}

/** A request as it is kept with its job: everything that it refers to by content, so that nothing can change under it. */
export interface StoredRequest extends Omit<DigestRequest, 'documents' | 'earlier'> {
  readonly documents: readonly HashedDocument[];
  /** The collection that they are of. */
  readonly collection?: string | undefined;
  readonly earlier?: EarlierReading | undefined;
}

/** A document without its text, which is kept under its hash. */
export interface HashedDocument extends Omit<SourceDocument, 'text'> {
  readonly hash: string;
}
