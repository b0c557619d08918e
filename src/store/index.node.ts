export { type OpenDatabase, openDatabase } from './open-database.node.ts';
export { isTessera, NewerDatabaseError, refuseNewer } from './schema-version.node.ts';
