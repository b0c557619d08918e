import type { WorkCache } from '../models/index.ts';
import type { Database } from './database.ts';
import { readDocuments, saveDocuments } from './documents.ts';
import { encodingCache } from './encodings.ts';
import { readExtractions, saveExtractions } from './extractions.ts';
import { judgementCache } from './judgements.ts';

/** The work cache over the rows of one tenant; retention deletes unused ones. */
export function storeCache(database: Database): WorkCache {
  return {
    source: database.query,
    scope: database.tenant,
    ...encodingCache(database),
    ...judgementCache(database),
    readExtractions: (keys) => readExtractions(database, keys),
    saveExtractions: (rows) => saveExtractions(database, rows),
    readTexts: (hashes) => readDocuments(database, hashes),
    saveDocuments: (texts) => saveDocuments(database, texts),
  };
}
