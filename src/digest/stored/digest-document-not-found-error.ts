import { NotFoundError } from './not-found-error.ts';

/** A digest was made from no document with this id, or its text is not kept any more. */
export class DigestDocumentNotFoundError extends NotFoundError {
  readonly digest: string;
  readonly id: string;

  constructor(digest: string, id: string, why: 'unknown' | 'gone') {
    super(
      why === 'gone'
        ? 'The text of this document is not kept any more.'
        : 'There is no document with this id in the digest.',
    );
    this.digest = digest;
    this.id = id;
  }
}
