export { type OpenDatabase, openDatabase } from './open-database.node.ts';
