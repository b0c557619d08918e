import PostalMime, { type Address } from 'postal-mime';
import type { SourceDocument } from '../documents/document.ts';
import { UnreadableFileError } from '../errors.ts';
import { markupText } from './markup-text.ts';

const MAX_TITLE = 1000;

/**
 * A mail (.eml): its headers as lines, then its text, or that of its HTML. Attachments are named, not read.
 * @throws UnreadableFileError
 */
export async function readMail(bytes: Uint8Array): Promise<Omit<SourceDocument, 'id'>> {
  const mail = await PostalMime.parse(bytes).catch((cause: unknown) => {
    throw new UnreadableFileError('This is not a valid mail (.eml).', { cause });
  });
  const { subject = '', from, to = [], date = '', text = '', html = '', attachments } = mail;
  if (from === undefined && subject === '') throw new UnreadableFileError('This is not a valid mail (.eml).');
  const day = Number.isNaN(Date.parse(date)) ? '' : new Date(date).toISOString();
  const names = attachments.map(({ filename, mimeType }) => filename ?? mimeType).join(', ');
  const headers = [
    ['From', from === undefined ? '' : nameOf(from)],
    ['To', to.map(nameOf).join(', ')],
    ['Date', day.slice(0, 10)],
    ['Subject', subject],
    ['Attachments', names && `${names} (not read)`],
  ].flatMap(([name, value]) => (value.trim() === '' ? [] : [`${name}: ${value.replace(/\s+/g, ' ').trim()}`]));
  const title = subject
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .replace(/\p{Surrogate}/gu, '');
  const body = text.trim() === '' ? markupText(html) : text.trim();
  return {
    ...(title !== '' && { title }),
    ...(day !== '' && { publishedAt: day.slice(0, 10) }),
    text: [headers.join('\n'), body].join('\n\n').trim(),
  };
}

function nameOf(address: Address): string {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(nameOf).join(', ')}`;
  const { name, address: mail } = address;
  return name === '' || name === mail ? mail : `${name} <${mail}>`;
}
