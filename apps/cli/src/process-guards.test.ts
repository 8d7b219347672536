import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../test/scratch-folder.ts';
import { findFaultyPlugin } from './process-guards.ts';

/** An error that was thrown in some files, the innermost first. */
function errorIn(...files: readonly string[]): Error {
  const error = new Error('lost');
  error.stack = ['Error: lost', ...files.map((file) => `    at work (${file}:3:14)`)].join('\n');
  return error;
}

describe('pluginOf', () => {
  it('names the package of resourcespaces that an error comes from', () => {
    const { path, put } = scratchFolder();
    put('tea/package.json', { name: 'bae-resourcespace-tea', keywords: ['bae-resourcespace'] });
    const file = join(path, 'tea/dist/deep/index.js');
    const url = pathToFileURL(file).href;
    for (const error of [errorIn(file), errorIn(url), errorIn('node:internal/timers', '/elsewhere/a.js', file)])
      expect(findFaultyPlugin(error)).toBe('bae-resourcespace-tea');
  });

  it('takes nothing else for one', () => {
    const { path, put } = scratchFolder();
    put('tea/package.json', { name: 'tea', keywords: ['tea'] });
    put('cup/package.json', '{ "keywords": ');
    const [tea, cup] = ['tea/index.js', 'cup/index.js'].map((file) => join(path, file));
    for (const error of [errorIn(tea!), errorIn(cup!), errorIn(), 'text', undefined, new Error(`    at (${tea!}:1:1)`)])
      expect(findFaultyPlugin(error)).toBeUndefined();
  });
});
