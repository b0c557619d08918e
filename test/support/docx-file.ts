import { createRequire } from 'node:module';

/** As much of jszip as is used; mammoth brings it. */
interface Zip {
  file(name: string, content: string): void;
  generateAsync(options: { type: 'nodebuffer'; compression: 'DEFLATE' }): Promise<Buffer>;
}
const require = createRequire(createRequire(import.meta.url).resolve('mammoth'));
const JSZip: new () => Zip = require('jszip');

/**
 * A Word document.
 *
 * @param body markup of its paragraphs and tables
 * @param more contents of other parts by their names
 */
export async function docxFile(body: string, more: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const zip = new JSZip();
  const office = 'application/vnd.openxmlformats-officedocument';
  zip.file(
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${office}.wordprocessingml.document.main+xml"/></Types>`,
  );
  zip.file(
    '_rels/.rels',
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  );
  zip.file(
    'word/document.xml',
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  );
  for (const [name, content] of Object.entries(more)) zip.file(name, content);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}
