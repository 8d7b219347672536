import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAsCode } from '../test/open-as-code.ts';
import { TSCONFIG } from '../test/temporary-project.ts';

const constants = (count: number): string =>
  Array.from({ length: count }, (_, number) => `export const value${number} = ${number};\n`).join('');
const LONG = constants(800);
const MANY = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`lib/m${n}.ts`, `export const v${n} = 1;\n`]));
const METHODS = Array.from({ length: 300 }, (_, n) => `  /** Step ${n}. */\n  step${n}() {\n    return ${n};\n  }`);
const CLASS = `export class Way {\n${METHODS.join('\n')}\n}`;

describe('what code gets of a read', () => {
  const readModules = async (numRuns: number) => {
    const line = fc.constantFrom('', 'const a = 1;', '  // 🙂', '\tlet b = `', 'x'.repeat(5000), 'export {');
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(line, { maxLength: 400 }).map((all) => all.join('\n')),
    );
    const ended = fc.tuple(fc.constantFrom('', '\uFEFF'), text, fc.constantFrom('x', 'x\n', 'x\r\n'));
    await fc.assert(
      fc.asyncProperty(ended, async (parts) => {
        const content = parts.join('').replaceAll('\0', '').toWellFormed();
        const { code, agent } = openAsCode({ 'lib/a.ts': content });
        expect(await code('read', { target: 'lib.a:1-' })).toBe(content);
        await agent.close();
      }),
      { numRuns },
    );
  };

  it('is the text of a module from its first line on, whatever is in it', () => readModules(5));
  it('is the text of a module from its first line on, whatever is in it, 40 times', { tags: ['long'] }, () =>
    readModules(40),
  );

  it('are all rows of a module, members included', async () => {
    const { code, send } = openAsCode({ 'lib/a.ts': `${LONG}${CLASS}\n`, 'lib/b.ts': 'export const one = 1;\n' });
    const rows = (await code('read', { target: 'lib.a' })).split('\n');
    expect(rows[0]).toMatch(/^lib\.a .*800 constants/);
    expect(rows.filter((row) => row.includes('value'))).toHaveLength(800);
    expect(rows.filter((row) => row.includes('step'))).toHaveLength(300);
    expect(await code('read', { target: 'lib.b' })).toBe(await send('<R:lib.b>'));
  });

  it('is the text of a symbol, which put back changes nothing', async () => {
    const file = `import a from 'a';\n\n${CLASS}\n\n/** Two. */\nexport function two() {\n  return 2;\n}\n`;
    const { code, content } = openAsCode({ 'lib/a.ts': file, 'lib/index.ts': "export { two } from './a.ts';\n" });
    expect(await code('read', { target: 'lib.a.Way' })).toBe(CLASS);
    expect(await code('read', { target: 'lib.a.Way.step7' })).toBe(METHODS[7]);
    expect(await code('read', { target: 'lib.two' })).toBe('/** Two. */\nexport function two() {\n  return 2;\n}');
    for (const target of ['lib.a.Way', 'lib.a.Way.step299', 'lib.two', 'lib.a.import']) {
      await code('edit', { target, content: await code('read', { target }) });
      expect(content('lib/a.ts')).toBe(file);
    }
  });

  it('are the lines of a range, without their numbers', async () => {
    const { code } = openAsCode({ 'lib/a.ts': LONG, 'lib/b.ts': `\n${CLASS}\n` });
    const lines = LONG.split('\n');
    expect(await code('read', { target: 'lib.a:2-3' })).toBe(`${lines.slice(1, 3).join('\n')}\n`);
    expect(await code('read', { target: 'lib.a:2-700' })).toBe(`${lines.slice(1, 700).join('\n')}\n`);
    expect(await code('read', { target: 'lib.a:799-' })).toBe(`${lines.slice(798, 800).join('\n')}\n`);
    expect(await code('read', { target: 'lib.a:799-5000' })).toBe(`${lines.slice(798, 800).join('\n')}\n`);
    expect(await code('read', { target: 'lib.b.Way:1-5000' })).toBe(`${CLASS}\n`);
    expect(await code('read', { target: 'lib.a:900' })).toContain('RangeError: lib.a has 800 lines; asked for 900.');
  });

  it('are all rows of a folder, none of them cut', async () => {
    const name = 'long'.repeat(50);
    const doc = 'What it is for, in many words that are all of one sentence';
    const files = { ...MANY, [`lib/${name}.ts`]: `/** ${doc} */\n`, 'lib/index.ts': constants(1), 'app/a.js': '' };
    const { code, send } = openAsCode(files);
    const rows = (await code('read', { target: 'lib' })).split('\n');
    expect(rows.slice(0, 2)).toEqual(['lib (302 modules)', `lib.${name} -- ${doc}`]);
    expect(rows.filter((row) => row.startsWith('lib.m'))).toHaveLength(300);
    expect(rows.slice(-2)).toEqual(['index:', '1: const value0 = 0']);
    expect(await code('read', { target: 'app' })).toBe(await send('<R:app>'));
    expect(await openAsCode({}).code('read')).toBe('');
  });

  it('is the page that it names', { tags: ['long'] }, async () => {
    const { code, send } = openAsCode({ ...MANY, 'lib/long.ts': LONG, 'lib/way.ts': CLASS });
    for (const target of ['lib', 'lib.long', 'lib.way.Way']) {
      const page = await code('read', { target, page: 2 });
      expect(page).toBe(await send(`<R:${target} page=2>`));
      expect(page).toMatch(/\n\[page 2 of \d+/);
    }
  });
});

describe('what code gets of a module that was changed by someone else', () => {
  it('still has to be read as text before a symbol of it is changed', async () => {
    const { code, send, change } = openAsCode({ 'lib/a.ts': LONG });
    await send('<R:lib.a:1-9>');
    change('lib/a.ts', `${LONG}export const late = 1;\n`);
    expect(await code('read', { target: 'lib.a' })).toContain('late = 1');
    const edit = { target: 'lib.a.value1', content: 'export const value1 = 7;' };
    expect(await code('edit', edit)).toContain(
      'ConflictError: lib.a changed since you read it (line count 800 -> 801)',
    );
    expect(await code('read', { target: 'lib.a.value1' })).toBe('export const value1 = 1;');
    expect(await code('edit', edit)).toContain('Edited value1 in lib.a');
  });
});

describe('what code gets of a symbol that was changed by someone else', () => {
  it('is enough to change it, also where a tag gets a list of its members', async () => {
    const { code, send, change, content } = openAsCode({ 'lib/a.ts': `${CLASS}\n` });
    await code('read', { target: 'lib.a.Way' });
    change('lib/a.ts', `${CLASS.replace('return 5;', 'return 555;')}\n`);
    const edit = { target: 'lib.a.Way', content: CLASS.replace('return 7;', 'return 777;') };
    expect(await code('edit', edit)).toContain('ConflictError: lib.a changed since you read it');
    expect(await send('<R:lib.a.Way>')).toContain('read a part: ');
    expect(await code('read', { target: 'lib.a.Way', page: 2 })).toContain('[page 2 of ');
    expect(await code('edit', edit)).toContain('ConflictError');
    const now = await code('read', { target: 'lib.a.Way' });
    expect(await code('edit', { ...edit, content: now.replace('return 7;', 'return 777;') })).toContain('Edited Way');
    expect(content('lib/a.ts')).toMatch(/return 555;[^]*return 777;/);
  });
});

describe('what code gets of a search', () => {
  it('are all names, and nothing where there are none', async () => {
    const { code } = openAsCode(MANY);
    const names = (await code('glob', { pattern: 'lib.**' })).split('\n');
    expect(names.toSorted()).toEqual(
      Object.keys(MANY)
        .map((path) => `lib.${path.slice(4, -3)}`)
        .toSorted(),
    );
    expect(await code('glob', { pattern: 'lib.m7' })).toBe('lib.m7');
    expect(await code('glob', { pattern: 'app.**' })).toBe('');
  });

  it('are all matching lines, each with its module, and nothing where there are none', { tags: ['long'] }, async () => {
    const { code } = openAsCode({ ...MANY, 'lib/long.ts': LONG });
    const rows = LONG.split('\n').map((line, index) => `lib.long:${index + 1}: ${line}`);
    expect(await code('grep', { pattern: 'value' })).toBe(rows.slice(0, 800).join('\n'));
    expect((await code('grep', { pattern: 'const v', path: 'lib' })).split('\n')).toHaveLength(1100);
    expect(await code('grep', { pattern: 'value799' })).toBe('lib.long:800: export const value799 = 799;');
    expect(await code('grep', { pattern: 'nothing like it' })).toBe('');
    expect(await code('grep', { pattern: ' v7 ' })).toBe('lib.m7:1: export const v7 = 1;');
    expect(await code('grep', { pattern: 'v7  ' })).toBe('');
  });

  it('are lines that are not cut', async () => {
    const line = `const text = '${'x'.repeat(600)} needle ${'y'.repeat(600)}';`;
    const { code, send } = openAsCode({ 'a.ts': `${line}\n` });
    expect(await code('grep', { pattern: 'needle' })).toBe(`a:1: ${line}`);
    expect(await send('<Grep:needle>')).toMatch(/ {2}1: ….{198}…$/);
  });

  it('is an error when it finds too much, with what finds less', { tags: ['long'] }, async () => {
    const { code } = openAsCode({ 'a.ts': 'x;\n'.repeat(50_001), 'z.ts': 'x;\n' });
    const grep = (args: object) => code('grep', { pattern: 'x', ...args });
    expect(await grep({})).toBe(
      'ResourceError: 50002 lines in 2 modules match; code gets 50000 at most. Narrow with path=… or a longer pattern.\nTry: grep("x", {"path":"a"})',
    );
    expect(await grep({ path: 'a' })).toBe(
      'ResourceError: 50001 lines in 1 module match; code gets 50000 at most. Narrow with a longer pattern.\nTry: read("a")',
    );
    expect(await grep({ path: 'z' })).toBe('z:1: x;');
  });
});

describe('what code gets of questions about types', () => {
  const FILES = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': TSCONFIG,
    'src/lib/box.ts': 'export class Box {\n  size = 1;\n}\nconst lonely = 1;\n',
    'src/lib/many.ts': `import { Box } from './box.ts';\n${'new Box(); new Box();\n'.repeat(150)}`,
    'src/lib/wrong.ts': 'export const a: string = 1;\nexport const b: number = a;\n',
    'src/lib/fine.ts': 'export const fine = 1;\n',
    'scripts/loose.ts': 'export const loose: string = 1;\n',
  };

  it('is a row for each reference', { tags: ['long'] }, async () => {
    const { code, send } = openAsCode(FILES);
    const rows = (await code('references', { target: 'lib.box.Box' })).split('\n');
    expect(await send('<references:lib.box.Box>')).toMatch(/^Box in lib\.box: 301 references in 1 module\n/);
    expect(rows).toHaveLength(301);
    expect(rows.slice(0, 3)).toEqual([
      "lib.many:1: import { Box } from './box.ts';",
      'lib.many:2: new Box(); new Box();',
      'lib.many:2: new Box(); new Box();',
    ]);
    expect(await code('references', { target: 'lib.box.lonely' })).toBe('');
  });

  it('are rows of one type, on every page', { tags: ['long'] }, async () => {
    const wrong = Array.from({ length: 200 }, (_, n) => `export const e${n} = missing${n};\n`).join('');
    const { data, send } = openAsCode({ ...FILES, 'src/lib/wrong.ts': wrong });
    const row = { path: expect.any(String), line: expect.any(Number), text: expect.any(String) };
    for (const [tool, target, total] of [
      ['references', 'lib.box.Box', 301],
      ['diagnostics', 'lib.wrong', 200],
    ] as const) {
      const all = (await data(tool, { target })) as readonly object[];
      expect(all).toHaveLength(total);
      const shown = await send(`<${tool}:${target} page=2>`);
      const second = (await data(tool, { target, page: 2 })) as readonly { readonly line: number }[];
      expect(second.length).toBeGreaterThan(5);
      expect(second.length).toBeLessThan(total);
      for (const one of [...all, ...second]) expect(one).toEqual(row);
      expect(shown).toContain(`\n  ${second[0]!.line}: `);
      expect(await data(tool, { target, page: 99 })).toEqual([]);
    }
    expect(await data('diagnostics', { target: 'lib.fine', page: 1 })).toEqual([]);
  });

  it('is a row for each type error, and nothing where there are none', { tags: ['long'] }, async () => {
    const { code } = openAsCode(FILES);
    const rows = await code('diagnostics');
    expect(rows).toBe(
      [
        "lib.wrong:1: TS2322: Type 'number' is not assignable to type 'string'.",
        "lib.wrong:2: TS2322: Type 'string' is not assignable to type 'number'.",
      ].join('\n'),
    );
    expect(await code('diagnostics', { target: 'lib.fine' })).toBe('');
  });

  it('is a row, too, for settings that make type errors doubtful', async () => {
    const settings = JSON.stringify({ ...JSON.parse(TSCONFIG), extends: './gone.json' });
    const { code } = openAsCode({ ...FILES, 'tsconfig.json': settings });
    const rows = (await code('diagnostics', { target: 'lib.fine' })).split('\n');
    expect(rows[0]).toMatch(/^tsconfig\.json:1: TS5083: Cannot read file '.*gone\.json'\.$/);
  });
});

describe('what code gets of the spaces below', () => {
  it('is nothing where a tag gets a sentence that there is nothing', async () => {
    const { code, send } = openAsCode({ 'main.js': '' });
    await send('@config()');
    expect(await code('read')).toBe('');
    await send('@source.tests()');
    expect(await code('read')).toBe('');
  });

  it('are failures of tests with all of their lines', { tags: ['long'] }, async () => {
    const test = `import test from 'node:test';\ntest('fails', () => { throw new Error(Array.from({ length: 30 }, (_, n) => 'line ' + n).join('\\n')); });\n`;
    const { code, send } = openAsCode({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
      'a.test.js': test,
    });
    await send('@tests()');
    expect(await send('<test:>')).toContain('more lines');
    const results = await code('results');
    expect(results).toContain('line 29');
    expect(results).not.toContain('more lines');
  });
});
