// Writes many transactions while others do the same, and tells how many failed.
import { once } from 'node:events';
import { openDatabase, Store, runTransaction } from '@bae/store';

const [, , file = '', count = '0', mode = ''] = process.argv;
process.stdout.write('ready\n');
await once(process.stdin, 'data');

let errors = 0;
const attempt = (work: () => void): void => {
  try {
    work();
  } catch {
    errors++;
  }
};

const store = Store.open(file);
const log = store.log(store.createSession());
const counter = openDatabase(`${file}.counter`);
runTransaction(counter, () => {
  counter.execute('CREATE TABLE IF NOT EXISTS counter (value)');
  if (counter.get('SELECT value FROM counter') === undefined) counter.execute('INSERT INTO counter VALUES (0)');
});

const countUp = (): void => {
  const value = Number(counter.get('SELECT value FROM counter')?.['value']);
  counter.run('UPDATE counter SET value = ?', value + 1);
};

/** What a transaction must not be: one that begins as a reader. */
const countUpLate = (): void => {
  counter.execute('BEGIN');
  try {
    countUp();
    counter.execute('COMMIT');
  } catch (error) {
    counter.execute('ROLLBACK');
    throw error;
  }
};

for (let turn = 1; turn <= Number(count); turn++) {
  if (mode === 'late') attempt(countUpLate);
  else {
    attempt(() => runTransaction(counter, countUp));
    attempt(() => log.append({ label: '1', turn, type: 'turn-start', prompt: `prompt ${turn}` }));
  }
}
store.close();
counter.close();
process.stdout.write(`${errors} errors\n`);
process.stdin.destroy();
