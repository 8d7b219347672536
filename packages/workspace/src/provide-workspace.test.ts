import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOutcome } from '../test/describe-outcome.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { getDataFolder, provideDataFolder, getWorkspace, provideWorkspace } from './provide-workspace.ts';

it('is found among what is provided', async () => {
  const { token, value } = provideWorkspace(temporaryFolder({ 'a.txt': 'one' }));
  const provided = new Map<symbol | string, unknown>([
    ['other', 1],
    [token, value],
  ]);
  expect(getWorkspace(provided)).toBe(value);
  expect((await getWorkspace(provided).readText('a.txt')).text).toBe('one');
});

it.each([[new Map()], [undefined]])('is missed with what to write, in %j', async (provided) => {
  expect(await describeOutcome(async () => getWorkspace(provided))).toBe(
    "ConfigurationError: no workspace is provided. Provide one where the agent is created.\nTry: provide: [provideWorkspace('.')]",
  );
});

it('a data folder is made for the user alone when it is asked for', async () => {
  const folder = join(temporaryFolder(), 'data', 'shop');
  const { token, value } = provideDataFolder(folder);
  expect(getDataFolder(new Map([[token, value]]))).toBe(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await describeOutcome(async () => getDataFolder(new Map()))).toMatch(
    /^ConfigurationError: no data folder is provided: only packages that a configuration names have one\./,
  );
});
