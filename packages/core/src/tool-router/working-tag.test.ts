import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from '../decorators/tool.ts';
import type { ToolParams } from '../decorators/tool-record.ts';
import { workingTag } from './working-tag.ts';

function tagOf(name: string, params: ToolParams, known: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return workingTag({ definition: tool('', params, () => '').named(name), known });
}

describe('workingTag', () => {
  it('takes up the values that are good', async () => {
    const params = { pattern: z.string(), path: z.string().default(''), limit: z.int().default(50) };
    expect(await tagOf('grep', params, { pattern: 'TODO', limit: 5 })).toBe('<Grep:TODO limit=5>');
  });

  it('finds values that the schema takes where the usual ones would not do', async () => {
    const params = {
      email: z.email(),
      count: z.int().min(10),
      state: z.object({ open: z.boolean() }),
      note: z.string().min(90).optional(),
    };
    expect(await tagOf('invite', params)).toBe('<invite:me@example.com count=10>\n{"state":{"open":true}}\n</invite>');
  });
});
