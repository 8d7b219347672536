import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const PROJECT = {
  'package.json': '{"name":"demo"}',
  'lerna.json': '{"packages":["packages/*"]}',
  'packages/url/package.json': '{"name":"@x/url"}',
  'packages/url/index.js': `function Reader() {}
Reader.prototype.parse = function () { return 'parsed'; };
module.exports = { Reader };
`,
  'packages/cli/package.json': '{"name":"@x/cli"}',
  'packages/cli/command.js': "exports.Command = class Command {\n  run() { return 'command'; }\n};\n",
  'packages/cli/index.d.ts': 'export interface RunOptions { quiet: boolean }\n',
  'examples/a.js': "class Comment {\n  run() { return 'example'; }\n}\n",
  'packages/cli/command.test.js': "test('should run a command', () => {\n  run(1);\n});\n",
};

const read = (address: string) => openSource(PROJECT).send(`<R:${address}>`);

const TITLES = {
  'package.json': '{"name":"demo"}',
  'src/sum.test.ts': `it.each([
  [1, 2],
  [3, 4],
])('adds %i to %i', (a, b) => {
  check('table');
});
it(
  'takes quite a while ' +
    'to finish its work',
  () => {
    check('joined');
  },
);
it(\`says
  on two lines\`, () => {
  check('lines');
});
it.each\`
  name
  \${'a'}
\`('greets $name politely', () => {
  check('named');
});
it('demo::parts::first', () => {
  check('colons');
});
for (const kind of ['x']) it(\`reads a file of \${kind} kind\`, () => check('loop'));
`,
};

describe('the title of a test', () => {
  it.each([
    ['adds %i to %i', 'table'],
    ['adds 3 to 4', 'table'],
    ['ads 3 to 4', 'table'],
    ['adds %i too %i', 'table'],
    ['takes quite a while to finish its work', 'joined'],
    ['takes quite a whlie to finish its work', 'joined'],
    ['a while to finish', 'joined'],
    ['says on two lines', 'lines'],
    ['says on tow lines', 'lines'],
    ['greets $name politely', 'named'],
    ['greets Bob politely', 'named'],
    ['greets $name politly', 'named'],
    ['reads a file of x kind', 'loop'],
    ['src/sum.test.ts#adds 1 to 2', 'table'],
    ['demo::parts::first', 'colons'],
    ['parts::first', 'colons'],
    ['demo::patrs::first', 'colons'],
  ])('%s is found, however it is written', async (title, text) => {
    const result = await openSource(TITLES).send(`<R:${title}>`);
    expect(result).toContain(`check('${text}')`);
    expect(result.match(/check\(/g)).toHaveLength(1);
  });
});

const NAMESPACES = {
  'package.json': '{"name":"demo"}',
  'types/lib.d.ts':
    'declare namespace Lib {\n  interface Options { quiet: true }\n  namespace Inner { type Deep = 1 }\n}\ndeclare global { interface Window { mine: 1 } }\nexport {};\n',
  'src/ns.ts': 'export namespace A.B { export interface Y { y: 1 } }\nexport class Box { open() { return 7; } }\n',
};

describe('what is inside of something else', () => {
  it.each([
    ['types/lib.d.ts#Lib.Options', 'quiet: true'],
    ['types/lib.d.ts#Options', 'quiet: true'],
    ['types/lib.d.ts#Deep', 'type Deep = 1'],
    ['types/lib.d.ts#Inner.Deep', 'type Deep = 1'],
    ['Inner.Deep', 'type Deep = 1'],
    ['types/lib.d.ts#Window', 'mine: 1'],
    ['src/ns.ts#Y', 'y: 1'],
    ['src/ns.ts#B.Y', 'y: 1'],
    ['src/ns.ts:open', 'return 7'],
    ['ns.ts#open', 'return 7'],
    ['Optoins', 'quiet: true'],
  ])('%s is found', async (address, text) => {
    expect(await openSource(NAMESPACES).send(`<R:${address}>`)).toContain(text);
  });

  it('is changed in a namespace; a symbol of the name of a member is added to the module', async () => {
    const { edit, content } = openSource(NAMESPACES);
    expect(await edit('types/lib.d.ts#Deep', 'type Deep = 2')).toContain('Edited Lib.Inner.Deep');
    expect(await edit('src/ns.ts#open', 'export function open() {}')).toContain('Added open to ns');
    expect(content('src/ns.ts')).toContain('{ open() { return 7; } }\n\nexport function open() {}\n');
  });
});

describe('what people say', () => {
  it.each([
    ['@x/url', 'Reader'],
    ['@x/url.Reader.parse', "return 'parsed'"],
    ['@x/url#Reader.parse', "return 'parsed'"],
    ['Reader.prototype.parse', "return 'parsed'"],
    ['packages/url/index.js::Reader::parse', "return 'parsed'"],
    ['class Command', "return 'command'"],
    ['Comand.run', "return 'command'"],
    ['@x/ulr', 'Reader'],
    ['RunOptions', 'quiet: boolean'],
    ['should run a command', 'run(1)'],
    ['run a command', 'run(1)'],
    ['should rnu a command', 'run(1)'],
    ['packages/cli/command.test.js#should run', 'run(1)'],
  ])('%s is found', async (address, text) => {
    expect(await read(address)).toContain(text);
  });

  it('is looked for once where a package and the folder around it have one name', async () => {
    const { send } = openSource({
      'package.json': '{"name":"src","workspaces":["app/*"]}',
      'app/core/package.json': '{"name":"app"}',
      'app/core/a.ts': 'export const a = 1;\n',
    });
    expect(await send('<R:app/nothing>')).toMatch(/no module or symbol|does not exist/);
    expect(await send('<R:src/nothing>')).toMatch(/no module or symbol|does not exist/);
  });

  it('says what was read instead of a misspelt title', async () => {
    expect(await read('should rnu a command')).toMatch(
      /^nothing is named should rnu a command; this is cli\.command\.test:1-3:\n/,
    );
  });

  it('lists the first of many things with one name, and all of them on request', async () => {
    const files = Array.from({ length: 14 }, (_, n) => [`src/m${n}.ts`, 'export function same() {}\n'] as const);
    const { send } = openSource({ 'package.json': '{"name":"demo"}', ...Object.fromEntries(files) });
    expect(await send('<R:same>')).toMatch(/\n {2}… 2 more: <R:same every=true>$/);
    expect((await send('<R:same every=true>')).split('\n')).toHaveLength(15);
  });

  it('names the members of other symbols that have the name', async () => {
    expect(await read('Command.parse')).toContain(
      "cli.command.Command has no member 'parse' (target: expected a symbol). Did you mean url.Reader.parse?\nUsage:",
    );
  });

  it('is the same for writing: an existing symbol gets no module of its own', async () => {
    const { send } = openSource(PROJECT);
    expect(await send('<W:packages/url/index.js#Reader.parse>\nfunction parse() {}\n</W>')).toContain(
      'url.Reader.parse exists. Use edit',
    );
    expect(await send('<W:Command.run>\nrun() {}\n</W>')).toContain('cli.command.Command.run exists. Use edit');
  });
});

describe('the name of a file and that of a symbol', () => {
  it('are a place, without the folders of the file', async () => {
    const { send } = openSource({
      'package.json': '{"name":"demo"}',
      'lib/main.js': "const sum = require('./math/sum');\nmodule.exports = sum;\n",
      'lib/math/sum.js': "const sumAll = () => 'sum';\nmodule.exports = sumAll;\n",
      'lib/all.js': "const sumAll = require('./math/sum');\n",
      'test/sum.test.js': "test('sum.js sumAll adds', () => {});\n",
    });
    expect(await send('<R:sum.js sumAll>')).toContain("const sumAll = () => 'sum';");
    // Of two with one name, the one that is no module of another is meant by a wrong name too.
    expect(await send('<R:sumAlll>')).toContain("const sumAll = () => 'sum';");
  });
});
