import { expect, it } from 'vitest';
import { collectPrinted } from './isolation.ts';

const say = globalThis.console;

/** What prints right now. */
function printers(): readonly unknown[] {
  const of = (holder: object, name: string): unknown => Reflect.get(holder, name);
  return [of(say, 'log'), of(process.stdout, 'write'), of(process.stderr, 'write')];
}

it('collects what the console and both streams print, each piece once', async () => {
  const printed = await collectPrinted(async () => {
    say.debug('one', 1);
    say.debug('one', 1);
    await Promise.resolve();
    process.stdout.write('two\n');
    process.stderr.write(new TextEncoder().encode(''));
  });
  expect(printed).toEqual(['one 1', 'two', '']);
});

it('puts everything back, also after a failure', async () => {
  const before = printers();
  const failing = collectPrinted(() => Promise.reject(new Error('broken')));
  expect(printers()).not.toEqual(before);
  await expect(failing).rejects.toThrow('broken');
  expect(printers()).toEqual(before);
  expect(await collectPrinted(() => Promise.resolve())).toEqual([]);
});
