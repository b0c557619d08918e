/** A part of the view that a mistake is in. */
export type Place =
  | { readonly kind: 'documents' | 'intent' | 'reader' | 'options' | 'other' }
  | { readonly kind: 'document'; readonly index: number };

/** Where a JSON pointer into the request leads to in the view. */
export function placeOf(pointer: string): Place {
  const [first, second, ...rest] = pointer.replace(/^\//, '').split('/');
  switch (first) {
    case 'documents':
      return second !== undefined && /^\d+$/.test(second)
        ? { kind: 'document', index: Number(second) }
        : { kind: 'documents' };
    case 'intent':
      return { kind: second === undefined || (second === 'problem' && rest.length === 0) ? 'intent' : 'reader' };
    case 'selection':
    case 'summary':
    case 'engine':
      return { kind: 'options' };
    default:
      return { kind: 'other' };
  }
}
