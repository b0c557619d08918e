/** Bytes of a call of String.fromCharCode, which takes an argument each. */
const CHUNK = 8192;

/** A long text as base64 of gzip: the receipts of a digest take a tenth of their room. */
export async function packed(text: string): Promise<string> {
  const bytes = await bytesOf(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** The text that was packed. */
export async function unpacked(given: string): Promise<string> {
  const bytes = Uint8Array.from(atob(given), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(
    await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))),
  );
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
