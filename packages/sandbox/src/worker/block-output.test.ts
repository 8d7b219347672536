import { describe, expect, it } from 'vitest';
import { BlockOutput } from './block-output.ts';

describe('BlockOutput', () => {
  it('passes on the first line at once, and then what has come together', () => {
    const flushed: string[] = [];
    const output = new BlockOutput(100, (text) => flushed.push(text));
    for (const line of ['one', 'two', '']) output.print(line);
    expect(flushed).toEqual(['one\n']);
    expect(output.take()).toBe('two\n\n');
    expect(output.take()).toBe('');
    expect(output.isCut).toBe(false);
  });

  it('keeps as much as it may, and passes on nothing more', () => {
    const flushed: string[] = [];
    const output = new BlockOutput(10, (text) => flushed.push(text));
    output.print('12345');
    for (let line = 0; line < 1000; line++) output.print('67890');
    expect(flushed.join('') + output.take()).toBe('12345\n6789\n');
    expect(output.isCut).toBe(true);
  });

  it('is not cut by what fits exactly', () => {
    const output = new BlockOutput(4, () => undefined);
    output.print('123');
    expect(output.isCut).toBe(false);
  });
});
