import type { WorkCache } from '../models/index.ts';
import type { Database } from './database.ts';
import { saveDocuments } from './documents.ts';
import { readSentenceVectors, readTokens, readVectorLists, saveEncodings, saveVectorLists } from './encodings.ts';
import { readExtractions, saveExtractions } from './extractions.ts';
import { deleteJudgements, readJudgements, saveJudgements } from './judgements.ts';

/** The work cache over the rows of one tenant; retention deletes unused ones. */
export function storeCache(database: Database): WorkCache {
  return {
    source: database.query,
    scope: database.tenant,
    readSentenceVectors: (encoder, hashes) => readSentenceVectors(database, encoder, hashes),
    readVectorLists: (encoder, keys) => readVectorLists(database, encoder, keys),
    saveVectorLists: (encoder, rows) => saveVectorLists(database, encoder, rows),
    readTokens: (encoder, hashes) => readTokens(database, encoder, hashes),
    saveEncodings: (encoder, rows) => saveEncodings(database, encoder, rows),
    readExtractions: (keys) => readExtractions(database, keys),
    saveExtractions: (rows) => saveExtractions(database, rows),
    saveDocuments: (texts) => saveDocuments(database, texts),
    readJudgements: (keys) => readJudgements(database, keys),
    saveJudgements: (rows) => saveJudgements(database, rows),
    deleteJudgements: (which) => deleteJudgements(database, which),
  };
}
