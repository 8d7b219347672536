import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listLoadedPaths } from './own-code.ts';

it('the places of packages are protected also where the workspace is opened by a link', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-own-code-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'real/cfg'), { recursive: true });
  writeFileSync(join(folder, 'real/cfg/a.ts'), '');
  symlinkSync('real', join(folder, 'link'));
  for (const name of ['real', 'link'])
    expect(
      listLoadedPaths([join(folder, name, 'cfg/a.ts'), join(folder, name, 'gone.ts')], join(folder, name)),
    ).toEqual(
      expect.arrayContaining(
        ['cfg/a.ts', 'node_modules', 'cfg/node_modules'].map((path) =>
          join(folder, path === 'cfg/a.ts' ? name : 'real', path),
        ),
      ),
    );
});
