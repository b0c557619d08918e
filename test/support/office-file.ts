import JSZip from 'jszip';

/** An archive of these parts, by their names. */
export async function officeFile(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(parts)) zip.file(name, content);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A list of references, as `id: [type, target]`. */
export function relations(all: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const each = Object.entries(all).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${each.join('')}</Relationships>`;
}

interface Workbook {
  /** Markup of the rows of each sheet, by its name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
  readonly properties?: string;
}

export function xlsxFile({ sheets, strings = '', styles = '', properties = '' }: Workbook): Promise<Buffer> {
  const names = Object.keys(sheets);
  return officeFile({
    'xl/workbook.xml': `<workbook>${properties}<sheets>${names.map((name, n) => `<sheet name="${name}" r:id="r${n}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(names.map((_, n) => [`r${n}`, ['worksheet', `worksheets/sheet${n}.xml`] as const])),
      strings: ['sharedStrings', '/xl/sharedStrings.xml'],
      styles: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, n) => [
        `xl/worksheets/sheet${n}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** @param slides markup of the shapes of each slide, in the order that they are shown in; with the notes of it */
export function pptxFile(slides: readonly { readonly shapes: string; readonly notes?: string }[]): Promise<Buffer> {
  const parts: Record<string, string> = {
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, n) => `<p:sldId id="${256 + n}" r:id="r${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    // Named against the order, which the presentation tells.
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, n) => [`r${n}`, ['slide', `slides/slide${slides.length - n}.xml`] as const])),
    ),
  };
  slides.forEach(({ shapes, notes }, n) => {
    const name = `slide${slides.length - n}.xml`;
    parts[`ppt/slides/${name}`] = `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    if (notes === undefined) return;
    parts[`ppt/slides/_rels/${name}.rels`] = relations({ n: ['notesSlide', `../notesSlides/${name}`] });
    parts[`ppt/notesSlides/${name}`] = `<p:notes>${notes}</p:notes>`;
  });
  return officeFile(parts);
}
