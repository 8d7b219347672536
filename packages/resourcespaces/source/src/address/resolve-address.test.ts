import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const MONOREPO = {
  'package.json': '{"name":"demo","workspaces":["packages/*"]}',
  'packages/core/package.json': '{"name":"@x/core"}',
  'packages/core/src/index.ts': `export { Agent, run as start } from './agent/agent.js';
export * from './agent/turn.ts';
export * as agents from './agent/agent';
export { z } from 'zod';
export const tools = 1;
`,
  'packages/core/src/agent/agent.ts': `export class Agent {
  #state = 1;
  get [Symbol.iterator]() { return 1; }
  'two.words'() {}
  ask() { return this.#state; }
}
export function run() {}
function hidden() {}
export default run;
`,
  'packages/core/src/agent/turn.ts': `export { later as turn };
const later = 1;
const inner = 2;
export * from './loop';
`,
  'packages/core/src/agent/loop.ts': `export * from './turn.ts';\nexport const loop = 1;\n`,
  'packages/core/src/tools/tool.ts': 'export const tool = 1;\n',
  'packages/core/src/both.ts': 'export const part = "symbol";\n',
  'packages/core/src/both/part.ts': 'export const inner = "module";\n',
  'packages/app/package.json': '{"name":"app"}',
  '.github/scripts/release.mjs': 'export const release = 1;\n',
  'packages/app/src/main.tsx': `import { Agent } from '@x/core';\nimport { tool } from '@x/core/tools/tool';\nexport { Agent, tool };\n`,
};

const read = async (address: string) => openSource(MONOREPO).send(`<R:${address}>`);

describe('an address', () => {
  it.each([
    ['core.agent.agent.Agent.ask', '  ask() { return this.#state; }'],
    ['core.agent.agent.Agent.#state', '  #state = 1;'],
    ['core.agent.agent#Agent.#state', '  #state = 1;'],
    ['core.agent.agent.Agent.[Symbol.iterator]', '  get [Symbol.iterator]() { return 1; }'],
    ["core.agent.agent.Agent.['two.words']", "  'two.words'() {}"],
    ['core.agent.agent.hidden', 'function hidden() {}'],
    ['github.scripts.release.release', 'export const release = 1;'],
    ['core#tools', 'export const tools = 1;'],
    ['core.tools.tool.tool', 'export const tool = 1;'],
    ['packages.core.src.agent.agent.run', 'export function run() {}'],
    ['core.z', "export { z } from 'zod';"],
    ['core.agents', "export * as agents from './agent/agent';"],
  ])('%s leads to the text of a symbol', async (address, text) => {
    expect(await read(address)).toBe(text);
  });

  it.each([
    ['core.start', 'export function run() {}', 'core.agent.agent.run'],
    ['core.agents.run', 'export function run() {}', 'core.agent.agent.run'],
    ['core.agent.agent.default', 'export function run() {}', 'core.agent.agent.run'],
    ['core.turn', 'const later = 1;', 'core.agent.turn.later'],
    ['core.loop', 'export const loop = 1;', 'core.agent.loop.loop'],
    ['core.Agent.ask', '  ask() { return this.#state; }', 'core.agent.agent.Agent.ask'],
    ['app.main.Agent.ask', '  ask() { return this.#state; }', 'core.agent.agent.Agent.ask'],
    ['app.main.tool', 'export const tool = 1;', 'core.tools.tool.tool'],
  ])('%s leads through modules that pass it on', { tags: ['long'] }, async (address, text, declared) => {
    expect(await read(address)).toBe(`${text}\n[declared at <R:${declared}>]`);
  });

  it('does not lead through a module to what it keeps to itself', async () => {
    expect(await read('core.inner')).toContain("core has no symbol 'inner'");
    expect(await read('core.default')).toContain("core has no symbol 'default'");
  });

  it('means the module where a symbol has the same name, and # the symbol', async () => {
    expect(await read('core.both.part')).toBe('core.both.part (1 constant)\n1: const inner = "module"');
    expect(await read('core.both#part')).toBe('export const part = "symbol";');
    expect(await read('core.tools')).toContain('core.tools (1 module)');
  });

  it('is found in files whose names have brackets and dots', async () => {
    const { send } = openSource({
      'app/[...slug]/page.tsx': 'export const a = 1;',
      'router.test.ts': 'export const b = 2;',
    });
    expect(await send('<R:app.[...slug].page.a>')).toBe('export const a = 1;');
    expect(await send('<R:router.test.b>')).toBe('export const b = 2;');
  });
});

const USAGE = 'Usage: read(target: string = "", page: int = 1, every: boolean = false)';

describe('an address with one wrong letter', () => {
  it.each([
    ['Agnet', 'core.agent.agent.Agent', 'export class Agent {'],
    ['core.agent.agnet', 'core.agent.agent', 'core.agent.agent ('],
    ['core/agent/agnet.ts', 'core.agent.agent', 'core.agent.agent ('],
  ])('%s is read as the only one that was meant, and says so', async (address, meant, text) => {
    expect(await read(address)).toContain(`nothing is named ${address}; this is ${meant}:\n${text}`);
  });
});

describe('an address that is none', () => {
  it.each([
    ['/etc/passwd', "'/etc/passwd' is not in the project", '', '<R:>\nTry: <G:**>'],
    ['../../core', "'../../core' leaves the project", '', '<R:>\nTry: <G:**>'],
    ['core..agent', "'core..agent' has an empty name", ' Did you mean core.agent?', '<R:core.agent>'],
    [
      'core..Agent',
      "'core..Agent' has an empty name",
      ' Did you mean core.agent.agent.Agent?',
      '<R:core.agent.agent.Agent>',
    ],
    [
      'core/agent/agnt-s.ts',
      "no module or symbol 'core/agent/agnt-s.ts'",
      ' Did you mean core.agent.agent?',
      '<R:core.agent.agent>',
    ],
    ['Agt', "no module or symbol 'Agt'", ' Did you mean core.agent.agent.Agent?', '<R:core.agent.agent.Agent>'],
    ['Agent.aks', "core.agent.agent.Agent has no member 'aks'", ' Did you mean ask?', '<R:core.agent.agent.Agent.ask>'],
  ])('%s is refused with the nearest one', { tags: ['long'] }, async (address, fact, remedy, tags) => {
    const expected = fact.includes('member') ? 'a symbol' : 'a package, module or symbol';
    expect(await read(address)).toBe(
      `ResourceError: ${fact} (target: expected ${expected}).${remedy}\n${USAGE}\nTry: ${tags}`,
    );
  });

  it.each([
    [
      'core.agent.agnte',
      "no module or symbol 'core.agent.agnte'",
      'Did you mean core.agent.agent?',
      'core.agent.agent',
    ],
    ['cor', "no module or symbol 'cor'", 'Did you mean core?', 'core'],
  ])('%s gets the nearest one', async (address, fact, remedy, tag) => {
    const expected = fact.startsWith('no') ? 'a package, module or symbol' : 'a symbol';
    expect(await read(address)).toBe(
      `ResourceError: ${fact} (target: expected ${expected}). ${remedy}\n${USAGE}\nTry: <R:${tag}>`,
    );
  });

  it.each([
    ['core.agent.agent.Agnt', "core.agent.agent has no symbol 'Agnt'", 'Did you mean Agent?', 'core.agent.agent.Agent'],
    [
      'core.agent.agent.Agent.aks',
      "core.agent.agent.Agent has no member 'aks'",
      'Did you mean ask?',
      'core.agent.agent.Agent.ask',
    ],
    ['core.agent.agent.run.x', "core.agent.agent.run has no member 'x'", 'It has none.', 'core.agent.agent.run'],
    [
      'core.agent.agent.zzzz',
      "core.agent.agent has no symbol 'zzzz'",
      'It has Agent, run, hidden, default.',
      'core.agent.agent',
    ],
  ])('%s gets the symbols that exist', { tags: ['long'] }, async (address, fact, remedy, tag) => {
    expect(await read(address)).toBe(
      `ResourceError: ${fact} (target: expected a symbol). ${remedy}\n${USAGE}\nTry: <R:${tag}>`,
    );
  });

  it('of a module with a syntax error shows where', async () => {
    const { send } = openSource({ 'bad.ts': 'const a = 1;\nconst b = ;\nconst c = 1;\n' });
    expect(await send('<R:bad.a>')).toBe(
      `ResourceError: 'a' cannot be found in bad, which has a syntax error in line 2: Unexpected token (target: expected a symbol).\n${USAGE}\nTry: <R:bad:1-3>`,
    );
    expect(await send('<R:bad:1-3>')).toBe('1|const a = 1;\n2|const b = ;\n3|const c = 1;');
    expect(await send('<R:bad>')).toBe('bad\nsyntax error in line 2: Unexpected token');
  });

  it('never leads out of the project through a link', async () => {
    const { symlinkSync, writeFileSync } = await import('node:fs');
    const { temporaryFolder } = await import('../../test/temporary-folder.ts');
    const outside = temporaryFolder({ 'secret.ts': 'export const secret = 1;' });
    const { folder, send } = openSource({ 'a.ts': '' });
    symlinkSync(outside, `${folder}/linked`);
    symlinkSync(`${outside}/secret.ts`, `${folder}/b.ts`);
    writeFileSync(`${folder}/c.ts`, "export * from './b.ts';\n");
    for (const address of ['linked.secret', 'b', 'c.secret'])
      expect(await send(`<R:${address}>`)).toContain('ResourceError');
  });
});

describe('what people say instead of an address', () => {
  it.each([
    ['packages/core/src/agent/agent.ts', 'core.agent.agent'],
    ['./packages/core/src/agent/agent', 'core.agent.agent'],
    ['packages/core/src/agent', 'core.agent'],
    ['packages\\core\\src\\both.ts', 'core.both'],
    ['.github/scripts/release.mjs', 'github.scripts.release'],
    ['agent/agent.js', 'core.agent.agent'],
    ['agent/turn', 'core.agent.turn'],
    ['turn.ts', 'core.agent.turn'],
    ['loop', 'core.agent.loop'],
    ['@x/core/tools/tool', 'core.tools.tool'],
    ['packages/core/src/agent/agent.ts#Agent.ask', 'core.agent.agent.Agent.ask'],
    ['core/agent/agent.Agent.ask', 'core.agent.agent.Agent.ask'],
    ['agent.ts:Agent', 'core.agent.agent.Agent'],
    ['Agent', 'core.agent.agent.Agent'],
    ['Agent.ask', 'core.agent.agent.Agent.ask'],
    ['Agent#ask', 'core.agent.agent.Agent.ask'],
    ['Agent::ask', 'core.agent.agent.Agent.ask'],
    ['Agent.ask()', 'core.agent.agent.Agent.ask'],
    ['`Agent`', 'core.agent.agent.Agent'],
    ['Agent.#state', 'core.agent.agent.Agent.#state'],
    ['ask', 'core.agent.agent.Agent.ask'],
    ['#state', 'core.agent.agent.Agent.#state'],
    ['hidden', 'core.agent.agent.hidden'],
    ['AGENT', 'core.agent.agent.Agent'],
  ])('%s is %s', async (said, address) => {
    expect(await read(said)).toBe(await read(address));
    expect(await read(said)).not.toContain('Error');
  });

  it('may have lines, and may be a path below the folder of the project', async () => {
    const { folder, send } = openSource(MONOREPO);
    expect(await send('<R:agent.ts:2-3>')).toBe('2|  #state = 1;\n3|  get [Symbol.iterator]() { return 1; }');
    expect(await send(`<R:${folder}/packages/core/src/agent/agent.ts:9-9>`)).toContain('9|export default run;');
  });

  it('is the title of a test', async () => {
    const text = "test('adds (two) numbers', () => {\n  add(1, 2);\n});\ntest('other', () => {});\n";
    const { send } = openSource({ 'test/add.test.ts': text });
    expect(await send('<R:adds (two) numbers>')).toBe("1|test('adds (two) numbers', () => {\n2|  add(1, 2);\n3|});");
  });

  it('is no title that stands in a list', async () => {
    const { send } = openSource({ 'a.ts': "export const names = [\n  'adds numbers',\n];\n" });
    expect(await send('<R:adds numbers>')).toMatch(/^ResourceError: no module or symbol 'adds numbers'/);
  });

  it('is a default export by its own name', async () => {
    const { send } = openSource({ 'source/index.ts': 'export default class Queue {\n  add() {}\n}\n' });
    for (const said of ['Queue.add', 'source.Queue.add', 'source.default.add', 'source/index.ts#Queue.add'])
      expect(await send(`<R:${said}>`)).toBe('  add() {}');
  });

  it('is a list when it may be several things, and refused where something changes', async () => {
    const { send, edit } = openSource({
      'a.ts': 'export function run() {}\n',
      'b.ts': 'export function run() {}\n',
      'c.ts': 'function run() {}\n',
      'test/run.test.ts': 'export function run() {}\n',
    });
    expect(await send('<R:run>')).toBe(
      "'run' is the name of 2 things:\n  <R:a.run>  1: function run()\n  <R:b.run>  1: function run()",
    );
    const refused = await edit('run', 'export function run() { return 1; }');
    expect(refused).toContain("'run' may be one of 2: a.run, b.run (target: expected the address of one of them).");
    expect(refused).toContain('Try: <R:a.run>\nTry: <R:b.run>');
  });

  it('is what is exported, and not in a test, where only one thing is', async () => {
    const { send } = openSource({
      'b.ts': 'export function run() { return 1; }\n',
      'c.ts': 'function run() {}\n',
      'test/d.ts': 'export function run() {}\n',
    });
    expect(await send('<R:run>')).toBe('export function run() { return 1; }');
  });
});
