export { NewerDatabaseError } from './errors.ts';
export { isTessera, type OpenDatabase, openDatabase, refuseNewer } from './open-database.node.ts';
