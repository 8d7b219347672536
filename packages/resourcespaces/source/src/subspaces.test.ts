import { asModelText } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { openSource } from '../test/open-source.ts';

const FILES = {
  'package.json': '{ "name": "shop", "type": "module", "dependencies": { "zod": "^4.0.0" } }',
  'lib/add.js': 'export const add = (a, b) => a + b;\n',
  'lib/add.test.js': "import { test } from 'node:test';\ntest('adds', () => {});\n",
};

it('the source lists no tools that need a compiler where it knows none of the languages', async () => {
  const list = async (files: Readonly<Record<string, string>>) => openSource(files).agent.describe(['source']);
  expect(await list({ 'App.vue': '<script></script>' })).not.toMatch(/^<(?:diagnostics|rename):/m);
  expect(await list({ 'App.vue': '<script></script>', 'a.js': '' })).toMatch(/^<diagnostics:[^]*^<rename:/m);
  // Of what language it will be is not known yet.
  expect(await list({})).toMatch(/^<diagnostics:/m);
});

describe('the spaces below the source', () => {
  it('are entered from it, and short', async () => {
    const { send, agent } = openSource(FILES);
    expect(await send('@source.deps()')).toContain('shop: 1 dependency (npm)');
    expect(await send('@source.config()')).toContain('home > source > config');
    expect(await send('@source.tests()')).toContain('1 test module');
    for (const name of ['deps', 'config', 'tests']) {
      expect(countUnits(await agent.describe(['source', name]))).toBeLessThanOrEqual(1200);
    }
  });

  it('are used from it, results of tests included', async () => {
    const { send } = openSource(FILES);
    expect(await send('<source.deps.R:zod>')).toContain('zod ^4.0.0, not installed');
    expect(await send('<source.config.R:package.name>')).toBe('"shop"');
    expect(await send('<source.tests.results:>')).toContain('no tests were run yet');
    expect(await send('<source.tests.test:lib.add.test>')).toBe('1 passed');
    expect(await send('<source.tests.results:lib.add.test>')).toBe('1 passed\nlib.add.test\n  ok   adds');
  });

  it(
    'say in the header whether tests have failed, or a file with them cannot be loaded',
    { tags: ['long'] },
    async () => {
      const { agent } = openSource({
        ...FILES,
        'lib/sub.test.js': "import { test } from 'node:test';\ntest('subtracts', () => { throw new Error('no'); });\n",
        'lib/off.test.js': "import 'node:test';\nthrow new Error('off');\n",
      });
      const tags = ['test:lib.add.test', 'test:lib.off.test', 'test:', 'results:', 'results:lib.add.test'];
      const { calls } = await agent.run(asModelText(tags.map((tag) => `<source.tests.${tag}>`).join('\n')));
      expect(calls.map(({ result }) => result.failed)).toEqual([undefined, true, true, true, undefined]);
    },
  );

  it('change settings so that the source can undo it', async () => {
    const { send, content } = openSource(FILES);
    await send('<source.config.E:package.name>"store"</source.config.E>');
    expect(content('package.json')).toContain('"store"');
    await send('<undo:>');
    expect(content('package.json')).toBe(FILES['package.json']);
  });
});
