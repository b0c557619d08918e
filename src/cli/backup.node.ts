import { existsSync, renameSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OpenDatabase } from '../store/index.node.ts';
import { TesseraError } from '../text/index.ts';
import { checkedCopy, removeCopy } from './checked-copy.node.ts';

/** A backup was not made; nothing of it is left behind. */
export class BackupError extends TesseraError {
  readonly code = 'backup';
}

/**
 * `backup FILE`: a copy as of now, while others read and write. It comes to its name only when it is whole and checked.
 *
 * @throws BackupError where there is such a file already, or the copy cannot be written or is damaged
 */
export async function backupCommand(database: Pick<OpenDatabase, 'backup'>, file: string): Promise<string> {
  const target = resolve(file);
  if (existsSync(target)) throw new BackupError(`${file} is there already and is not overwritten.`);
  const partial = `${target}.partial`;
  try {
    const finding = await checkedCopy(partial, (copy) => database.backup(copy));
    if (finding !== 'ok') throw new BackupError(`The copy is damaged: ${finding}`);
    if (existsSync(target)) throw new BackupError(`${file} has been made meanwhile and is not overwritten.`);
    renameSync(partial, target);
  } catch (cause) {
    removeCopy(partial);
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  return `${file}: ${statSync(target).size} bytes, checked.\n`;
}
