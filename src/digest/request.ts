import type {
  EngineRequest,
  ExperimentPart,
  ReportRequest,
  SelectionRequest,
  SourceDocument,
  SummaryRequest,
} from '../contract/index.ts';

export interface RequestDocument extends SourceDocument {
  readonly hash?: string | undefined;
}

export interface EarlierReading {
  readonly digest: string;
  readonly points: readonly { readonly text: string; readonly speaker?: string | undefined }[];
  /** Content hashes of the documents that were read. */
  readonly documents: readonly string[];
}

/** A report request whose earlier digest, if it names one, has been read. */
export interface ResolvedReport extends Omit<ReportRequest, 'background'> {
  readonly background?: string | undefined;
}

/** The experiment that a request is part of, and the subject it is for. */
export interface ExperimentOfRequest extends ExperimentPart {
  readonly subject: string;
}

/** Everything that decides how a digest is made, whatever its documents. */
export interface PlannedRequest {
  readonly intent?: string | ResolvedReport | undefined;
  readonly selection?: SelectionRequest | undefined;
  readonly summary?: SummaryRequest | undefined;
  readonly engine?: EngineRequest | undefined;
  /** Set if the request asks what is new since an earlier digest. */
  readonly earlier?: EarlierReading | undefined;
}

/** A checked digest request with everything it refers to. */
export interface ResolvedRequest extends PlannedRequest {
  readonly documents: readonly RequestDocument[];
  /** The options of the variant are among those above. */
  readonly experiment?: ExperimentOfRequest | undefined;
}

/** A request as stored with its job: documents by content hash, so that nothing can change under it. */
export interface StoredRequest extends Omit<ResolvedRequest, 'documents'> {
  readonly documents: readonly HashedDocument[];
  readonly collection?: string | undefined;
}

/** A document whose text is stored under its hash. */
export interface HashedDocument extends Omit<SourceDocument, 'text'> {
  readonly hash: string;
}
