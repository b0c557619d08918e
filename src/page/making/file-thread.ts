import { type ReadFile, readFile } from '../../text/files/read-file.ts';
import { UnreadableFileError } from '../../text/index.ts';

interface FileQuestion {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}
export type FileAnswer = { readonly file: ReadFile } | { readonly problem: string };

globalThis.onmessage = ({ data: { name, bytes } }: MessageEvent<FileQuestion>) => {
  void readFile(name, new Uint8Array(bytes))
    .then((file) => ({ file }))
    .catch((failure: unknown) => ({
      problem: failure instanceof UnreadableFileError ? failure.message : 'It could not be read.',
    }))
    .then((answer: FileAnswer) => postMessage(answer));
};
