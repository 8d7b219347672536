import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openDatabase, Store } from '@bae/store';
import { describe, expect, it } from 'vitest';
import { faultsOf } from './scripted-session.ts';
import { scratchFolder } from './scratch-folder.ts';

const WRITERS = 8;
const TRANSACTIONS = 300;

/** Lets eight processes write at once, from the moment on at which there is no file yet; tells the errors of each. */
async function writeAtOnce(file: string, mode = ''): Promise<readonly string[]> {
  const script = join(import.meta.dirname, 'processes/write-at-once.ts');
  const writers = Array.from({ length: WRITERS }, () => {
    const child = spawn(process.execPath, [script, file, String(TRANSACTIONS), mode], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const writer = { child, said: '', ready: once(child.stdout, 'data'), closed: once(child, 'close') };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (writer.said += text));
    return writer;
  });
  await Promise.all(writers.map(({ ready }) => ready));
  for (const { child } of writers) child.stdin.end('go');
  await Promise.all(writers.map(({ closed }) => closed));
  return writers.map(({ said }) => said.trim().split('\n').at(-1) ?? '');
}

function countOf(file: string): number {
  const database = openDatabase(`${file}.counter`);
  const value = database.get('SELECT value FROM counter')?.['value'];
  database.close();
  return Number(value);
}

describe('eight processes that write at once', () => {
  it('wait for each other, and lose nothing', async () => {
    const file = join(scratchFolder(), 'new/bae.db');
    expect(await writeAtOnce(file)).toEqual(Array.from({ length: WRITERS }, () => '0 errors'));
    expect(countOf(file)).toBe(WRITERS * TRANSACTIONS);
    const store = Store.open(file);
    const sessions = store.sessions();
    expect(sessions.map(({ turns }) => turns)).toEqual(Array.from({ length: WRITERS }, () => TRANSACTIONS));
    for (const { id } of sessions) {
      const turns = store.events(id).map(({ turn }) => turn);
      expect(turns).toEqual(Array.from({ length: TRANSACTIONS }, (_, index) => index + 1));
    }
    store.close();
    expect(faultsOf(file)).toEqual([]);
  });

  it('fail when a transaction begins as a reader', async ({ annotate }) => {
    const file = join(scratchFolder(), 'bae.db');
    const errors = (await writeAtOnce(file, 'late')).reduce((sum, line) => sum + parseInt(line, 10), 0);
    expect(errors).toBeGreaterThan(0);
    expect(countOf(file)).toBe(WRITERS * TRANSACTIONS - errors);
    await annotate(`${errors} of ${WRITERS * TRANSACTIONS} transactions failed`);
  });
});
