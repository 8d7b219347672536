import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const tests = join(import.meta.dirname, '..');

it('names every file with a long test in the list of those that the slow part runs', () => {
  const config = readFileSync(join(tests, 'vitest.config.ts'), 'utf8');
  const files = globSync('**/*.test.ts', { cwd: tests, exclude: ['**/node_modules/**', 'faults/**'] });
  const withLong = files.filter((file) =>
    /^ *\{ tags: \[|[(,] \{ tags: \['/m.test(readFileSync(join(tests, file), 'utf8')),
  );
  expect(withLong.length).toBeGreaterThan(5);
  expect(withLong.filter((file) => !config.includes(`'${file.replace('.test.ts', '')}'`))).toEqual([]);
});

it('waits long enough for what a slow machine takes, wherever a test waits', () => {
  const root = join(tests, '..');
  const exclude = ['**/node_modules/**', '**/dist/**'];
  const files = globSync(['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root, exclude });
  const short = files.flatMap((file) =>
    Array.from(
      readFileSync(join(root, file), 'utf8').matchAll(/\bvi\.wait(?:Until|For)\((?=(.{1,250}))/gs),
      ([, call = '']) => call,
    )
      // By default, these wait for a second.
      .filter((call) => !/timeout: \d+_000|, \d+_000\)|, LONG\b/.test(call))
      .map((call) => `${file}: ${call.slice(0, 80)}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(short).toEqual([]);
});
