import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBae } from './run-bae.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'bae-commands-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it('the shell lists what can be typed, and runs commands of bae', async () => {
  const bae = openBae([], { cwd, interactive: true });
  await bae.shows('home>');
  bae.type('?\r');
  await bae.shows('/audit');
  expect(bae.screen()).toContain('tools of this place');
  bae.type('/sessions\r');
  await bae.shows('(no sessions)');
  bae.type('/cost\r');
  await bae.shows('by tool');
  bae.type('/tasks list\r');
  await bae.shows('no tasks');
  bae.type('/audit --changes\r');
  await bae.shows('nothing has been decided yet');
  bae.type('/audit --chnges\r');
  await bae.shows('no option --chnges');
  bae.type('exit\r');
  expect(await bae.end).toMatchObject({ code: 0 });
});
