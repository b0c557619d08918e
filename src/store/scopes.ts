/** What a key may be used for. */
export const SCOPES = ['digests', 'experiments', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
