// Writes down the steps of a session, one after the other, and acknowledges each, until it is killed.
import { writeSync } from 'node:fs';
import { Store } from '@bae/store';
import { writeStep } from '../scripted-session.ts';

const [, , file = '', session = '', start = '1', mode = ''] = process.argv;
const store = Store.open(file);
const last = mode === 'once' ? Number(start) : Infinity;
for (let number = Number(start); number <= last; number++) {
  // Too early, for a test that has to fail.
  if (mode === 'early') writeSync(1, `${number}\n`);
  writeStep(store, session, number);
  if (mode !== 'early') writeSync(1, `${number}\n`);
}
store.close();
