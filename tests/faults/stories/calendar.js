// A calendar behind OAuth: tokens that end, and are renewed with one that is kept in the data folder.
import { readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { getDataFolder, provideDataFolder } from '@bae/workspace';
import { z } from 'zod';
import { startCalendar } from './servers.js';

export const options = z
  .strictObject({
    api: z.string().describe('Address of the calendar'),
    refresh: z.string().meta({ secret: true }).describe('The token that others are had with, the first time'),
  })
  .meta({ examples: [{ api: 'http://127.0.0.1:9', refresh: 'none' }] });

export function spaces({ api, refresh }, provided) {
  const file = join(getDataFolder(provided), 'tokens.json');
  let access = '';
  const renew = async (signal) => {
    const kept = await readFile(file, 'utf8').then(JSON.parse, () => ({ refresh }));
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: kept.refresh });
    const response = await fetch(`${api}/token`, { method: 'POST', body, signal });
    if (!response.ok)
      throw new ResourceError('the login has ended. The user logs in again and changes the option refresh.');
    const tokens = await response.json();
    access = tokens.access_token;
    await writeFile(file, JSON.stringify({ refresh: tokens.refresh_token }), { mode: 0o600 });
  };
  const get = async (path, signal) => {
    for (let tries = 0; tries < 2; tries++) {
      const response = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${access}` }, signal });
      if (response.status === 404) throw new ResourceError(`nothing on '${path.slice('/days/'.length)}'.`, ['<R:>']);
      if (response.status !== 401) return response.json();
      await renew(signal);
    }
    throw new ResourceError(`${api} refuses a token that it has just given.`);
  };
  return defineResourcespace({
    name: 'calendar',
    description: 'Appointments by day.',
    tools: {
      read: tool(
        'Appointments of a day, or the days with any.',
        { day: z.string().default('').describe('Like 2026-11-24; empty for all days') },
        async ({ day }, { signal }) => (await get(day === '' ? '/days' : `/days/${day}`, signal)).join('\n'),
        { effect: 'read' },
      ),
    },
  });
}

export async function create() {
  const folder = mkdtempSync(join(tmpdir(), 'bae-calendar-'));
  const { token, value } = provideDataFolder(folder);
  const { address, close } = await startCalendar('a-refresh-token');
  const dispose = () => {
    close();
    rmSync(folder, { recursive: true });
  };
  return {
    space: spaces({ api: address, refresh: 'a-refresh-token' }, new Map([[token, value]])),
    secrets: ['a-refresh-token', 'access-1'],
    dispose,
  };
}

export const samples = { existing: '2026-11-24' };
