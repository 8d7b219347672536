// A translation with the model of the session, and its refusal.
import { defineResourcespace, tool } from '@bae/core';
import { z } from 'zod';

export const spaces = () =>
  defineResourcespace({
    name: 'translator',
    description: 'Texts in another language.',
    tools: {
      translate: tool(
        'The text in that language.',
        {
          language: z.string().meta({ description: 'Language to translate into', examples: ['German'] }),
          text: z.string().describe('What to translate'),
        },
        async ({ language, text }, { model }) => {
          const translated = await model(`Translate into ${language}. Return nothing but the translation:\n${text}`);
          return { language, translated: translated.trim() };
        },
        { effect: 'read', body: 'text', output: z.object({ language: z.string(), translated: z.string() }) },
      ),
    },
  });

export const samples = { response: 'Guten Tag', calls: { translate: { language: 'German', text: 'Good day' } } };
