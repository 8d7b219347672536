import { asModelText, createAgent, defineResourcespace, tool } from '@bae/core';
import { expect, it } from 'vitest';
import { toParameters } from '../tool-parameters.ts';

/** The help on a tool with this schema. */
async function help(inputSchema: Record<string, unknown>): Promise<string> {
  const look = tool(
    'Looks.',
    () => toParameters(inputSchema),
    () => '',
  );
  const agent = createAgent({ spaces: [defineResourcespace({ name: 'box', description: 'A box.', tools: { look } })] });
  const { calls } = await agent.run(asModelText('@box()\n<help:look>'));
  await agent.close();
  return calls[1]!.result.text;
}

it('help shows what the schema says of each value', async () => {
  const properties = {
    query: { type: 'string', description: 'What to find', minLength: 1, maxLength: 80, pattern: '^\\S' },
    since: { type: 'string', format: 'date' },
    limit: { type: 'integer', description: 'How many.', exclusiveMinimum: 0, maximum: 100, default: 20 },
    page: {
      type: 'integer',
      description: 'The page (default 1)',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
    },
    tags: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
      minItems: 2,
      uniqueItems: true,
    },
  };
  expect(await help({ type: 'object', properties, required: ['query'], additionalProperties: false })).toBe(
    [
      'look(query: string, since?: string, limit?: int, page?: int, tags?: json)',
      '<look:query> [since limit:int page:int tags:[{"name":…}]]',
      'Looks.',
      '- query: What to find (1 to 80 characters; matches ^\\S)',
      '- since: date',
      '- limit: How many. (at most 100; more than 0; default 20)',
      '- page: The page (default 1) (at least 1)',
      '- tags: { name?: string /* at most 9 characters */ }[] -- at least 2 items; no item twice',
      'Example: <look:TODO>',
    ].join('\n'),
  );
});

it('help quotes what the schema says of the arguments together', async () => {
  const anyOf = [{ required: ['id'] }, { required: ['name'], description: 'By name.' }];
  const properties = { id: { type: 'integer' }, name: { type: 'string' } };
  expect(await help({ type: 'object', description: 'Not this.', properties, anyOf })).toContain(
    'Looks.\nTogether, the arguments have to fit: {"anyOf":[{"required":["id"]},{"required":["name"]}]}\n',
  );
  expect(await help({ type: 'object', properties, additionalProperties: true })).not.toContain('Together');
});
