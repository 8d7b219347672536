import { describe, expect, it } from 'vitest';
import { openAsCode } from '../test/open-as-code.ts';

const FILES = {
  'package.json': '{ "dependencies": { "zod": "4.0.0" } }',
  'main.js': 'export const main = 1; // TODO\n',
};

const exampleIn = (text: string): string => /Example: (.*)$/m.exec(text)?.[1] ?? '';

describe('an example that is given in any project', () => {
  it.each([
    ['read', '<R:>'],
    ['glob', '<G:**>'],
    ['grep', '<Grep:TODO>'],
    ['diagnostics', '<diagnostics:>'],
    ['undo', '<undo:1>'],
  ])('of %s works: %s', async (tool, tag) => {
    const { send, sendAll } = openAsCode(FILES);
    expect(exampleIn(await send(`<help:${tool}>`))).toBe(tag);
    expect((await sendAll(tag))[0]).not.toContain('Error');
  });

  it.each([
    ['deps', 'read', '<R:>'],
    ['tests', 'read', '<R:>'],
    ['tests', 'test', '<test:>'],
    ['tests', 'results', '<results:>'],
  ])('of source.%s %s is %s', async (space, tool, tag) => {
    const { send } = openAsCode(FILES);
    const entered = await send(`@${space}()`);
    if (tool === 'read') {
      expect(exampleIn(entered)).toBe(tag);
      expect(await send(tag)).not.toContain('Error');
    }
    expect(exampleIn(await send(`<help:${tool}>`))).toBe(tag);
  });

  it('on entering searches all of it', async () => {
    const { agent } = openAsCode(FILES);
    expect(exampleIn(await agent.describe(['source']))).toBe('<Grep:TODO>');
  });

  it.each([
    ['write', '<W:lib.greeting>…</W>', 'fill in content'],
    ['edit', '<E:lib.greeting.greet>…</E>', 'fill in content'],
    ['references', '<references:lib.greeting.greet>', "no module or symbol 'lib.greeting.greet'"],
    ['rename', '<rename:lib.greeting.greet to=Worker>', "no module or symbol 'lib.greeting.greet'"],
  ])('of %s shows its notation, and changes nothing: %s', async (tool, tag, result) => {
    const { send, content, code } = openAsCode(FILES);
    expect(exampleIn(await send(`<help:${tool}>`))).toBe(tag);
    expect(await send(tag)).toContain(result);
    expect(content('main.js')).toBe(FILES['main.js']);
    expect(await code('glob', { pattern: '**' })).toBe('main');
  });

  it('for a wrong edit names neither lines nor tests', async () => {
    const { send, code, content } = openAsCode(FILES);
    const result = await code('edit', { target: 'main.main', delet: true });
    expect(result).toMatch(/\nTry: edit\("main\.main", \{"delete":true\}\)$/);
    expect(await send('<E:main.main>…</E>')).toContain('fill in content');
    expect(content('main.js')).toBe(FILES['main.js']);
  });
});
