// A release that a person approves, with a choice and a reason; written into the workspace of the user.
import { defineResourcespace, tool } from '@bae/core';
import { getWorkspace } from '@bae/workspace';
import { z } from 'zod';

const FILE = 'releases.md';

export function spaces(_options, provided) {
  const files = getWorkspace(provided);
  const readAll = async () => ((await files.exists(FILE)) ? (await files.readText(FILE)).text : '');
  return defineResourcespace({
    name: 'releases',
    description: 'Versions that a person let go out.',
    enter: async () => `${(await readAll()).split('\n').filter(Boolean).length} so far`,
    tools: {
      read: tool('Releases, the first one first.', {}, async () => (await readAll()) || 'No releases yet.'),
      release: tool(
        'Whether it may go out, and to whom.',
        {
          version: z
            .string()
            .regex(/^\d+\.\d+\.\d+$/, 'expected a version like 1.2.0')
            .meta({ description: 'Version like 1.2.0', examples: ['1.2.0'] }),
        },
        ({ version }) => ({
          touches: [{ path: FILE }],
          preview: () => `asks whether ${version} may go out, and notes it in ${FILE}`,
          apply: async ({ ask, session }) => {
            const answers = await ask({
              text: `May ${version} go out?`,
              fields: {
                to: { type: 'string', oneOf: ['nobody', 'testers', 'everybody'], default: 'nobody' },
                why: { type: 'string', optional: true },
              },
            });
            if (answers === undefined || answers.to === 'nobody')
              return `${version} was not released: the user does not want it.`;
            await files.write(
              FILE,
              `${await readAll()}${version} to ${answers.to}${answers.why ? `: ${answers.why}` : ''}\n`,
              { session: session.id },
            );
            return `${version} is released to ${answers.to}.`;
          },
        }),
        { effect: 'write', plan: true },
      ),
    },
  });
}

export const samples = { missing: null, answers: { to: 'testers' }, calls: { release: { version: '1.2.0' } } };
