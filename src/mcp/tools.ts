import { z } from '@hono/zod-openapi';
import { ConnectionError, type DigestInput, NotFoundError, ValidationError } from '../client/index.ts';
import * as contract from '../contract/index.ts';
import { contentHash, counted } from '../text/index.ts';
import { digestText, marked, quoted, quotedAt, withNotice } from './plain-text.ts';
import { type Call, tool } from './tool-server.ts';

const { digestSchema, documentsSchema } = contract;
const isSegment = ({ id }: { id: string }): boolean => !/^\.{0,2}$/.test(id);
const id = contract.text(200).refine((id) => isSegment({ id }), 'cannot be an id in an address');
const collection = id.describe('Id or name of a collection.');
const offset = z.int().min(0);
/** Characters of a document in one answer, and around a citation. */
const MAX_EXCERPT = 20_000;
const AROUND = 1000;

/** The offset, or that before it within a surrogate pair. */
const unsplit = (text: string, at: number) => (/^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at - 1 : at);

const makeDigest = tool('make_digest', {
  description:
    'Answers a question over documents, or over a stored collection, in a short text in which every sentence is cited to exact quotes. Says so if the documents do not answer. Without an intent it summarises.',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  input: z.strictObject({
    documents: documentsSchema.optional().describe('Texts to read, instead of a collection.'),
    collection: collection.optional(),
    intent: contract.digestRequestSchema.shape.intent.describe('The question.'),
    summary: contract.digestRequestSchema.shape.summary,
  }),
  output: digestSchema
    .pick({ id: true, status: true, intent: true, summary: true, sources: true, warnings: true })
    .extend({ unread: digestSchema.shape.documents.describe('Documents that were not read, and why.') }),
  async run({ collection, ...asked }, call) {
    const stored = collection !== undefined && { collection: await collectionId(collection, call) };
    const digest = await followDigest({ ...asked, ...stored } as DigestInput, call); // the service checks which it has
    const unread = digest.documents.filter(({ status }) => status !== 'ok');
    return { text: digestText(digest, unread), structured: { ...digest, unread } };
  },
});

const searchCollection = tool('search_collection', {
  description:
    'Finds the passages of a stored collection that help most with a question, as exact quotes without repetitions. For an answer in sentences use make_digest.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.strictObject({
    collection,
    query: contract.question.min(1).describe('A question, or what to look for.'),
    limit: z.int().min(1).max(50).default(10).describe('Maximum number of passages.'),
  }),
  output: z.object({
    collection: z.string(),
    passages: z.array(contract.digestKeyPointSchema.pick({ document: true, quote: true, probability: true })),
    warnings: digestSchema.shape.warnings,
  }),
  async run({ collection: given, query, limit }, call) {
    const collection = await collectionId(given, call);
    const asked: DigestInput = {
      collection,
      intent: query,
      selection: { strategy: 'relevance', size: { keyPoints: limit } },
      summary: { format: 'bullets', maxWords: null },
      engine: { extractor: 'sentences', writer: 'compose' }, // no language model, whatever the default is
    };
    const { id, keyPoints, warnings } = await followDigest(asked, call);
    await call.client.digests.delete(id).catch(() => {}); // lists of digests stay free of it
    const passages = keyPoints.filter((each) => each.selected).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    const lines = passages.map(({ document, quote, probability }) => {
      return `document ${quoted(document)}, helps with probability ${probability?.toFixed(2) ?? 'unknown'}\n${quotedAt(quote)}`;
    });
    const text = withNotice(`Passages of ${collection}: ${passages.length}`, lines.join('\n'));
    return { text, structured: { collection, passages, warnings } };
  },
});

const addDocuments = tool('add_documents', {
  description:
    'Stores documents in a collection, which is made if none has the name, and processes them once for all later questions: all of them, or none if one is refused. A document replaces the one with the same id.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    collection,
    documents: documentsSchema.refine((all) => all.every(isSegment), 'have "." or ".." as an id'),
  }),
  output: contract.putDocumentsSchema.extend({ collection: contract.collectionSchema }),
  async run({ collection: name, documents: given }, call) {
    const { client, signal } = call;
    const id = await collectionId(name, call, true);
    const onProgress = stagesTold(call, ['extract', 'encode']);
    const { documents } = await client.collections.putDocuments(id, given, { signal, onProgress });
    const collection = await client.collections.get(id, { signal });
    const odd = documents.flatMap(({ id, status }) => (status === 'ok' ? [] : [`${quoted(id)} is ${status}.`]));
    const text = `Added or replaced: ${documents.length}. Collection ${id} (${quoted(name)}) has ${counted(collection.documents, 'document')}.`;
    return { text: [text, ...odd].join('\n'), structured: { collection, documents } };
  },
});

const getSource = tool('get_source', {
  description: `Reads a document of a digest or of a collection: the text around a citation, or from an offset on, at most ${MAX_EXCERPT} characters.`,
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.strictObject({
    digest: id.optional().describe('Id of a digest.'),
    collection: collection.optional(),
    document: id.describe('Id of the document.'),
    start: offset.default(0).describe('Start of the citation; without `end`, of the text to read. UTF-16 code units.'),
    end: offset.optional().describe('End of the citation.'),
  }),
  output: contract.sourceTextSchema.extend({ start: offset, end: offset, characters: offset }),
  async run({ digest, collection = '', document, start: from, end: to = from }, call) {
    const { client, signal } = call;
    if ((digest === undefined) === (collection === '')) throw new ValidationError('Name a digest or a collection.');
    const source =
      digest === undefined
        ? await client.collections.getDocument(await collectionId(collection, call), document, { signal })
        : await client.digests.document(digest, document, { signal });
    const { id, title = null, url = null, publishedAt = null, text: whole } = source;
    const characters = whole.length;
    if (from > to || to > characters) throw new ValidationError(`/end: must be from start to ${characters}`);
    const start = unsplit(whole, to > from ? Math.max(0, from - AROUND) : from);
    const end = unsplit(whole, Math.min(characters, start + MAX_EXCERPT, to > from ? to + AROUND : characters));
    const text = whole.slice(start, end);
    const about = [id, title ?? '', publishedAt ?? ''].map(quoted).join(', ');
    return {
      text: withNotice(`Document ${about}: characters ${start}-${end} of ${characters}`, marked(text)),
      structured: { id, title, url, publishedAt, text, start, end, characters },
    };
  },
});

export const TOOLS = [makeDigest, searchCollection, addDocuments, getSource];

/** Tells how far work is that goes through these stages. */
function stagesTold({ onProgress }: Pick<Call, 'onProgress'>, stages: readonly contract.Progress['stage'][]) {
  return ({ stage, done, total }: contract.Progress) =>
    onProgress(stages.indexOf(stage) + done / Math.max(1, total), stages.length, `${stage}: ${done} of ${total}`);
}

/** Makes a digest and tells how far it is. An abort cancels it, as soon as it has an id. */
async function followDigest(request: DigestInput, { client, signal, ...call }: Call): Promise<contract.Digest> {
  let id = '';
  const onProgress = stagesTold(call, contract.STAGES);
  const cancel = () => id !== '' && client.digests.cancel(id).catch(() => {});
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel);
  try {
    for await (const { event, data } of client.digests.stream(request)) {
      if (event === 'digest') return data;
      if (event === 'accepted') {
        id = data.id;
        if (signal.aborted) cancel(); // before it had an id
      }
      if (event !== 'progress') continue;
      onProgress(data);
    }
    throw new ConnectionError('The events of a digest ended before it');
  } catch (error) {
    if (id === '' || !(error instanceof ConnectionError)) throw error;
    return await client.digests.wait(id, { signal }); // Workers end the stream of a long digest
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** By its id, which the service checks, or the newest of this name. @throws ValidationError if none has it, unless it `isMade` */
async function collectionId(given: string, { client, signal }: Call, isMade = false): Promise<string> {
  if (/^col_[0-9a-f]{32}$/.test(given)) return given;
  for await (const { id, name } of client.collections.list({ limit: 100, signal })) if (name === given) return id;
  if (!isMade) throw new ValidationError(`/collection: There is no collection named ${quoted(given)}.`);
  // Calls at the same time make one: the key of the name makes them the same request.
  const made = await client.collections.create({ name: given }, { idempotencyKey: `mcp-${contentHash(given)}` });
  const known = await client.collections.get(made.id).catch((error) => {
    if (error instanceof NotFoundError) return client.collections.create({ name: given }); // deleted since
    throw error;
  });
  return known.id;
}
