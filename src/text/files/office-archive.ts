import { Parser } from 'htmlparser2';
import JSZip from 'jszip';
import { UnreadableFileError } from '../errors.ts';
import { countOf } from './file-facts.ts';

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
 * An archive with the parts that may hold text, still compressed. Each is inflated to be counted, as archives lie about sizes, and not kept.
 * @throws UnreadableFileError if it is too large unpacked
 */
export async function openArchive(bytes: Uint8Array): Promise<JSZip> {
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

/** The result of a reader; whatever else it throws becomes a sentence that names the format. @throws UnreadableFileError */
export async function orInvalid<Result>(format: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof UnreadableFileError) throw cause;
    throw new UnreadableFileError(`This is not a valid ${format}.`, { cause });
  }
}

interface XmlListener {
  /** Names come without prefix; `r:id` is in `reference`. */
  open?(name: string, attributes: Readonly<Record<string, string>>, reference: string): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** No file of an office program is deeper; closing tags search what is open. */
const MAX_DEPTH = 500;

/**
 * Tells the tags and texts of a part in order, without a tree. Entities that it declares are not expanded.
 * @throws if it is missing, or nested too deeply
 */
export async function readPart(zip: JSZip, path: string, listener: XmlListener): Promise<void> {
  const part = zip.file(path);
  if (part === null) throw new Error(`there is no ${path}`);
  const plainName = (name: string): string => name.slice(name.indexOf(':') + 1);
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new Error(`${path} is nested too deeply`);
        listener.open?.(plainName(name), attributes, attributes['r:id'] ?? '');
      },
      ontext: (text) => listener.text?.(text),
      onclosetag(name) {
        depth--;
        listener.close?.(plainName(name));
      },
    },
    { xmlMode: true },
  );
  parser.end(await part.async('string'));
}

interface Relation {
  readonly path: string;
  /** The last part of its address, such as `slide`. */
  readonly type: string;
}

/** What a part refers to, by id; nothing if it has no list of references. */
export async function relationsOf(zip: JSZip, path: string): Promise<ReadonlyMap<string, Relation>> {
  const found = new Map<string, Relation>();
  const [folder, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)];
  const list = `${folder}_rels/${name}.rels`;
  if (zip.file(list) === null) return found;
  await readPart(zip, list, {
    open(tag, { Id = '', Target = '', Type = '' }) {
      if (tag !== 'Relationship') return;
      const { pathname } = new URL(Target.replace(/^(?=[^/]*:)/, './'), `file:///${folder}`);
      found.set(Id, { path: pathname.slice(1), type: Type.slice(Type.lastIndexOf('/') + 1) });
    },
  });
  return found;
}

export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
