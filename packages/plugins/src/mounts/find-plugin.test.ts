import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { putPackage, spaceModule } from '../../test/sample-package.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { findPlugin } from './find-plugin.ts';

let project: string;
beforeEach(() => {
  project = scratchFolder();
});

const code = spaceModule('a');
const put = (name: string, folder = join('node_modules', name)) => putPackage(join(project, folder), { name, code });

describe('findPlugin', () => {
  it('finds a package by its short name and by its whole name', async () => {
    const folder = put('bae-resourcespace-tickets');
    const scoped = put('@acme/bae-resourcespace-tickets');
    for (const named of ['tickets', 'bae-resourcespace-tickets'])
      expect(await findPlugin(named, project)).toEqual({ folder });
    for (const named of ['@acme/tickets', '@acme/bae-resourcespace-tickets'])
      expect(await findPlugin(named, project)).toEqual({ folder: scoped });
  });

  it('looks in the folders above', async () => {
    const folder = put('bae-resourcespace-tickets');
    expect(await findPlugin('tickets', join(project, 'apps/shop/deep'))).toEqual({ folder });
  });

  it('finds a folder by its path, and where a link leads', async () => {
    const folder = put('bae-resourcespace-notes', 'spaces/notes');
    mkdirSync(join(project, 'apps'));
    symlinkSync(folder, join(project, 'apps/link'));
    expect(await findPlugin('./spaces/notes', project)).toEqual({ folder });
    expect(await findPlugin('../spaces/notes', join(project, 'apps'))).toEqual({ folder });
    expect(await findPlugin(folder, '/')).toEqual({ folder });
    expect(await findPlugin('./link', join(project, 'apps'))).toEqual({ folder });
    expect(await findPlugin('.', folder)).toEqual({ folder });
    expect(await findPlugin('..', join(folder, 'dist'))).toEqual({ folder });
  });

  it('does not take a folder for a package that nobody named by its path', async () => {
    put('bae-resourcespace-notes', 'notes');
    expect(await findPlugin('notes', project)).toEqual({
      problem: 'no package bae-resourcespace-notes is installed. Install it: npm install bae-resourcespace-notes',
    });
  });

  it('offers the nearest name of those that are installed', async () => {
    put('bae-resourcespace-tickets');
    put('@acme/bae-resourcespace-orders');
    expect(await findPlugin('tikets', project)).toEqual({
      problem: 'no package bae-resourcespace-tikets is installed. Did you mean "tickets"?',
    });
    expect(await findPlugin('@acme/order', project)).toEqual({
      problem: 'no package @acme/bae-resourcespace-order is installed. Did you mean "@acme/orders"?',
    });
  });

  it.each(['', 'a b', 'Tickets', '@acme', 'a/b', '\u0000'])('says that %j is no name', async (named) => {
    expect(await findPlugin(named, project)).toEqual({
      problem: `expected a name like "tickets" or a folder like "./spaces/tickets"; got ${JSON.stringify(named)}.`,
    });
  });

  it('says that nothing is at a path', async () => {
    expect(await findPlugin('./nowhere', project)).toEqual({
      problem: 'expected the folder of a package; got "./nowhere", and nothing is there.',
    });
  });
});
