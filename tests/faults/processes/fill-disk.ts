// Writes a session until the disk is full, opens it again, makes room, goes on, and tells what it saw.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaeError } from '@bae/core';
import { Store } from '@bae/store';
import { faultsOf, stepsIn, writeStep } from '../scripted-session.ts';

const [, , folder = ''] = process.argv;
const file = join(folder, 'bae.db');
const ballast = join(folder, 'ballast');
writeFileSync(ballast, Buffer.alloc(3_000_000));

let acknowledged = 0;
/** Writes so many steps, or until it fails; gives the error. */
function write(store: Store, session: string, most: number): unknown {
  const end = acknowledged + most;
  try {
    while (acknowledged < end) {
      writeStep(store, session, acknowledged + 1);
      acknowledged++;
    }
    return undefined;
  } catch (error) {
    return BaeError.is(error) ? [error.name, error.message.replace(file, 'FILE'), ...error.hints] : String(error);
  }
}

const store = Store.open(file);
const session = store.createSession();
const full = write(store, session, 10_000);
const again = write(store, session, 1);
const whenFull = { acknowledged, there: stepsIn(store, session) };
rmSync(ballast);
const afterwards = write(store, session, 20) ?? 'written';
store.close();

const reopened = Store.open(file);
const atLast = { acknowledged, there: stepsIn(reopened, session) };
reopened.close();
process.stdout.write(JSON.stringify({ full, again, whenFull, afterwards, atLast, faults: faultsOf(file) }));
