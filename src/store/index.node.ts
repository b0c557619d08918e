export { NewerDatabaseError } from './errors.ts';
export {
  isTessera,
  makeFolder,
  type OpenDatabase,
  openDatabase,
  refuseNewer,
  whyNotOpened,
} from './open-database.node.ts';
