import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratchFolder } from '../../test/scratch.ts';

const BUILT = JSON.stringify(new URL('../../dist/load/fresh-modules.js', import.meta.url).href);

/** Runs code as a program of its own: the modules of tests are loaded by other means than those of Node. */
function run(folder: string, body: string): unknown {
  const code = `
    import { writeFileSync } from 'node:fs';
    import { FreshModules } from ${BUILT};
    const modules = new FreshModules(${JSON.stringify(folder)});
    const put = (name, text) => writeFileSync(${JSON.stringify(folder)} + '/' + name, text);
    const load = (name) => modules.load(${JSON.stringify(folder)} + '/' + name);
    const answer = (value) => console.log(JSON.stringify(value));
    ${body}`;
  const args = ['--no-warnings', '--input-type=module', '-e', code];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
}

describe('FreshModules', () => {
  it('runs all modules of the folder anew, in whatever form they are', () => {
    const path = scratchFolder();
    put(path, {
      'package.json': JSON.stringify({ type: 'module' }),
      'index.js': "export { deep } from './lib/deep.js';\nexport { default as data } from './lib/a.cjs';",
      'lib/deep.js': 'export const deep = 1;',
      'lib/a.cjs': "module.exports = require('./b.cjs');",
      'lib/b.cjs': 'module.exports = 1;',
    });
    const body = `
      const first = { ...(await load('index.js')) };
      put('lib/deep.js', 'export const deep = 2;');
      put('lib/b.cjs', 'module.exports = 2;');
      answer([first, { ...(await load('index.js')) }]);`;
    expect(run(path, body)).toEqual([
      { deep: 1, data: 1 },
      { deep: 2, data: 2 },
    ]);
  });

  it('does not run packages again: there has to be one of each', () => {
    const path = scratchFolder();
    put(path, {
      'node_modules/one/index.js': 'export const one = {};',
      'node_modules/one/package.json': JSON.stringify({ type: 'module', exports: './index.js' }),
      'index.mjs': "export { one } from 'one';\nexport const own = {};",
    });
    const body = `
      const [first, second] = [await load('index.mjs'), await load('index.mjs')];
      answer([first.one === second.one, first.own === second.own]);`;
    expect(run(path, body)).toEqual([true, false]);
  });

  it('rejects with what a module throws, and loads it when it is mended', () => {
    const path = scratchFolder();
    const body = `
      put('index.mjs', 'throw new Error("no licence");');
      const problem = await load('index.mjs').catch((error) => error.message);
      put('index.mjs', 'export const good = true;');
      answer([problem, { ...(await load('index.mjs')) }]);`;
    expect(run(path, body)).toEqual(['no licence', { good: true }]);
  });

  it('leaves modules alone when it is disposed of', () => {
    const path = scratchFolder();
    put(path, { 'index.mjs': 'export const at = import.meta.url;' });
    const body = `modules[Symbol.dispose](); answer((await import(${JSON.stringify(join(path, 'index.mjs'))})).at);`;
    expect(run(path, body)).not.toContain('loaded=');
  });

  it('allows the process to end when it is disposed of', () => {
    const path = scratchFolder();
    put(path, { 'index.mjs': 'export const good = true;' });
    const body = `await load('index.mjs'); modules[Symbol.dispose](); answer(process.getActiveResourcesInfo());`;
    expect(run(path, body)).not.toContain('Timeout');
  });
});
