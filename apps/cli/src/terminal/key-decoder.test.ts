import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyDecoder, type Key } from './key-decoder.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function open() {
  const keys: Key[] = [];
  const decoder = new KeyDecoder((key) => keys.push(key));
  return { decoder, keys, names: () => keys.map(({ name }) => name) };
}

describe('KeyDecoder', () => {
  it.each([
    ['aÄ👍 ', ['a', 'Ä', '👍', ' ']],
    ['\r\t\u007F\b\n', ['return', 'tab', 'backspace', 'ctrl-h', 'ctrl-j']],
    ['\u0003\u0004\u001F', ['ctrl-c', 'ctrl-d', 'ctrl-_']],
    ['\u001B[A\u001B[1;5D\u001BOB\u001B[H\u001B[4~\u001B[3~', ['up', 'ctrl-left', 'down', 'home', 'end', 'delete']],
    ['\u001Bb\u001B\u007F\u001B\r\u001B\u001B[C', ['meta-b', 'meta-backspace', 'meta-return', 'meta-right']],
    ['\u001B[Z\u001B[9;2u', ['shift-tab', 'shift-tab']],
    ['\u001B\u001B\u001Bx', ['escape', 'escape', 'meta-x']],
    // Without a function here.
    ['\u001B[15~\u001B[[A\u001B[I\u001B[?1;2c\u001B[57358u', []],
  ])('names the keys of %j', (input, names) => {
    const { decoder, names: read } = open();
    decoder.push(input);
    expect(read()).toEqual(names);
  });

  it.each([
    ['\u001B[27u', 'escape'],
    ['\u001B[99;5u', 'ctrl-c'],
    ['\u001B[100;5u', 'ctrl-d'],
    ['\u001B[13;2u', 'shift-return'],
    ['\u001B[27;2;13~', 'shift-return'],
    ['\u001B[98;3u', 'meta-b'],
    ['\u001B[127;3u', 'meta-backspace'],
    ['\u001B[47;5u', 'ctrl-_'],
    // With Num Lock on, and on a Russian keyboard.
    ['\u001B[99;133u', 'ctrl-c'],
    ['\u001B[1089::99;5u', 'ctrl-c'],
    ['\u001B[1;129A', 'up'],
    ['\u001B[57414u', 'return'],
  ])('names the key of %j in the kitty protocol', (input, name) => {
    const { decoder, names } = open();
    decoder.push(input);
    expect(names()).toEqual([name]);
  });

  it('reads the text of a key in the kitty protocol', () => {
    const { decoder, keys } = open();
    decoder.push('\u001B[57404u\u001B[97:65;2u');
    expect(keys).toEqual([
      { name: '5', text: '5' },
      { name: 'A', text: 'A' },
    ]);
  });

  it('takes a lone Escape for a key after 30 ms, and the next character for itself', async () => {
    const { decoder, keys } = open();
    decoder.push('\u001B');
    vi.advanceTimersByTime(29);
    await setImmediate();
    expect(keys).toEqual([]);
    vi.advanceTimersByTime(1);
    await setImmediate();
    expect(keys).toEqual([{ name: 'escape' }]);
    decoder.push('<');
    expect(keys.at(-1)).toEqual({ name: '<', text: '<' });
  });

  it('reads input that arrived meanwhile before it takes Escape for a key', async () => {
    const { decoder, names } = open();
    decoder.push('\u001B');
    vi.advanceTimersByTime(1000);
    decoder.push('[A');
    await setImmediate();
    expect(names()).toEqual(['up']);
  });

  it('gives a paste as one text, in whatever pieces it arrives', () => {
    const text = 'a\r\u001B[Ab\u001B';
    const bytes = Buffer.from(`\u001B[200~${text}é\u001B[201~x`);
    const { decoder, keys } = open();
    for (const byte of bytes) decoder.push(Buffer.of(byte));
    expect(keys).toEqual([
      { name: 'paste', text: `${text}é` },
      { name: 'x', text: 'x' },
    ]);
  });
});
