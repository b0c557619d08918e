export * from './client.ts';
export * from './exports.ts';
export * from './layout.ts';
export * from './spreadsheets.ts';
