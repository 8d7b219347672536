// Issues of a server behind a token: a secret option, pages, errors of the server.
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { z } from 'zod';
import { startIssues } from './servers.js';

export const options = z
  .strictObject({
    api: z.string().describe('Address of the server'),
    repository: z.string().describe('OWNER/NAME'),
    token: z.string().meta({ secret: true }).describe('Token that reads and writes issues'),
  })
  .meta({ examples: [{ api: 'http://127.0.0.1:9', repository: 'acme/shop', token: 'none' }] });

const row = ({ number, title, state }) => `${number} ${state} ${title}`;

export function spaces({ api, repository, token }) {
  const request = async (path, { signal }, init = {}) => {
    const response = await fetch(`${api}/repos/${repository}/issues${path}`, {
      ...init,
      signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    if (response.status === 401) throw new ResourceError(`${api} refuses the token ${token}. Its owner renews it.`);
    if (response.status === 404) throw new ResourceError(`no issue '${path.slice(1)}'.`, ['<R:>']);
    if (!response.ok) throw new ResourceError(`${api} answers ${response.status}.`, ['<R:>']);
    return response.json();
  };
  return defineResourcespace({
    name: 'issues',
    description: `Issues of ${repository}.`,
    tools: {
      read: tool(
        'An issue, or all that are open.',
        { number: z.int().optional().describe('Number of an issue') },
        async ({ number }, context) => {
          if (number !== undefined) return row(await request(`/${number}`, context));
          const all = [];
          for (let page = 1; ; page++) {
            const found = await request(`?page=${page}`, context);
            if (found.length === 0) break;
            all.push(...found);
            context.progress(all.length, undefined, `page ${page}`);
          }
          return { text: all.map(row).join('\n') || 'No issues.', rows: all.length };
        },
        { effect: 'read', openWorld: true },
      ),
      open: tool(
        'The number of the new issue.',
        { title: z.string().meta({ description: 'Title of the issue', examples: ['Login fails'] }) },
        async ({ title }, context) => ({
          number: (await request('', context, { method: 'POST', body: JSON.stringify({ title }) })).number,
        }),
        { effect: 'external', openWorld: true },
      ),
    },
  });
}

const TOKEN = 'a-token-of-the-test';

export async function create() {
  const { address, close } = await startIssues(TOKEN);
  const space = spaces({ api: address, repository: 'acme/shop', token: TOKEN });
  return { space, secrets: [TOKEN], dispose: close };
}

export const samples = { existing: 2, calls: { open: { title: 'Login fails' } } };
