import type { ApprovalRequest } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { splitEditTarget } from './edit-symbol.ts';
import { openSource } from '../../test/open-source.ts';

const GREETER = `import { log } from './log.ts';

/** Greets people. */
export class Greeter {
  #name = 'x';

  /** Says hello. */
  @log()
  greet(who: string): string {
    return \`Hello
\${who}\`;
  }

  get tone() {
    return 1;
  }
  set tone(value) {}
}

export const { p, q } = load(), z = 1;
export enum Mode {
  Fast = 1,
  Slow,
}
const table = {
  a: 1,
  b() {},
};
`;
const open = (text = GREETER) => openSource({ 'lib/core.ts': text });

describe('editing a symbol', () => {
  it('replaces it with doc comment and decorators, and shows what changed', async () => {
    const { edit, content } = open();
    expect(
      await edit('lib.core.Greeter.greet', '/** Says hi. */\ngreet(who: string): string {\n  return who;\n}'),
    ).toBe(
      `Edited Greeter.greet in lib.core (6 -> 4 lines)
@@ -4,11 +4,9 @@
 export class Greeter {
   #name = 'x';
${' '}
-  /** Says hello. */
-  @log()
+  /** Says hi. */
   greet(who: string): string {
-    return \`Hello
-\${who}\`;
+    return who;
   }
${' '}
   get tone() {`,
    );
    const [before, after] = GREETER.split(/ {2}\/\*\* Says hello[^]*?\n {2}}\n/) as [string, string];
    expect(content('lib/core.ts')).toBe(
      `${before}  /** Says hi. */\n  greet(who: string): string {\n    return who;\n  }\n${after}`,
    );
  });

  it('leaves the lines of a template where they are', async () => {
    const { edit, content } = open();
    await edit('lib.core.Greeter.greet', 'greet(who: string) {\n  return `a\n  b\nc`;\n}');
    expect(content('lib/core.ts')).toContain('  greet(who: string) {\n    return `a\n  b\nc`;\n  }\n');
  });

  it.each([
    [
      'Greeter.tone',
      'get tone() {\n  return 2;\n}\nset tone(value) {}',
      '  get tone() {\n    return 2;\n  }\n  set tone(value) {}\n}',
    ],
    ['Mode.Slow', 'Slow = 7,', '  Slow = 7,\n}'],
    ['table.b', 'b() {\n  return 1;\n}', '  b() {\n    return 1;\n  },\n};'],
    ['p', 'export const { p, q } = load(1), z = 1;', 'export const { p, q } = load(1), z = 1;\nexport enum'],
    [
      'import',
      "import { log, warn } from './log.ts';\nimport x from 'x';",
      "import { log, warn } from './log.ts';\nimport x from 'x';\n\n/** Greets",
    ],
    ['table', 'const table = { c: 1 };\n\nfunction beside() {}', 'const table = { c: 1 };\n\nfunction beside() {}\n'],
  ])('replaces %s', async (name, body, expected) => {
    const { edit, content } = open();
    expect(await edit(`lib.core.${name}`, body)).toContain(`Edited ${name} in lib.core`);
    expect(content('lib/core.ts')).toContain(expected);
  });

  it.each([
    [
      'with CRLF',
      'export class A {\r\n  a() {\r\n    return 1;\r\n  }\r\n}\r\nconst b = 1;',
      'a() {\n  return 2;\n}',
      'export class A {\r\n  a() {\r\n    return 2;\r\n  }\r\n}\r\nconst b = 1;',
    ],
    [
      'with a byte order mark',
      '\uFEFFexport class A {\n  a() {}\n}',
      'a() { b(); }',
      '\uFEFFexport class A {\n  a() { b(); }\n}',
    ],
    [
      'with tabs',
      'export class A {\n\ta() {\n\t\treturn 1;\n\t}\n}\n',
      'a() {\n\treturn 2;\n}',
      'export class A {\n\ta() {\n\t\treturn 2;\n\t}\n}\n',
    ],
    ['with two on a line', 'class A { a() {} b() {} }', 'a() { c(); }', 'class A { a() { c(); } b() {} }'],
    [
      'with characters beyond the first plane',
      'class A {\n  "😀" = "é";\n  a() {}\n}',
      'a() { "😀"; }',
      'class A {\n  "😀" = "é";\n  a() { "😀"; }\n}',
    ],
  ])('keeps a file %s', async (_what, text, body, expected) => {
    const { edit, content } = open(text);
    expect(await edit('lib.core.A.a', body)).toContain('Edited A.a');
    expect(content('lib/core.ts')).toBe(expected);
  });

  it('takes a text that was cut out of its place as it is', async () => {
    const { edit, content } = open();
    await edit('lib.core.Greeter.greet', "greet(who: string): string {\n    return 'a' +\n      who;\n  }");
    expect(content('lib/core.ts')).toContain("  greet(who: string): string {\n    return 'a' +\n      who;\n  }\n");
  });

  it('writes nothing when nothing would be different', async () => {
    const { edit, content, send } = open();
    expect(await edit('lib.core.Mode.Slow', 'Slow')).toBe(
      'Edited Mode.Slow in lib.core (1 line): it is already like that, nothing was written',
    );
    expect(content('lib/core.ts')).toBe(GREETER);
    expect(await send('<undo:>')).toContain('Nothing to undo');
  });

  it('shows at most twenty lines of a change', async () => {
    const { edit } = open();
    const lines = Array.from({ length: 50 }, (_, number) => `  call(${number});`).join('\n');
    const result = await edit('lib.core.table', `const table = () => {\n${lines}\n};`);
    expect(result.split('\n')).toHaveLength(22);
    expect(result.split('\n').at(-1)).toMatch(/^… \d+ more lines of changes: <R:[\w.]+:\d+-\d+>$/);
  });

  it('replaces declarations that do not stand together one by one', async () => {
    const text = 'export interface X { a: 1 }\nconst between = 1;\nexport const X = 1;\n';
    const { edit, content } = open(text);
    expect(await edit('lib.core.X', 'export interface X { b: 2 }')).toBe(
      'EditError: X is declared 2 times in lib.core (lines 1 and 3), and the new text has 1 of it. Send all 2, in this order. Nothing was changed.\nTry: <R:lib.core.X>',
    );
    expect(content('lib/core.ts')).toBe(text);
    await edit('lib.core.X', '/** New. */\nexport interface X { b: 2 }\n\n/** Too. */\nexport const X = 2;');
    expect(content('lib/core.ts')).toBe(
      '/** New. */\nexport interface X { b: 2 }\nconst between = 1;\n/** Too. */\nexport const X = 2;\n',
    );
  });

  it('gives a module its first imports', async () => {
    const { edit, content } = open('#!/usr/bin/env node\nconst a = 1;\n');
    expect(await edit('lib.core.import', "import x from 'x';")).toContain('Edited import in lib.core (0 -> 1 lines)');
    expect(content('lib/core.ts')).toBe("#!/usr/bin/env node\nimport x from 'x';\nconst a = 1;\n");
  });

  it('changes what a module passes on where it is declared', async () => {
    const { edit, content } = openSource({ 'index.ts': "export { a } from './b';\n", 'b.ts': 'export const a = 1;\n' });
    expect(await edit('index.a', 'export const a = 2;')).toContain('Edited a in b (1 line)');
    expect([content('index.ts'), content('b.ts')]).toEqual(["export { a } from './b';\n", 'export const a = 2;\n']);
  });
});

describe('the doc comment of a symbol', () => {
  const QUEUE =
    '/** A queue. */\nexport default class Queue {\n  /**\n   * Adds one.\n   */\n  @log()\n  add(): void {}\n\n  // Not a doc comment.\n  pause(): void {}\n}\n\n/** The size. */\nexport const size = 1;\n';

  it('stays unless the new text brings a comment', async () => {
    const { edit, content } = open(QUEUE);
    await edit('lib.core.Queue.add', 'add(): void {\n  this.pause();\n}');
    await edit('lib.core.size', 'export const size = 2;');
    expect(content('lib/core.ts')).toBe(
      QUEUE.replace('  @log()\n  add(): void {}', '  add(): void {\n    this.pause();\n  }').replace(
        'size = 1',
        'size = 2',
      ),
    );
    await edit('lib.core.size', '/** How many. */\nexport const size = 3;');
    expect(content('lib/core.ts')).toContain('}\n\n/** How many. */\nexport const size = 3;\n');
  });

  it('goes with it, also with a member of the default export', async () => {
    const { send, content } = open(QUEUE);
    expect(await send('<E:lib.core.Queue.add delete=true></E>')).toContain('Deleted Queue.add in lib.core (5 lines)');
    expect(content('lib/core.ts')).not.toContain('Adds one');
    expect(content('lib/core.ts')).toContain('pause(): void {}');
  });
});

describe('deleting a symbol', () => {
  it.each([
    ['Greeter.tone', '  }\n}\n\nexport const { p'],
    ['Greeter.#name', 'export class Greeter {\n  /** Says hello. */'],
    ['Mode.Slow', '  Fast = 1,\n}'],
    ['Mode.Fast', 'export enum Mode {\n  Slow,\n}'],
    ['table.b', '  a: 1,\n};'],
    ['Greeter', "import { log } from './log.ts';\n\nexport const { p"],
  ])('takes %s away with its lines', async (name, expected) => {
    const { send, content } = open();
    expect(await send(`<E:lib.core.${name} delete=true></E>`)).toContain(`Deleted ${name} in lib.core`);
    expect(content('lib/core.ts')).toContain(expected);
    await send('<undo:>');
    expect(content('lib/core.ts')).toBe(GREETER);
  });
});

describe('editing a part of a symbol', () => {
  it('replaces lines, numbered as in the file, once they were read', async () => {
    const { edit, content, send } = open();
    await send('<R:lib.core.table>');
    expect(await edit('lib.core.table:26-26', '  a: 2,\n  c: 3,')).toContain('Edited lib.core.table (1 -> 2 lines)');
    expect(content('lib/core.ts')).toContain('const table = {\n  a: 2,\n  c: 3,\n  b() {},\n};');
    expect(await edit('lib.core.table:3-4', 'x')).toContain('RangeError: lib.core.table is lines 25-29 of its module');
    expect(await edit('lib/core.ts:25', 'const table = {} && {')).toContain('Edited lib.core (1 line)');
  });

  it('replaces parts by text, in the symbol alone', async () => {
    const { edit, content, send } = open();
    expect(await send('<E:Greeter.tone old="1" new="2">')).toContain('Edited lib.core.Greeter.tone');
    expect(content('lib/core.ts')).toContain('return 2;');
    const body = '<<<<<<< SEARCH\n  Fast = 1,\n=======\n  Fast = 3,\n>>>>>>> REPLACE\n';
    expect(await edit('Mode', body)).toContain('Edited lib.core.Mode');
    expect(content('lib/core.ts')).toContain('  Fast = 3,\n  Slow,');
    expect(await send('<E:Mode old="Greeter" new="x">')).toContain('EditError: text not found in lib.core.Mode');
    expect(await edit('lib.core', '<old>const table = {</old>\n<new>const table = { // all</new>')).toContain(
      'Edited lib.core',
    );
  });

  it('is about the index where its folder is named', async () => {
    const { edit, send, content } = openSource({ 'lib/index.ts': 'export const a = 1;\n', 'lib/b.ts': '' });
    expect(await send('<R:lib/index.ts:1>')).toContain('1|export const a = 1;');
    expect(await edit('lib/index.ts:1', 'export const a = 2;')).toContain('Edited lib (1 line)');
    expect(await send('<E:lib/index.ts old="2" new="3">')).toContain('Edited lib (1 line)');
    expect(content('lib/index.ts')).toBe('export const a = 3;\n');
  });

  it('keeps the name and the syntax', async () => {
    const { send, content } = open();
    expect(await send('<E:Mode old="Mode" new="Kind">')).toContain('EditError: the new text does not define Mode');
    expect(await send('<E:Mode old="{" new="(">')).toContain('ParseError');
    expect(content('lib/core.ts')).toBe(GREETER);
  });

  it('inserts beside it', async () => {
    const { edit, content } = open();
    expect(await edit('Greeter.greet before=true', 'first() {}')).toContain('Added first to lib.core.Greeter');
    expect(content('lib/core.ts')).toContain("#name = 'x';\n\n  first() {}\n\n  /** Says hello. */");
    await edit('Mode.Fast after=true', 'Middle = 2');
    expect(content('lib/core.ts')).toContain('  Fast = 1,\n  Middle = 2,\n  Slow,');
    await edit('Mode before=true', 'const first = 1;');
    expect(content('lib/core.ts')).toContain('const first = 1;\n\nexport enum Mode {');
  });
});

describe('inserting lines', () => {
  it('in a symbol beside a text of it, or beside lines, removes none', async () => {
    const { send, content } = open();
    await send('<R:lib.core>');
    expect(await send('<E:Mode old="Fast" after=true>\n  Middle,\n</E>')).toContain('(0 -> 1 lines)');
    expect(content('lib/core.ts')).toContain('  Fast = 1,\n  Middle,\n  Slow,');
    const line = content('lib/core.ts').split('\n').indexOf('const table = {') + 1;
    expect(await send(`<E:lib.core:${line} before=true>\n// A table.\n</E>`)).toContain('(0 -> 1 lines)');
    expect(content('lib/core.ts')).toContain('}\n// A table.\nconst table = {');
  });
});

describe('an edit of what is not there', () => {
  it('adds the member or declaration that its text defines', async () => {
    const { edit, content } = open();
    expect(await edit('Greeter.leave', '/** Says bye. */\nleave() {}')).toContain(
      'Added leave to lib.core.Greeter (2 lines)',
    );
    expect(await edit('lib.core.later', 'const later = 1;')).toContain('Added later to lib.core (1 line)');
    expect(content('lib/core.ts')).toContain('  /** Says bye. */\n  leave() {}\n}');
    expect(content('lib/core.ts')).toMatch(/\nconst later = 1;\n$/);
  });
});

describe('an edit that is refused', () => {
  const KEEP = 'Nothing was changed.';
  it.each([
    [
      'Greeter.greet',
      'hello() {}',
      `EditError: the new text does not define Greeter.greet. Keep the name, or add rename=true. ${KEEP}\nTry: <R:lib.core.Greeter.greet>\nTry: <E:lib.core.Greeter.greet rename=true>`,
    ],
    ['Greeter.greet', 'greet( {}', `ParseError: the new text of Greeter.greet does not parse: line 1: Expected`],
    [
      'Greeter.greet',
      'greet() {} } class Evil {',
      `ParseError: the new text of Greeter.greet does not parse: line 1: it closes the declaration around it. ${KEEP}\nTry: <R:lib.core.Greeter.greet>`,
    ],
    [
      'p',
      'export const p = 1;',
      `EditError: q, z would be lost with it. Send everything that is declared there. ${KEEP}\nTry: <R:lib.core.p>`,
    ],
    [
      'Greeter',
      'class Greeter { greet() {} }',
      `EditError: Greeter would no longer be exported. Begin with export, or add rename=true. ${KEEP}\nTry: <R:lib.core.Greeter>\nTry: <E:lib.core.Greeter rename=true>`,
    ],
    [
      'import',
      'const a = 1;',
      `EditError: only imports can take the place of the imports. ${KEEP}\nTry: <R:lib.core.import>`,
    ],
    [
      'Greeter.greet',
      '',
      'EditError: the new text of Greeter.greet is missing: send it between the tags, or add delete=true. Nothing was changed.\nTry: <R:lib.core.Greeter.greet>\nTry: <E:lib.core.Greeter.greet delete=true></E>',
    ],
    [
      'Greeter.grete',
      'greet() {}',
      "ResourceError: lib.core.Greeter has no member 'grete' (target: expected a symbol). Did you mean greet?",
    ],
    ['table:26-27', 'x', 'ConflictError: lib.core.table was not read in this session. Read it first'],
    ['Greeter.greet after=true before=true', 'a() {}', 'EditError: give either before or after, not both.'],
  ])('%s as %j changes nothing', async (name, body, result) => {
    const { edit, content } = open();
    expect(await edit(`lib.core.${name}`, body)).toContain(result);
    expect(content('lib/core.ts')).toBe(GREETER);
  });

  it('because it is about a module or folder, and names what can be edited', async () => {
    const { edit } = open();
    expect(await edit('lib.core', 'x')).toBe(
      'EditError: lib.core is a module; edit changes one symbol, write the whole.\nTry: <E:lib.core.Greeter>\nTry: <W:lib.core overwrite=true>…</W>',
    );
    expect(await edit('lib', 'x')).toBe('EditError: lib is a folder; edit changes one symbol.\nTry: <R:lib>');
  });

  it('because the module would not be well formed', async () => {
    const { edit, content } = open('const a = 1, b = 2;\n');
    expect(await edit('lib.core.a', 'const a = 1, b = 2 /*')).toContain('ParseError');
    expect(content('lib/core.ts')).toBe('const a = 1, b = 2;\n');
  });

  it('may have another name when it is meant', async () => {
    const { send, content } = open();
    expect(await send('<E:lib.core.Greeter.greet rename=true>\nhello() {}\n</E>')).toContain('Edited Greeter.greet');
    expect(content('lib/core.ts')).toContain('\n  hello() {}\n');
    expect(await send('<E:lib.core.p rename=true>\nexport const { other, q } = load(), z = 1;\n</E>')).toContain(
      'Edited p',
    );
  });

  it('because somebody changed the file since it was shown, until it is read again', async () => {
    const { send, edit, change, content } = open('export const a = 1;\n');
    await send('<R:lib.core>');
    change('lib/core.ts', 'export const a = 2;\nexport const b = 1;\n');
    expect(await edit('lib.core.a', 'export const a = 3;')).toBe(
      'ConflictError: lib.core changed since you read it (line count 1 -> 2). Re-read before editing.\nTry: <R:lib.core.a>',
    );
    expect(content('lib/core.ts')).toBe('export const a = 2;\nexport const b = 1;\n');
    await send('<R:lib.core.a>');
    expect(await edit('lib.core.a', 'export const a = 3;')).toContain('Edited a');
    expect(await edit('lib.core.b', 'export const b = 3;')).toContain('Edited b');
  });

  it('because nobody allowed it was asked for with the path and a diff', async () => {
    const asked: ApprovalRequest[] = [];
    const approve = (request: ApprovalRequest) => {
      asked.push(request);
      return { allow: false, reason: 'no' } as const;
    };
    const { edit, content } = openSource({ 'lib/core.ts': GREETER }, { approve });
    expect(await edit('lib.core.Mode.Slow', 'Slow = 3')).toContain('ApprovalError');
    expect(content('lib/core.ts')).toBe(GREETER);
    expect(asked[0]).toMatchObject({ target: 'lib/core.ts' });
    expect(await asked[0]?.preview?.()).toContain('-  Slow,\n+  Slow = 3,');
  });

  it('because the file is protected, and nobody is asked to look at a change of it', async () => {
    const asked: ApprovalRequest[] = [];
    const approve = (request: ApprovalRequest) => {
      asked.push(request);
      return { allow: true } as const;
    };
    const { edit, content } = openSource({ 'bae.config.ts': 'export const a = 1;\n' }, { approve });
    expect(await edit('bae.config.a', 'export const a = 2;')).toContain('ProtectedFileError');
    expect(content('bae.config.ts')).toBe('export const a = 1;\n');
    expect(asked).toEqual([]);
  });
});

describe('the target of an edit', () => {
  it.each([
    ['lib.a.f', { target: 'lib.a.f' }],
    ['lib.a.f:3', { target: 'lib.a.f', range: [3, 3] }],
    ['lib.a.f:3-', { target: 'lib.a.f', range: [3, null] }],
    ['lib.a.f:9-3', { target: 'lib.a.f:9-3' }],
    ['lib.a.f:0', { target: 'lib.a.f:0' }],
  ])('is read from %s', (argument, target) => {
    expect(splitEditTarget(argument)).toEqual(target);
  });
});

const ODD = `export const a = 1, b = 2;
export const { c, d: [e] } = load();
export function over(one: string): void;
export function over(one: number): void;
export function over() {}
export class Box {
  size = 1;
  open() {}
}
export interface Box { lid: 1 }
`;
const openOdd = () => openSource({ 'odd.ts': ODD });

describe('what stands in one declaration with others', () => {
  it.each([
    ['a', 'b'],
    ['b', 'a'],
    ['c', 'e'],
    ['e', 'c'],
  ])('is not deleted with them: %s', async (name, other) => {
    const { send, content } = openOdd();
    expect(await send(`<E:odd.${name} delete=true></E>`)).toBe(
      `EditError: ${other} would be lost with it. Send the part of the declaration to keep, with rename=true. Nothing was changed.\nTry: <R:odd.${name}>\nTry: <E:odd.${name} rename=true>…</E>`,
    );
    expect(content('odd.ts')).toBe(ODD);
  });

  it('is not renamed without them', async () => {
    const { send, content } = openOdd();
    expect(await send('<E:odd.c rename=true>\nexport const other = 1;\n</E>')).toBe(
      'EditError: e would be lost with it. Send everything that is declared there. Nothing was changed.\nTry: <R:odd.c>',
    );
    expect(content('odd.ts')).toBe(ODD);
  });

  it('goes alone when the others are sent', async () => {
    const { send, content } = openOdd();
    expect(await send('<E:odd.a rename=true>\nexport const b = 2;\n</E>')).toContain('Edited a in odd');
    expect(content('odd.ts')).toBe(ODD.replace('a = 1, ', ''));
  });
});

describe('what is part of a symbol', () => {
  it('goes with it: overloads, members, and all declarations of the name', async () => {
    const { send, content } = openOdd();
    expect(await send('<E:odd.over delete=true></E>')).toContain('Deleted over in odd (3 lines)');
    expect(await send('<E:odd.Box delete=true></E>')).toContain('Deleted Box in odd (5 lines)');
    expect(content('odd.ts')).toBe(ODD.split('\n').slice(0, 2).join('\n') + '\n');
  });

  it('goes when the symbol gets another name', async () => {
    const { send, content } = openSource({ 'a.ts': 'export class Box {\n  size = 1;\n}\n' });
    expect(await send('<E:a.Box rename=true>\nexport class Crate {}\n</E>')).toContain('Edited Box in a');
    expect(content('a.ts')).toBe('export class Crate {}\n');
  });
});

it('a symbol is not deleted when a new text was sent for it', async () => {
  const { send, content } = openOdd();
  expect(await send('<E:odd.Box delete=true>\nexport class Box {}\n</E>')).toBe(
    'EditError: delete=true takes no text, and one was sent for Box: send one of the two. Nothing was changed.\nTry: <E:odd.Box delete=true></E>\nTry: <E:odd.Box>…</E>',
  );
  expect(content('odd.ts')).toBe(ODD);
});
