import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { fileOf, type Change } from './change-of-file.ts';

/** A process that is about to change a file. */
export class InterruptedChange {
  readonly #folder: string;
  readonly #change: Change;
  readonly #process: ChildProcessWithoutNullStreams;
  #said = '';

  constructor(folder: string, change: Change, details: readonly string[] = []) {
    this.#folder = folder;
    this.#change = change;
    const script = join(import.meta.dirname, 'processes/change-file.ts');
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
    this.#process = spawn(process.execPath, [script, folder, change, ...details], { env });
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    this.#process.stderr.pipe(process.stderr);
  }

  get pid(): number {
    return this.#process.pid!;
  }

  async ready(): Promise<void> {
    while (!this.#said.includes('ready')) await once(this.#process.stdout, 'data');
  }

  /** Lets it make the change; returns whether it lived to tell. */
  async go(): Promise<boolean> {
    this.#process.stdin.on('error', () => undefined).end('go');
    await once(this.#process, 'close');
    return this.#said.includes('done');
  }

  /** What is wrong afterwards; nothing, as a rule. */
  async faults(told: boolean): Promise<readonly string[]> {
    const { path, old, now } = fileOf(this.#change);
    const file = join(this.#folder, path);
    const content = existsSync(file) ? readFileSync(file, 'utf8') : null;
    const faults: string[] = [];
    if (content !== old && content !== now) faults.push(`a mixture of ${content?.length} characters`);
    if (told && content !== now) faults.push('told of a success that was none');
    // The next start, and its first change beside the file.
    await new WorkspaceRoot(this.#folder).write(join(path, '../beside.txt'), 'x');
    const left = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.tmp'),
    );
    return left.length === 0 ? faults : [...faults, `left ${left.join(', ')}`];
  }
}
