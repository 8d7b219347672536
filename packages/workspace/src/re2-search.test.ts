import { describe, expect, it } from 'vitest';
import { worded } from '../test/worded.ts';
import { re2Search } from './re2-search.ts';

async function* namesOf(count: number): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) yield `f${n}`;
}

describe('re2Search', () => {
  it('gives up after two seconds', async () => {
    const bytes = Buffer.from(`${'a'.repeat(60_000)}\n`.repeat(50));
    const search = () =>
      re2Search({ pattern: '(a?){200}(a{2,100}b?){5}[^a]', limit: 1, paths: namesOf(200), read: async () => bytes });
    expect(await worded(search)).toBe('TimeoutError: grep exceeded 2s. Narrow the path.\nTry: <G:*>');
  });

  it('stops in the middle when it is cancelled', async () => {
    const controller = new AbortController();
    const read = async (path: string): Promise<Uint8Array> => {
      if (path === 'f3') controller.abort(new Error('stop'));
      return Buffer.alloc(600_000, 'a');
    };
    await expect(
      re2Search({ pattern: 'b', limit: 1, paths: namesOf(9), read, signal: controller.signal }),
    ).rejects.toThrow('stop');
  });

  it('searches more than fits one batch', async () => {
    const read = async (path: string): Promise<Uint8Array> => Buffer.from(`${'-'.repeat(700_000)}\n${path}\n`);
    const result = await re2Search({ pattern: '^f', limit: 2, paths: namesOf(5), read });
    expect(result).toMatchObject({
      matches: 5,
      files: 5,
      searched: 5,
      rows: [{ path: 'f0', line: 2, text: 'f0' }, { path: 'f1' }],
    });
  });

  it('leaves out what cannot be read', async () => {
    const read = async (path: string) => (path === 'f1' ? undefined : Buffer.from('x'));
    expect(await re2Search({ pattern: 'x', limit: 9, paths: namesOf(3), read })).toMatchObject({
      matches: 2,
      searched: 2,
    });
  });

  it('searches the first part of a line that is very long', async () => {
    const bytes = Buffer.from(`${'a'.repeat(64 * 1024)}b\nb`);
    expect(await re2Search({ pattern: 'b', limit: 9, paths: namesOf(1), read: async () => bytes })).toMatchObject({
      matches: 1,
      rows: [{ line: 2 }],
    });
  });
});
