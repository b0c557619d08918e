/** Of the largest buffer, thus of the largest stream, that readers of files may ask for. */
const MAX_BYTES = 2 ** 27;

/**
 * Bounds every buffer of this thread from now on, and every stream that is inflated, for pdf.js has no bound of its own. For
 * threads that only read files.
 * @param onRefused is told, since readers may swallow the error
 */
export function boundBuffers(onRefused: () => void): void {
  const check = (bytes: unknown): void => {
    if (typeof bytes !== 'number' || bytes <= MAX_BYTES) return;
    onRefused();
    throw new RangeError('too many bytes');
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, given) {
      check(given[0]);
      return Reflect.construct(target, given);
    },
  });
  globalThis.DecompressionStream = new Proxy(DecompressionStream, {
    construct(target, [format]) {
      const { readable, writable } = new target(format);
      let size = 0;
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, rest) {
          size += chunk.length;
          check(size);
          rest.enqueue(chunk);
        },
      });
      return { readable: readable.pipeThrough(counted), writable };
    },
  });
}
