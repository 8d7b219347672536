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
  ])('%s leads through modules that pass it on', async (address, text, declared) => {
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

const USAGE = 'Usage: read(target: string = "", page: int = 1, all: boolean = false)';

describe('an address that is none', () => {
  it.each([
    ['packages/core/src/agent/agent.ts', 'contains a path separator', '<R:core.agent.agent>'],
    ['./packages/core/src/agent/agent', 'contains a path separator', '<R:core.agent.agent>'],
    ['packages/core/src/agent', 'contains a path separator', '<R:core.agent>'],
    ['.github/scripts', 'contains a path separator', '<R:github.scripts>'],
    ['.github/scripts/release.mjs', 'contains a path separator', '<R:github.scripts.release>'],
    ['packages/core', 'contains a path separator', '<R:core>'],
    ['core/agent', 'contains a path separator', '<R:core.agent>'],
    ['packages\\core\\src\\both.ts', 'contains a path separator', '<R:core.both>'],
    ['packages/core/src/agent/agent.ts#Agent', 'contains a path separator', '<R:core.agent.agent.Agent>'],
    ['core/agent/agent.Agent.ask', 'contains a path separator', '<R:core.agent.agent.Agent.ask>'],
    ['/etc/passwd', 'contains a path separator', '<R:>, <G:**>'],
    ['../../core', 'contains a path separator', '<R:>, <G:**>'],
    ['core..agent', "contains '..'", '<R:>, <G:**>'],
    ['core.', 'has an empty name', '<R:>, <G:**>'],
  ])('%s gets the address that it stands for', async (address, problem, tags) => {
    expect(await read(address)).toBe(
      `ResourceError: use module notation: '${address}' ${problem} (target: expected names with dots between them).\n${USAGE}\nTry: ${tags}`,
    );
  });

  it('keeps the requested lines', async () => {
    expect(await read('packages/core/src/agent/agent.ts:2-3')).toContain('Try: <R:core.agent.agent:2-3>');
    expect(await read('packages/core/src/agent/agent.ts:2-')).toContain('Try: <R:core.agent.agent:2->');
  });

  it('leaves them out where there are none', async () => {
    const result = await read('packages/core/src/tools:2-3');
    expect(result).toContain('Try: <R:core.tools>');
  });

  it.each([
    [
      'core.agent.agnet',
      "no module or symbol 'core.agent.agnet'",
      'Did you mean core.agent.agent?',
      'core.agent.agent',
    ],
    ['cor', "no module or symbol 'cor'", 'Did you mean core?', 'core'],
    ['hidden', "no module or symbol 'hidden'", 'Did you mean core.agent.agent.hidden?', 'core.agent.agent.hidden'],
    ['Agent', "no module or symbol 'Agent'", 'Did you mean core.agent.agent.Agent?', 'core.agent.agent.Agent'],
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
  ])('%s gets the symbols that exist', async (address, fact, remedy, tag) => {
    expect(await read(address)).toBe(
      `ResourceError: ${fact} (target: expected a symbol). ${remedy}\n${USAGE}\nTry: <R:${tag}>`,
    );
  });

  it('of a module with a syntax error shows where', async () => {
    const { send } = openSource({ 'bad.ts': 'const a = 1;\nconst b = ;\nconst c = 1;\n' });
    expect(await send('<R:bad.a>')).toBe(
      `ResourceError: 'a' cannot be found in bad, which has a syntax error in line 2: Unexpected token (target: expected a symbol).\n${USAGE}\nTry: <R:bad:1-3>`,
    );
    expect(await send('<R:bad:1-3>')).toBe('   1 | const a = 1;\n   2 | const b = ;\n   3 | const c = 1;');
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

describe('a name without its module', () => {
  it('is reported for several symbols, exported ones first', async () => {
    const files = Object.fromEntries(
      ['d', 'c', 'b', 'a'].map((name) => [`${name}.ts`, `${name === 'a' ? '' : 'export '}function run() {}\n`]),
    );
    expect(await openSource(files).send('<R:run>')).toContain(
      "no module or symbol 'run' (target: expected a package, module or symbol). " +
        'Did you mean b.run? The name is also that of c.run, d.run and 1 more.\n',
    );
    const { 'b.ts': _, ...fewer } = files;
    expect(await openSource(fewer).send('<R:run>')).toContain(
      'Did you mean c.run? The name is also that of d.run, a.run.\n',
    );
  });
});
