import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const PROJECT = {
  'package.json': '{"name":"demo"}',
  'src/fetch.ts': `export function createFetch() {
  async function onError(retries: number) {
    const delay = 'how long';
    return delay;
  }
  const $raw = () => onError(1);
  return { $raw };
}
`,
  'src/error.ts': `export interface Failure { status: number }
export class BaseError extends Error {
  get cause() { return 'base cause'; }
}
export class FetchError extends BaseError {
  constructor() {
    super();
    this.name = 'FetchError';
    this.attempts = 3;
  }
  static parse() {}
}
export const last: Failure = new FetchError();
`,
  'lib/router.js': `module.exports = Router;
module.exports.Route = Route;
function Route() { this.stack = []; }
function Router() {
  function router() {}
  router.strict = true;
  return router;
}
Router.prototype.handle = function () {
  function next() { return 'next'; }
};
`,
  'src/PopUp.vue': `<script lang="ts">
export default defineComponent({ methods: { show() { const how = 'shown'; } } });
</script>
`,
  'src/schema.ts': "export const make = () => object({ title: text('a title') }).strict();\n",
  'lib/parser.js': `exports = module.exports = parser;
exports.json = () => 'as json';
function parser() { return function textParser() { return 'as text'; }; }
`,
  'test/titled.test.js': "describe('onError', () => {});\n",
  'test/parser.test.js': "describe('it', () => {\n  const textParser = parser();\n});\n",
  'lib/box.js': `exports.Box = class Box {
  constructor() { this.depth = 1; }
  isDeep() { return this.depth > 1; }
};
`,
  'src/useData.js': "export default function useData() {\n  const update = () => 'updated';\n  return { update };\n}\n",
};
const open = () => openSource(PROJECT);
const read = (address: string) => open().send(`<R:${address}>`);

describe('what is inside of a function', () => {
  it.each([
    ['createFetch.onError', 'async function onError'],
    ['fetch.createFetch.onError', 'async function onError'],
    ['src/fetch.ts#onError', 'async function onError'],
    ['fetch.ts createFetch.onError', 'async function onError'],
    ['onError', 'async function onError'],
    ['onError.delay', 'how long'],
    ['createFetch.delay', 'how long'],
    ['createFetch.$raw', 'onError(1)'],
    ['FetchError#attempts', 'this.attempts = 3'],
    ['attempts', 'this.attempts = 3'],
    ['Route.stack', 'this.stack = []'],
    ['Router#strict', 'router.strict = true'],
    ['router.strict', 'router.strict = true'],
    ['Router.handle.next', "return 'next'"],
    ['handle.next', "return 'next'"],
    ['useData.update', "'updated'"],
    ['module.exports.Route', 'function Route()'],
    ['PopUp.methods.show', "'shown'"],
    ['PopUp.show.how', "'shown'"],
    ['make.title', 'a title'],
    ['parser.json', 'as json'],
    ['textParser', 'as text'],
  ])('%s is read like every symbol', async (address, text) => {
    const result = await read(address);
    expect(result).toContain(text);
    expect(result).not.toMatch(/^nothing is named|Error: /);
  });

  it('is no symbol of its own by the name of a variable, nor is it listed', async () => {
    expect(await read('delay')).toContain("no module or symbol 'delay'");
    expect(await read('src/fetch.ts')).not.toContain('onError');
  });

  it('is named where another name is written nearly so', async () => {
    expect(await read('createFetch.onErorr')).toMatch(
      /^nothing is named createFetch.onErorr; this is fetch.createFetch.onError:\n/,
    );
  });

  it('is edited like every symbol, and keeps its indentation', { tags: ['long'] }, async () => {
    const { edit, content, send } = open();
    expect(await edit('src/fetch.ts#onError', 'async function onError() {\n  return 1;\n}')).toContain(
      'Edited createFetch.onError in fetch (4 -> 3 lines)',
    );
    expect(content('src/fetch.ts')).toBe(`export function createFetch() {
  async function onError() {
    return 1;
  }
  const $raw = () => onError(1);
  return { $raw };
}
`);
    expect(await send('<E:createFetch.onError delete=true></E>')).toContain('Deleted createFetch.onError');
    expect(content('src/fetch.ts')).not.toContain('async function onError');
  });

  it('is not lost by an edit that says nothing of it', { tags: ['long'] }, async () => {
    const { edit, content } = open();
    expect(await edit('createFetch.onError', 'function other() {}')).toContain('does not define createFetch.onError');
    expect(content('src/fetch.ts')).toBe(PROJECT['src/fetch.ts']);
  });

  it(
    'is a field that is edited where it is assigned, and a member where one is written',
    { tags: ['long'] },
    async () => {
      const { edit, content } = open();
      expect(await edit('FetchError.attempts', 'this.attempts = 5;')).toContain('Edited FetchError.attempts');
      expect(content('src/error.ts')).toContain('    this.attempts = 5;\n');
      expect(await edit('FetchError.attempts', 'get attempts() { return 1; }')).toContain('Added attempts');
    },
  );

  it('has references, and is renamed with them', { tags: ['long'] }, async () => {
    const { send, content } = open();
    expect(await send('<references:createFetch.onError>')).toContain('const $raw = () => onError(1);');
    expect(await send('<rename:createFetch.onError to=onFailure>')).toContain('Renamed createFetch.onError');
    expect(content('src/fetch.ts')).toContain('const $raw = () => onFailure(1);');
    expect(await send('<rename:Box.depth to=height>')).toContain('Renamed Box.depth');
    expect(content('lib/box.js')).toBe(PROJECT['lib/box.js'].replaceAll('depth', 'height'));
  });
});

describe('a member of another type', () => {
  it('is shown where a class extends it, or a constant is declared to have it', { tags: ['long'] }, async () => {
    expect(await read('FetchError.cause')).toMatch(
      /^nothing is named FetchError.cause; this is error.BaseError.cause:\n.*base cause/s,
    );
    expect(await read('FetchError#cause')).toContain('this is error.BaseError.cause:');
    expect(await read('last.status')).toMatch(/this is error.Failure.status:\n.*status: number/s);
  });

  it('is not what an edit changes', { tags: ['long'] }, async () => {
    const { edit, content } = open();
    expect(await edit('FetchError.cause', "get cause() { return 'own'; }")).toContain('Added cause');
    expect(content('src/error.ts')).toContain('base cause');
    expect(await open().send('<E:last.status delete=true></E>')).toContain('Did you mean error.Failure.status?');
  });

  it('is not guessed from the parameters of a function', async () => {
    const files = { 'a.ts': 'export interface B { size: number }\nexport function f(b: B) { return b; }\n' };
    expect(await openSource(files).send('<R:f.size>')).toContain("a.f has no member 'size'");
  });
});

it('a member with one wrong letter is shown if its owner is right', { tags: ['long'] }, async () => {
  expect(await read('FetchError.prase')).toMatch(/^nothing is named FetchError.prase; this is error.FetchError.parse:/);
  expect(await read('FetchError.pars')).toMatch(/^nothing is named FetchError.pars; this is error.FetchError.parse:/);
  expect(await open().edit('FetchError.pars', 'static x() {}')).toContain('Did you mean parse?');
});
