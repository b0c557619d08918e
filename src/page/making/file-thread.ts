import { type ReadFile, readFile } from '../../text/files/read-file.ts';
import { UnreadableFileError } from '../../text/index.ts';

interface FileQuestion {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}
export type FileAnswer = { readonly file: ReadFile } | { readonly problem: string };

/** The part of a worker's scope used here; the types of a page lack it. */
interface Scope {
  onmessage: ((event: { readonly data: FileQuestion }) => void) | null;
  postMessage(answer: FileAnswer): void;
}

const scope = globalThis as unknown as Scope; // it runs in a worker
scope.onmessage = ({ data: { name, bytes } }) => {
  void readFile(name, new Uint8Array(bytes))
    .then((file) => ({ file }))
    .catch((failure: unknown) => ({
      problem: failure instanceof UnreadableFileError ? failure.message : 'It could not be read.',
    }))
    .then((answer) => scope.postMessage(answer));
};
