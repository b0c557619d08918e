import { extractTextItems, getDocumentProxy } from 'unpdf';
import { textOfPages } from './pdf-text.ts';

/** What became of a PDF, as the thread tells it. */
export type PdfAnswer = { readonly text: string; readonly pages: number } | { readonly problem: string };

/**
 * Reads the text of a PDF.
 *
 * @returns what keeps it from being read, where something does
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfAnswer> {
  try {
    // It would write warnings of its own.
    const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
    const { items, totalPages } = await extractTextItems(pdf);
    await pdf.destroy();
    const text = textOfPages(items);
    if (text !== '') return { text, pages: totalPages };
    return {
      problem:
        'It holds no text, only pictures of pages: it was perhaps scanned. Text recognition would have to be run over it first.',
    };
  } catch (failure) {
    return { problem: problemOf(failure instanceof Error ? failure.name : '') };
  }
}

/** By the names of pdf.js. */
function problemOf(name: string): string {
  if (name === 'PasswordException') return 'It is locked with a password.';
  if (name === 'InvalidPDFException') return 'It is no PDF, or it is damaged.';
  return 'Its text could not be read.';
}
