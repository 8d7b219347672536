import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiReport } from './source/api-report.ts';
import { publishedPackages } from './source/public-api.ts';
import { readRepository } from './source/repository.ts';

/** Most names that core offers to everybody, and to those who use its stages one by one. */
const CORE_NAMES = 70;
const PIPELINE_NAMES = 31;

const folder = join(import.meta.dirname, 'api');
const packages = publishedPackages(readRepository(join(import.meta.dirname, '../..')));
const core = packages.find((one) => one.folder === 'packages/core')!;

const HOW_TO_UPDATE =
  'The public names changed. When that is meant, run `BAE_UPDATE_API=1 pnpm --filter @bae/tests test` and commit the report.';

describe('the public names', () => {
  it.each(packages.map((one) => [basename(one.folder), one] as const))('of %s are those of its report', (name, one) => {
    const path = join(folder, `${name}.md`);
    const report = apiReport(one);
    if (process.env['BAE_UPDATE_API'] === '1') writeFileSync(path, report);
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '', HOW_TO_UPDATE).toBe(report);
  });

  it('have no report of a package that is gone', () => {
    const names = packages.map((one) => `${basename(one.folder)}.md`);
    expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  });

  it('all exist', () => {
    const entries = packages.flatMap((one) => one.entries);
    const missing = entries.flatMap(({ names }) => names.filter(({ kind }) => kind === 'missing'));
    expect(missing).toEqual([]);
  });

  it('of core are few', () => {
    const counts = Object.fromEntries(core.entries.map(({ specifier, names }) => [specifier, names.length]));
    expect(counts['@bae/core']).toBeLessThanOrEqual(CORE_NAMES);
    expect(counts['@bae/core/pipeline']).toBeLessThanOrEqual(PIPELINE_NAMES);
  });
});

describe('apiReport', () => {
  it('lists each name with what it is where it is declared', () => {
    const fixture = publishedPackages(readRepository(join(import.meta.dirname, 'fixtures/public-api')));
    expect(fixture.map(apiReport)).toEqual([
      [
        '# @bae/core',
        '',
        '4 names.',
        '',
        '| name | kind |',
        '|------|------|',
        '| `PruneOptions` | interface |',
        '| `Registry` | class |',
        '| `cut` | function |',
        '| `inject` | from tsyringe |',
        '',
        '# @bae/core/pipeline',
        '',
        '2 names.',
        '',
        '| name | kind |',
        '|------|------|',
        '| `LIMIT` | constant |',
        '| `prune` | function |',
        '',
      ].join('\n'),
    ]);
  });
});
