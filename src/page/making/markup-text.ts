import { TurndownService } from './turndown/turndown.ts';

/** Parts of a page that are no text, and marks of notes, which look like the marks of sources. */
const NO_TEXT = [
  'script,style,noscript,template,iframe,object,svg,canvas,button,input,select,textarea,[hidden],[aria-hidden="true"]',
  'sup.reference,sup:has(> a[href^="#"]),a[href^="#footnote-ref"],a[href^="#endnote-ref"]',
].join(',');

/** Text of markup: headings and lists stay marked as in Markdown, and nothing else does. */
export function markupText(root: HTMLElement): string {
  const bare = root.cloneNode(true) as HTMLElement; // a clone is what was cloned
  for (const each of bare.querySelectorAll(NO_TEXT)) each.remove();
  return plainText(converter().turndown(bare));
}

function converter(): TurndownService {
  const service = new TurndownService({ headingStyle: 'atx', bulletListMarker: '-', hr: '', br: '' });
  service.escape = (text) => text;
  service.addRule('words', { filter: ['a', 'em', 'i', 'strong', 'b', 'code'], replacement: (content) => content });
  service.addRule('pictures', { filter: ['img', 'picture', 'video', 'audio'], replacement: () => '' });
  service.addRule('quotes', { filter: 'blockquote', replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule('preformatted', { filter: 'pre', replacement: (_, node) => `\n\n${node.textContent}\n\n` });
  service.addRule('cells', {
    filter: ['td', 'th'],
    replacement: (content) => `${content.trim().replace(/\s+/g, ' ')}  `,
  });
  service.addRule('rows', { filter: 'tr', replacement: (content) => `${content.trim()}\n` });
  return service;
}
/** Text as it comes out of a converter, with even spaces and at most one empty line. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/^(\s*(?:[-*]|\d+\.|#{1,6})) {2,}/gm, '$1 ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
