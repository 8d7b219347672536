import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { expect, it, onTestFinished } from 'vitest';

/** The files of ten repositories, each list with its origin in the first line. */
const LISTS = join(import.meta.dirname, '../data/repository-names');

/** Names that are asked about on purpose, whatever is in the file: settings of an environment or registry, and keys. */
const KINDS = /(?:^|\/)(?:\.env(?:\.[a-z]+)?|\.npmrc|[^/]*\.key|key\.pem)$/;

it('of the files of ten popular repositories, at most one in 1,000 is taken for a secret without being of such a kind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bae-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  using root = new WorkspaceRoot(folder);
  const lists = readdirSync(LISTS).map((name) => readFileSync(join(LISTS, name), 'utf8').trim().split('\n').slice(1));
  const files = lists.flat();
  const secrets = files.filter((file) => root.isSecret(file));
  expect([lists.length, files.length]).toEqual([10, 9620]);
  expect(secrets.filter((file) => KINDS.test(file))).toHaveLength(24);
  const falseAlarms = secrets.filter((file) => !KINDS.test(file));
  // Certificates, in files of a kind that often has the key, too.
  expect(falseAlarms).toEqual(['caddytest/leafcert.pem', 'testdata/certificate/cert.pem']);
  expect(falseAlarms.length / files.length).toBeLessThanOrEqual(1 / 1000);
});
