// @module-tag long

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder().path;
  put(cwd, 'package.json', '{"name": "shop", "exports": {"./lib": "./lib.mjs"}, "imports": {"#lib": "./lib.mjs"}}');
});

const bae = (...args: readonly string[]) => runProgram(args, { cwd });
/** What has run since the last look. */
const ran = (): string => (existsSync(join(cwd, 'ran')) ? readFileSync(join(cwd, 'ran'), 'utf8') : '');

/** A module that leaves a word behind when it runs. */
const leaving = (word: string): string =>
  `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(join(cwd, 'ran'))}, '${word} ');\n`;

const FORMS: readonly (readonly [string, string])[] = [
  ['a plain path', `import './lib.mjs';`],
  ['a query', `import './lib.mjs?v=1';`],
  ['an alias of the package', `import '#lib';`],
  ['the package itself', `import 'shop/lib';`],
  ['a comment before the path', `import {} from /* from here */ './lib.mjs';`],
  ['an escape in the path', String.raw`import './l\u0069b.mjs';`],
  ['an encoded character', `import './%6Cib.mjs';`],
  ['a path that is computed', `const name = 'lib'; await import('./' + name + '.mjs');`],
  ['a URL', `await import(new URL('lib.mjs', import.meta.url));`],
  ['require', `import { createRequire } from 'node:module'; createRequire(import.meta.url)('./lib' + '.mjs');`],
  ['require from the folder', `process.getBuiltinModule('module').createRequire(process.cwd() + '/')('./lib.mjs');`],
  [
    'a module whose text is its address',
    `await import('data:text/javascript,import ' + JSON.stringify(new URL('lib.mjs', import.meta.url)));`,
  ],
];

describe('settings in code that are trusted', () => {
  it.each(FORMS)('do not run a file that changed, when it is imported by %s', async (_, code) => {
    put(cwd, 'lib.mjs', leaving('one'));
    put(cwd, 'bae.config.js', `${code}\nexport default { disabled: ['tasks'] };`);
    expect(await bae('trust', '--yes')).toMatchObject({ code: 0 });
    expect(await bae('spaces')).toMatchObject({
      code: 0,
      err: '',
      out: expect.not.stringContaining('tasks()') as string,
    });
    expect(ran()).toContain('one');
    put(cwd, 'lib.mjs', leaving('two'));
    const { out, err } = await bae('spaces');
    expect(out).toContain('tasks()');
    expect(err).toContain('bae.config.js');
    expect((await bae('trust')).out).toContain('(changed since you decided about it)');
    expect(ran()).not.toContain('two');
    expect(await bae('trust', '--yes')).toMatchObject({ code: 0 });
    expect(await bae('spaces')).toMatchObject({ err: '', out: expect.not.stringContaining('tasks()') as string });
    expect(ran()).toContain('two');
  });

  it('name each file before it runs for the first time', async () => {
    put(cwd, 'lib.mjs', leaving('one'));
    put(cwd, 'bae.config.js', `await import('./' + 'lib.mjs');\nexport default { disabled: ['tasks'] };`);
    const { code, out } = await bae('trust', '--yes');
    expect(code).toBe(0);
    expect(out).toContain(`  also loads ${join(cwd, 'lib.mjs')}\n`);
  });

  it('may load packages as they were then, and no others', async () => {
    const dependency = (word: string): void => put(cwd, 'node_modules/dep/index.mjs', leaving(word));
    put(cwd, 'node_modules/dep/package.json', '{"name": "dep", "version": "1.0.0", "exports": "./index.mjs"}');
    put(cwd, 'bae.config.js', `import 'dep';\nexport default { disabled: ['tasks'] };`);
    dependency('one');
    await bae('trust', '--yes');
    expect(await bae('spaces')).toMatchObject({ err: '' });
    dependency('two');
    put(cwd, 'node_modules/dep/package.json', '{"name": "dep", "version": "2.0.0", "exports": "./index.mjs"}');
    expect((await bae('spaces')).out).toContain('tasks()');
    expect((await bae('trust')).out).toContain(`  also loads dep 2.0.0 in ${join(cwd, 'node_modules/dep')}\n`);
    expect(ran()).not.toContain('two');
    await bae('trust', '--yes');
    expect(await bae('spaces')).toMatchObject({ err: '' });
    expect(ran()).toContain('two');
  });
});
