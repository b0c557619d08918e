export { NewerDatabaseError } from './errors.ts';
export * from './open-database.node.ts';
