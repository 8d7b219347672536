import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const MATH = 'export function add() {\n  return 1;\n}\n';
const FOREIGN = MATH.replace('1', '2');
const conflict = (tag: string, lines = '3 -> 3', name = 'math') =>
  `ConflictError: ${name} changed since you read it (line count ${lines}). Re-read before editing.\nTry: ${tag}`;

/** A module that was read and then changed by someone else. */
async function changed(before = MATH, after = FOREIGN) {
  const project = openSource({ 'lib/math.ts': before, 'lib/index.ts': before });
  await project.sendAll('<R:lib.math.add><R:lib#add>');
  for (const path of ['lib/math.ts', 'lib/index.ts']) project.change(path, after);
  return project;
}

describe('a change by someone else', () => {
  it.each([
    ['lib.math', '<R:lib.math>'],
    ['lib', '<R:lib>'],
  ])('is not hidden by a list of what is in %s', async (name, list) => {
    const { send, edit, content } = await changed();
    const address = name === 'lib' ? 'lib#add' : `${name}.add`;
    const refused = conflict(`<R:${name}.add>`, '3 -> 3', name);
    expect(await edit(address, MATH)).toBe(refused);
    expect(await send(list)).toContain('function add()');
    expect(await edit(address, MATH)).toBe(refused);
    expect(content(name === 'lib' ? 'lib/index.ts' : 'lib/math.ts')).toBe(FOREIGN);
  });

  it.each(['<R:lib.math.add>', '<R:lib.math.add:1-3>', '<R:lib.math:1-3>'])('is known after %s', async (tag) => {
    const { send, edit, content } = await changed();
    expect(await send(tag)).toContain('return 2;');
    expect(await edit('lib.math.add', MATH)).toContain('Edited add in lib.math');
    expect(content('lib/math.ts')).toBe(MATH);
  });

  it('is not hidden by the members of a class that is too long to be shown', async () => {
    const long = (value: number) => {
      const methods = Array.from({ length: 200 }, (_, n) => `  method${n}() {\n    return ${value};\n  }`);
      return `export class add {\n${methods.join('\n')}\n}\n`;
    };
    const { send, edit } = await changed(
      `${MATH.replace('add', 'other')}${MATH}`,
      `${MATH.replace('add', 'other')}${long(1)}`,
    );
    const refused = conflict('<R:lib.math.add:4-605>', '6 -> 605', 'lib.math');
    expect(await edit('lib.math.add', MATH)).toBe(refused);
    expect(await send('<R:lib.math.add>')).toContain('method0()');
    expect(await edit('lib.math.add', MATH)).toBe(refused);
    expect(await send('<R:lib.math.add:4-605>')).toContain('return 1;');
    expect(await edit('lib.math.add', MATH)).toContain('Edited add in lib.math');
  });

  it('is not written over as a whole until its lines are read', async () => {
    const { send } = await changed();
    const write = `<W:lib.math overwrite=true>\n${MATH}</W>`;
    expect(await send(write)).toBe(conflict('<R:lib.math:1-3>', '3 -> 3', 'lib.math'));
    await send('<R:lib.math>');
    expect(await send(write)).toContain('ConflictError');
    await send('<R:lib.math:1-3>');
    expect(await send(write)).toBe('Replaced module lib.math (3 lines)');
  });

  it('is found from the first list on', async () => {
    const { send, edit, change } = openSource({ 'math.ts': MATH });
    await send('<R:math>');
    change('math.ts', FOREIGN);
    expect(await edit('math.add', MATH)).toBe(conflict('<R:math.add>'));
  });

  it('that took all away is known by a list, which then has nothing to hide', async () => {
    const { send, edit } = await changed(MATH, '');
    const imports = "import x from 'x';";
    expect(await edit('lib.math.import', imports)).toBe(conflict('<R:lib.math>', '3 -> 0', 'lib.math'));
    await send('<R:lib.math>');
    expect(await edit('lib.math.import', imports)).toContain('Edited import in lib.math');
  });

  it('before first imports are added is read in the lines of the module', async () => {
    const { edit, send } = await changed();
    const imports = "import x from 'x';";
    expect(await edit('lib.math.import', imports)).toBe(conflict('<R:lib.math:1-3>', '3 -> 3', 'lib.math'));
    await send('<R:lib.math:1-3>');
    expect(await edit('lib.math.import', imports)).toContain('Edited import in lib.math');
  });
});

it('says where lines are that an earlier edit of the response showed, when a later one moves them', async () => {
  const project = openSource({ 'lib/math.ts': `${MATH}\nexport function last() {\n  return 9;\n}\n` });
  await project.sendAll('<R:lib.math.add><R:lib.math.last>');
  const [, moved] = await project.sendAll(
    '<E:lib.math.last:6>\n  return 10;\n</E>\n<E:lib.math.add:2>\n  const x = 1;\n  return x;\n</E>',
  );
  expect(moved).toContain('\n[line 6 above is now line 7]');
});
