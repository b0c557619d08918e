import { type PdfAnswer, readPdf } from '../../text/files/read-pdf.ts';

/** As much as is used of a thread's own scope, which the types of pages do not have. */
interface Scope {
  onmessage: ((event: { readonly data: ArrayBuffer }) => void) | null;
  postMessage(answer: PdfAnswer): void;
}

const scope = globalThis as unknown as Scope; // it runs in a worker
scope.onmessage = ({ data }) => {
  void readPdf(new Uint8Array(data)).then((answer) => scope.postMessage(answer));
};
