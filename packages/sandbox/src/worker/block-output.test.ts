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

  it.each<readonly [limit: number, lines: readonly string[], isCut: boolean]>([
    [4, ['1234'], false],
    [4, ['12345'], true],
    [11, ['01234', '56789'], false],
    [10, ['01234', '56789'], true],
    [3, ['', '', '', ''], false],
    [3, ['', '', '', '', ''], true],
  ])('of %s characters is cut by what does not fit: %j', (limit, lines, isCut) => {
    const output = new BlockOutput(limit, () => undefined);
    for (const line of lines) output.print(line);
    expect(output.isCut).toBe(isCut);
  });

  it('shows no half characters and no empty line in the place of one that has no room', () => {
    const flushed: string[] = [];
    const output = new BlockOutput(5, (text) => flushed.push(text));
    for (const line of ['123😀']) output.print(line);
    const full = new BlockOutput(4, (text) => flushed.push(text));
    for (const line of ['123', '4']) full.print(line);
    expect([...flushed, full.take()]).toEqual(['123😀\n', '123\n', '']);
    const blank = new BlockOutput(4, (text) => flushed.push(text));
    for (const line of ['123', '']) blank.print(line);
    expect([flushed.at(-1), blank.take(), blank.isCut]).toEqual(['123\n', '\n', false]);
    const half = new BlockOutput(4, (text) => flushed.push(text));
    half.print('123😀');
    expect([flushed.at(-1), half.isCut]).toEqual(['123\n', true]);
  });
});
