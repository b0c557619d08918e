import mammoth from 'mammoth';
import { trusted } from '../trusted.ts';
import { markupText } from './markup-text.ts';
import { UnreadableError } from './unreadable-error.ts';

/**
 * The text of a Word document.
 *
 * @throws UnreadableError
 */
export async function docxText(bytes: ArrayBuffer): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { arrayBuffer: bytes },
      // Pictures are no text.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return markupText(trusted.parse(value).body);
  } catch (cause) {
    throw new UnreadableError('This is not a valid Word document (.docx).', { cause });
  }
}
