import type {
  DigestRequest,
  EngineRequest,
  ExperimentPart,
  ReportRequest,
  SelectionRequest,
  SourceDocument,
  SummaryRequest,
} from '../contract/index.ts';

/** A document of a request; its hash where it is known already. */
export interface RequestDocument extends SourceDocument {
  /** Content hash of its text. */
  readonly hash?: string | undefined;
}

/** What an earlier digest, and those that it went on from, told the reader and read. */
export interface EarlierReading {
  /** Id of the digest. */
  readonly digest: string;
  readonly points: readonly { readonly text: string; readonly speaker?: string | undefined }[];
  /** Content hashes of the documents that were read. */
  readonly documents: readonly string[];
}

/** A report request whose earlier digest, where it names one, has been read. */
export interface ResolvedReport extends Omit<ReportRequest, 'background'> {
  /** What the reader knows already. */
  readonly background?: string | undefined;
}

/** What an experiment made of a request, with the subject that it is for. */
export interface ExperimentOfRequest extends ExperimentPart {
  readonly subject: string;
}

/** A request for a digest, checked, with everything that it refers to. */
export interface ResolvedRequest {
  readonly documents: readonly RequestDocument[];
  readonly intent?: string | ResolvedReport | undefined;
  readonly selection?: SelectionRequest | undefined;
  readonly summary?: SummaryRequest | undefined;
  readonly engine?: EngineRequest | undefined;
  /** What the reader knows from an earlier digest: the request asks what is new since. */
  readonly earlier?: EarlierReading | undefined;
  /** The experiment that it is part of; the options of its variant are among those above. */
  readonly experiment?: ExperimentOfRequest | undefined;
}

/** A request for a digest whose subject, where it names one, has its variant: what it refers to is not read yet. */
export interface DigestOrder extends Omit<DigestRequest, 'experiment'> {
  readonly experiment?: ExperimentOfRequest | undefined;
}

/** A request as it is kept with its job: everything that it refers to by content, so that nothing can change under it. */
export interface StoredRequest extends Omit<ResolvedRequest, 'documents'> {
  readonly documents: readonly HashedDocument[];
  /** The collection that they are of. */
  readonly collection?: string | undefined;
}

/** A document without its text, which is kept under its hash. */
export interface HashedDocument extends Omit<SourceDocument, 'text'> {
  readonly hash: string;
}
