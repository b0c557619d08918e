import { ConnectionError, type SourceDocument, TesseraClientError } from '../../client/index.ts';
import { Problem } from '../parts/problem.tsx';
import { nameOf } from './document-facts.ts';
import { tooLargeWords } from './too-large.ts';

interface MakeProblemProps {
  readonly failure: unknown;
  readonly documents: readonly SourceDocument[];
}

/** A digest that could not be made: in place, with what can be done about it. The draft stays. */
export function MakeProblem({ failure, documents }: MakeProblemProps) {
  const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
  if (failure instanceof TesseraClientError && failure.status === 413) {
    return (
      <div class="problem" role="alert">
        <p>
          <strong>The documents are too large in total.</strong> {tooLargeWords(failure.problem?.detail, characters)}
        </p>
      </div>
    );
  }
  return (
    <>
      <Problem failure={named(failure, documents)} />
      {failure instanceof ConnectionError && characters > LARGE && (
        <p class="notice">The documents may be too large for this service.</p>
      )}
    </>
  );
}

const LARGE = 5_000_000;

/** The failure, with documents by their names where the service points at their places. */
function named(failure: unknown, documents: readonly SourceDocument[]): unknown {
  if (!(failure instanceof TesseraClientError) || failure.problem?.errors === undefined) return failure;
  const { status, requestId, problem, message } = failure;
  const errors = problem.errors?.map(({ pointer, detail }) => {
    const place = /^\/documents\/(\d+)(.*)$/.exec(pointer);
    const document = place === null ? undefined : documents[Number(place[1])];
    return { pointer: document === undefined || place === null ? pointer : `“${nameOf(document)}”${place[2]}`, detail };
  });
  return new TesseraClientError(message, {
    status,
    requestId,
    problem: { ...problem, detail: 'What is wrong is marked below.', ...(errors && { errors }) },
  });
}
