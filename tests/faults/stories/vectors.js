// A vector index that is kept in the data folder of the package, opened before it is used.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineResourcespace, findNearestName, ResourceError, tool } from '@bae/core';
import { getDataFolder } from '@bae/workspace';
import { z } from 'zod';

const words = (text) => text.toLowerCase().match(/\p{L}+/gu) ?? [];

function embed(text) {
  const counts = new Map();
  for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const length = Math.hypot(...counts.values()) || 1;
  return new Map([...counts].map(([word, count]) => [word, count / length]));
}

const likeness = (a, b) => [...a].reduce((sum, [word, value]) => sum + value * (b.get(word) ?? 0), 0);

export function spaces(_options, provided) {
  const file = join(getDataFolder(provided), 'index.json');
  let texts = new Map();
  const get = (name) => {
    if (texts.has(name)) return texts.get(name);
    const near = findNearestName(name, texts.keys());
    throw new ResourceError(`no text '${name}'.`, [near === undefined ? '<R:>' : `<R:${near}>`]);
  };
  return defineResourcespace({
    name: 'vectors',
    description: 'Texts that are found by what they are about.',
    onOpen: async () => {
      texts = new Map(JSON.parse(await readFile(file, 'utf8').catch(() => '[]')));
    },
    enter: () => `${texts.size} texts`,
    tools: {
      read: tool(
        'A text, or the names of all.',
        { name: z.string().default('').describe('Name of the text; empty for all') },
        ({ name }) =>
          name === ''
            ? [...texts.keys()].toSorted((a, b) => a.localeCompare(b)).join('\n') || 'No texts yet.'
            : get(name),
      ),
      write: tool(
        'How many texts there are now.',
        {
          name: z.string().meta({ description: 'Name of the text', examples: ['apples'] }),
          text: z.string().describe('The whole text'),
        },
        async ({ name, text }) => {
          texts.set(name, text);
          await writeFile(file, JSON.stringify([...texts]));
          return `${texts.size} texts.`;
        },
        { body: 'text', idempotent: true },
      ),
      grep: tool(
        'Texts about something, the nearest first.',
        { about: z.string().describe('What they are about, in words') },
        ({ about }) => {
          const wanted = embed(about);
          const found = [...texts]
            .map(([name, text]) => [name, likeness(wanted, embed(text))])
            .filter(([, score]) => score > 0);
          const lines = found.toSorted((a, b) => b[1] - a[1]).map(([name, score]) => `${name} ${score.toFixed(2)}`);
          return { text: lines.join('\n') || 'Nothing is about that.', rows: lines.length };
        },
      ),
    },
  });
}
