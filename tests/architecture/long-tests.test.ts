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
