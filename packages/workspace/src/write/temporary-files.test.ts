import { execFileSync, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { createTemporaryName } from './write-atomically.ts';

/** Number of a process that has ended. */
function deadProcess(): number {
  return spawnSync('true').pid;
}

const nameOf = (pid: number, end = '0123456789abcdef.tmp'): string => `.bae-${pid}-${end}`;
const HOURS_AGO = new Date(Date.now() - 2 * 60 * 60 * 1000);

describe('a temporary file', () => {
  it('has a name that tells who writes it', () => {
    expect(createTemporaryName()).toMatch(new RegExp(String.raw`^\.bae-${process.pid}-[0-9a-f]{16}\.tmp$`));
  });

  it('of a process that is gone is removed before the first write beside it', async () => {
    const folder = temporaryFolder({ [`d/${nameOf(deadProcess())}`]: 'half', [nameOf(deadProcess())]: 'half' });
    await new WorkspaceRoot(folder).write('d/a.txt', 'x');
    expect(readdirSync(join(folder, 'd'))).toEqual(['a.txt']);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('of a process that is gone is removed when the folder is listed', async () => {
    const folder = temporaryFolder({ [`d/${nameOf(deadProcess())}`]: 'half', 'd/a.txt': '' });
    const workspace = new WorkspaceRoot(folder);
    expect(await workspace.list('d')).toEqual(['a.txt']);
    expect(readdirSync(join(folder, 'd'))).toEqual(['a.txt']);
  });

  it('stays while the process that writes it may live', async () => {
    const folder = temporaryFolder({ [nameOf(process.ppid)]: 'half', [nameOf(process.pid)]: 'half' });
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('is removed when it is too old to be written to, or older than the process with its number', async () => {
    const folder = temporaryFolder({ [nameOf(process.ppid)]: 'half', [nameOf(process.pid)]: 'half' });
    utimesSync(join(folder, nameOf(process.ppid)), HOURS_AGO, HOURS_AGO);
    const started = new Date(performance.timeOrigin - 1000);
    utimesSync(join(folder, nameOf(process.pid)), started, started);
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('is removed also when it got its other name already', async () => {
    const left = nameOf(deadProcess());
    const folder = temporaryFolder({ [left]: 'whole' });
    linkSync(join(folder, left), join(folder, 'b.txt'));
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toEqual(['a.txt', 'b.txt']);
  });

  it('is only what looks exactly like one', async () => {
    const gone = deadProcess();
    const others = [nameOf(gone, '0123456789abcde.tmp'), nameOf(gone, '0123456789abcdef.tmp.txt'), `x${nameOf(gone)}`, '.bae-x.tmp', `.bae-${gone}.tmp`];
    const folder = temporaryFolder(Object.fromEntries(others.map((name) => [name, 'mine'])));
    mkdirSync(join(folder, nameOf(gone, '1111111111111111.tmp')));
    symlinkSync('elsewhere', join(folder, nameOf(gone, '2222222222222222.tmp')));
    execFileSync('mkfifo', [join(folder, nameOf(gone, '3333333333333333.tmp'))]);
    for (const name of others) utimesSync(join(folder, name), HOURS_AGO, HOURS_AGO);
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toHaveLength(others.length + 4);
  }); // prettier-ignore

  it.runIf(process.getuid?.() === 0)('of another user stays', async () => {
    const left = nameOf(deadProcess());
    const folder = temporaryFolder({ [left]: 'half' });
    execFileSync('chown', ['12345', join(folder, left)]);
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toEqual([left, 'a.txt']);
  });

  it('that appears later is not looked for again', async () => {
    const folder = temporaryFolder();
    const workspace = new WorkspaceRoot(folder);
    await workspace.write('a.txt', 'x');
    writeFileSync(join(folder, nameOf(deadProcess())), 'half');
    await workspace.write('a.txt', 'y');
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
