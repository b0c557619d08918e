import { DomHandler, Parser, type parseDocument } from 'htmlparser2';
import JSZip from 'jszip';
import { UnreadableFileError } from '../errors.ts';
import { countOf } from './file-facts.ts';

export type Node = ReturnType<typeof parseDocument>['children'][number];
export type Element = Extract<Node, { readonly attribs: unknown }>;

/** Of parts, and of those with text in bytes and tags, each of which takes about a kilobyte. */
const MOST = { parts: 20_000, bytes: 100_000_000, tags: 1_000_000 };
const TOO_LARGE = 'It has more than 100 MB, a million tags or 20,000 parts, unpacked; split it.';
/** Parts that may hold text or say how to read it. */
const TEXT_PART = /\.(?:xml|rels)$|^mammoth\/|\/$/i;

/** jszip documents this method; its types leave it out. */
interface Part {
  internalStream(type: 'uint8array'): JSZip.JSZipStreamHelper<Uint8Array>;
}

/**
 * Reads an archive with the parts that may hold text. Each is inflated to be counted, as archives lie about sizes, and not kept.
 * @throws UnreadableFileError that names the format, if the archive is too large unpacked, or `read` fails
 */
export async function readArchive<Result>(bytes: Uint8Array, format: string, read: (zip: JSZip) => Promise<Result>) {
  try {
    return await read(await openArchive(bytes));
  } catch (cause) {
    if (cause instanceof UnreadableFileError) throw cause;
    throw new UnreadableFileError(`This is not a valid ${format}.`, { cause });
  }
}

async function openArchive(bytes: Uint8Array): Promise<JSZip> {
  if (countOf(bytes, 'PK\u0001\u0002') > MOST.parts) throw new UnreadableFileError(TOO_LARGE);
  const zip = await JSZip.loadAsync(bytes);
  const left = { ...MOST };
  const countPart = (part: Part) =>
    new Promise<void>((resolve, reject) => {
      const inflating = part.internalStream('uint8array').on('error', reject).on('end', resolve);
      inflating.on('data', (chunk) => {
        left.bytes -= chunk.length;
        left.tags -= countOf(chunk, '<');
        if (left.bytes >= 0 && left.tags >= 0) return;
        inflating.pause();
        reject(new UnreadableFileError(TOO_LARGE));
      });
      inflating.resume();
    });
  for (const part of Object.values(zip.files)) {
    if (!TEXT_PART.test(part.name)) zip.remove(part.name);
    else if (!part.dir) await countPart(part as unknown as Part);
  }
  return zip;
}

/** No file of an office program is deeper, and the parser searches what is open. */
const MAX_DEPTH = 500;

class ShallowHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > MAX_DEPTH) throw new Error('nested too deeply');
    super.onopentag(name, attributes);
  }
}

/**
 * The tree of a part, empty if it is missing or was taken before: hostile files name one part a thousand times. Entities that it
 * declares are not expanded. @throws if it is nested too deeply
 */
export async function takePart(zip: JSZip, path = ''): Promise<Node[]> {
  const part = zip.file(path);
  if (part === null) return [];
  const handler = new ShallowHandler();
  new Parser(handler, { xmlMode: true }).end(await part.async('string'));
  zip.remove(path);
  return handler.root.children;
}

/** The outermost elements of these names, whatever their prefix, in order. */
export function find(within: Element | readonly Node[], ...names: readonly string[]): Element[] {
  return ('attribs' in within ? within.children : within).flatMap((node): Element[] => {
    if (!('attribs' in node)) return [];
    return names.includes(node.name.slice(node.name.indexOf(':') + 1)) ? [node] : find(node, ...names);
  });
}

/** Paths of what a part refers to, each with the last part of its type, such as `slide`, by id. */
export async function relationsOf(zip: JSZip, path: string) {
  const list = await takePart(zip, path.replace(/[^/]*$/, '_rels/$&.rels'));
  const all = find(list, 'Relationship').map(({ attribs: { Id = '', Target = '', Type = '' } }) => {
    const target = new URL(Target.replace(/^(?=[^/]*:)/, './'), `file:///${path}`).pathname.slice(1);
    return [Id, { path: target, type: Type.replace(/.*\//, '') }] as const;
  });
  return new Map(all);
}
