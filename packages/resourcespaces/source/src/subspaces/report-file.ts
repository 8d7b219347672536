import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Has a program write a report to a file of ours, outside of the project, and returns what it wrote; undefined when
 * it wrote nothing. Nothing is left of it.
 *
 * @param run runs the program, which writes to the path that it is handed
 */
export async function withReportFile<T>(
  run: (path: string) => Promise<T>,
): Promise<{ readonly result: T; readonly report: string | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'bae-report-'));
  try {
    const path = join(folder, 'report.json');
    const result = await run(path);
    const report = await readFile(path, 'utf8').catch(() => undefined);
    return { result, report };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
