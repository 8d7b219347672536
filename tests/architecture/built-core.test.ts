import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '../../packages/core/dist');

it('loads nothing but zod and its own three files when core is imported', () => {
  const files = readdirSync(DIST).filter((name) => name.endsWith('.js'));
  const imported = files.flatMap((name) => {
    const text = readFileSync(join(DIST, name), 'utf8');
    return Array.from(
      text.matchAll(/(?:\bfrom|^import|;import|\bimport\(|\brequire\()\s*["']([^"'\n]+)["']/g),
      ([, path]) => path,
    );
  });
  expect(files.toSorted()).toEqual(['index.js', 'pipeline.js', 'shared.js']);
  expect(new Set(imported)).toEqual(new Set(['./shared.js', 'zod/v4/core']));
});
