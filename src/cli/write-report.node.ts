import { writeFileSync } from 'node:fs';
import { printReport, type Report, reportCsv, reportPage } from '../lab/index.ts';
import { UsageError } from './command.node.ts';

export interface ReportOutputs {
  readonly json: boolean;
  readonly html?: string | undefined;
  readonly csv?: string | undefined;
}

/**
 * Prints a report as text or JSON, and writes the requested page and table.
 * @throws UsageError if a file cannot be written
 */
export async function writeReport(
  report: Report,
  json: object,
  outputs: ReportOutputs,
  stdout: Pick<NodeJS.WriteStream, 'write'>,
): Promise<void> {
  stdout.write(outputs.json ? `${JSON.stringify(json, null, 2)}\n` : `${printReport(report)}\n`);
  if (outputs.html !== undefined) write('--html', outputs.html, await reportPage(report));
  if (outputs.csv !== undefined) write('--csv', outputs.csv, reportCsv(report));
}

function write(flag: string, path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new UsageError(`${flag} names "${path}", which cannot be written.`, { cause });
  }
}
