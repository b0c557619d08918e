export * from './client.ts';
export * from './layout.ts';
