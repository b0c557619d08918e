import type {
  DigestDocument,
  EngineRequest,
  ExperimentPart,
  ReportRequest,
  SelectionRequest,
  SourceDocument,
  SummaryRequest,
} from '../contract/index.ts';

export interface RequestDocument extends SourceDocument {
  readonly hash?: string | undefined;
  /** Why it has no text, though it has an address. */
  readonly unread?: DigestDocument['error'] | undefined;
}

export interface EarlierReading {
  readonly digest: string;
  readonly points: readonly { readonly text: string; readonly speaker?: string | undefined }[];
  readonly documents: readonly string[];
}

export interface ResolvedReport extends Omit<ReportRequest, 'background'> {
  readonly background?: string | undefined;
}

export interface ExperimentOfRequest extends ExperimentPart {
  readonly subject: string;
}

export interface PlannedRequest {
  readonly intent?: string | ResolvedReport | undefined;
  readonly selection?: SelectionRequest | undefined;
  readonly summary?: SummaryRequest | undefined;
  readonly engine?: EngineRequest | undefined;
  /** Size of the documents in UTF-8; absent while only the options are checked. */
  readonly documentBytes?: number | undefined;
  /** Set if the request wants only what is new since an earlier digest. */
  readonly earlier?: EarlierReading | undefined;
}

export interface ResolvedRequest extends PlannedRequest {
  readonly documents: readonly RequestDocument[];
  /** Further documents, of a collection: their texts are in the store. */
  readonly stored?: readonly HashedDocument[] | undefined;
  /** Key points of these, as far as is known. */
  readonly storedPoints?: number | undefined;
  /** The options above include those of the variant. */
  readonly experiment?: ExperimentOfRequest | undefined;
}

/** A request as stored with its job: documents by content hash, so that they cannot change. */
export interface StoredRequest extends Omit<ResolvedRequest, 'documents' | 'stored'> {
  readonly documents: readonly HashedDocument[];
  readonly collection?: string | undefined;
  readonly subscription?: { readonly id: string; readonly sendEmpty: boolean } | undefined;
}

export interface HashedDocument extends Omit<RequestDocument, 'text'> {
  readonly hash: string;
}
