// Makes a session, takes the right to write away from its disk, and tells what opening it again says.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaeError } from '@bae/core';
import { Store } from '@bae/store';
import { stepsIn, writeStep } from '../scripted-session.ts';

const [, , folder = ''] = process.argv;
const file = join(folder, 'bae.db');

function remount(how: 'ro' | 'rw'): void {
  spawnSync('mount', ['-o', `remount,${how}`, folder], { stdio: 'inherit' });
}

function openError(path: string): unknown {
  try {
    Store.open(path).close();
    return undefined;
  } catch (error) {
    return BaeError.is(error) ? [error.name, error.message.replace(folder, 'FOLDER'), ...error.hints] : String(error);
  }
}

const store = Store.open(file);
const session = store.createSession();
for (let step = 1; step <= 20; step++) writeStep(store, session, step);
store.close();
const before = readFileSync(file);

remount('ro');
const errors = [openError(file), openError(join(folder, 'new.db')), openError(join(folder, 'sub/new.db'))];
const same = readFileSync(file).equals(before);
const names = readdirSync(folder);
remount('rw');

const again = Store.open(file);
const there = stepsIn(again, session);
again.close();
process.stdout.write(JSON.stringify({ errors, same, names, there }));
