/** Layouts of files that benchmark sets are loaded from: ours, plain texts, and those of published data. */
export const FORMATS = [
  'set',
  'documents',
  'summhay',
  'diversesumm',
  'qmsum',
  'long2rag',
  'haystack',
  'meetings',
] as const;
export type Format = (typeof FORMATS)[number];
