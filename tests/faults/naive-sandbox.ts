import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, 'processes/naive-sandbox.ts');

/**
 * What code comes to in a runner without any protection, in a process of its own.
 *
 * @param ms how long it is waited for
 * @returns its value as text; undefined when it did not end in time and the process was killed
 */
export async function inNaiveSandbox(code: string, ms: number): Promise<string | undefined> {
  const options = { timeout: ms, killSignal: 'SIGKILL', env: {} } as const;
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--max-old-space-size=256', program, code],
      options,
    );
    return stdout;
  } catch {
    return undefined;
  }
}
