import JSZip from 'jszip';
import { type Exported, escapeHtml, layoutOf, markersOf, type Sentence } from '../../client/index.ts';

const SCHEMAS = 'http://schemas.openxmlformats.org';
const OFFICE = `${SCHEMAS}/officeDocument/2006/relationships`;
const SPACES = `xmlns:w="${SCHEMAS}/wordprocessingml/2006/main" xmlns:r="${OFFICE}"`;
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** A Word document with a footnote for every cited quote, and the list of sources. Markup in documents is escaped. */
export async function toWord({ heading, digest, documentOf }: Exported): Promise<Blob> {
  const quotes: string[] = [];
  const links: string[] = [];
  const cited = (sentence: Sentence): string => {
    const markers = markersOf(sentence, digest.sources).map(({ citation: { document, quote } }) => {
      quotes.push(` ${documentOf(document).name}: “${quote.text}”`);
      return element('r', REFERENCE, `<w:footnoteReference w:id="${quotes.length}"/>`);
    });
    return run(sentence.text) + markers.join('') + run(' ');
  };
  const parts = layoutOf(digest.summary).flatMap((part) => {
    if (part.kind === 'paragraph') return [paragraph('Normal', ...part.sentences.map(cited))];
    const items = part.items.map((sentences) => paragraph('ListBullet', ...sentences.map(cited)));
    return part.label === null ? items : [paragraph('Normal', run(`${part.label}:`)), ...items];
  });
  const sources = digest.sources.map(({ number, document }) => {
    const { name, publishedAt, link } = documentOf(document);
    const date = publishedAt === null ? '' : `, ${publishedAt.slice(0, 10)}`;
    if (link === null) return paragraph('Normal', run(`${number}. ${name}${date}`));
    links.push(link);
    const address = `<w:hyperlink r:id="link${links.length}">${run(link, style('r', 'Hyperlink'))}</w:hyperlink>`;
    return paragraph('Normal', run(`${number}. ${name}${date}, `), address);
  });
  const body = [
    paragraph('Heading1', run(heading)),
    ...parts,
    ...(sources.length === 0 ? [] : [paragraph('Heading2', run('Sources')), ...sources]),
  ];
  const mark = element('r', REFERENCE, '<w:footnoteRef/>');
  const footnotes = quotes.map((text, index) => footnote(index + 1, '', mark, run(text)));
  const files = {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': relations(relation('main', 'officeDocument', 'word/document.xml')),
    'word/_rels/document.xml.rels': relations(
      ...['footnotes', 'numbering', 'styles'].map((name) => relation(name, name, `${name}.xml`)),
      ...links.map((link, index) => relation(`link${index + 1}`, 'hyperlink', link, 'External')),
    ),
    'word/document.xml': root('document', element('body', ...body)),
    'word/footnotes.xml': root('footnotes', ...SEPARATORS, ...footnotes),
    'word/numbering.xml': root('numbering', BULLETS),
    'word/styles.xml': root('styles', STYLES),
  };
  const archive = new JSZip();
  for (const [path, xml] of Object.entries(files)) {
    archive.file(path, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`);
  }
  const bytes = await archive.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' });
  return new Blob([bytes], { type: `${TYPE}.document` });
}

/** Escapes a text for XML, replacing the characters that it does not allow. */
function escapeXml(text: string): string {
  return escapeHtml(text).replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd');
}

function root(name: string, ...content: readonly string[]): string {
  return `<w:${name} ${SPACES}>${content.join('')}</w:${name}>`;
}

function element(name: string, ...content: readonly string[]): string {
  return `<w:${name}>${content.join('')}</w:${name}>`;
}

/** Properties of a paragraph or a run: its style. */
function style(kind: 'p' | 'r', name: string): string {
  return element(`${kind}Pr`, `<w:${kind}Style w:val="${name}"/>`);
}

const REFERENCE = style('r', 'FootnoteReference');

function run(text: string, properties = ''): string {
  return element('r', properties, `<w:t xml:space="preserve">${escapeXml(text)}</w:t>`);
}

function paragraph(name: string, ...content: readonly string[]): string {
  return element('p', style('p', name), ...content);
}

function footnote(id: number, type: string, ...content: readonly string[]): string {
  return `<w:footnote w:id="${id}"${type}>${paragraph('FootnoteText', ...content)}</w:footnote>`;
}

// Word expects these two.
const SEPARATORS = ['separator', 'continuationSeparator'].map((name, index) =>
  footnote(index - 1, ` w:type="${name}"`, element('r', `<w:${name}/>`)),
);

function relation(id: string, type: string, target: string, mode = 'Internal'): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${escapeXml(target)}" TargetMode="${mode}"/>`;
}

function relations(...of: readonly string[]): string {
  return `<Relationships xmlns="${SCHEMAS}/package/2006/relationships">${of.join('')}</Relationships>`;
}

const PARTS = { document: 'document.main', footnotes: 'footnotes', numbering: 'numbering', styles: 'styles' };
const OVERRIDES = Object.entries(PARTS).map(
  ([name, type]) => `<Override PartName="/word/${name}.xml" ContentType="${TYPE}.${type}+xml"/>`,
);
const CONTENT_TYPES = `<Types xmlns="${SCHEMAS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${OVERRIDES.join('')}</Types>`;

const BULLETS =
  '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:pStyle w:val="ListBullet"/><w:lvlText w:val="•"/><w:pPr><w:ind w:left="360" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>';

const STYLES = [
  '<w:style w:type="paragraph" w:styleId="Normal" w:default="1"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="22"/></w:rPr></w:style>',
  '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>',
  '<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="240"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/><w:sz w:val="26"/></w:rPr></w:style>',
  '<w:style w:type="paragraph" w:styleId="ListBullet"><w:name w:val="List Bullet"/><w:basedOn w:val="Normal"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
  '<w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/><w:basedOn w:val="Normal"/><w:rPr><w:sz w:val="18"/></w:rPr></w:style>',
  '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>',
  '<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0A58B0"/><w:u w:val="single"/></w:rPr></w:style>',
].join('');
