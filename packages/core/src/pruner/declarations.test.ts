import { describe, expect, it } from 'vitest';
import { isDeclaration, outlineLines } from './declarations.ts';

describe('a declaration', () => {
  it.each([
    'export async function parse(text) {',
    '    def find(self, key):',
    'func (s *Server) Close() error {',
    'pub(crate) fn new() -> Self {',
    'app.use = function use(path) {',
    'module.exports = {',
    'exports.parse = (text) => {',
    "describe('parse', () => {",
    "    t.test('an empty text', function (st) {",
    'class Reader extends Base implements Source',
    '\tasync #retry<T extends (...args: any) => Promise<any>>(run: T): Promise<ReturnType<T> | void> {',
    '  get<K, V>(key: K): V | undefined {',
  ])('is found in %j', (line) => {
    expect(isDeclaration(line)).toBe(true);
  });

  it.each([
    '    class of the errors that are raised here.',
    'package managers that are not installed',
    '    if (isReady(a)) {',
    '    for (let index = 0; index < count(a) && index > count(b); index++) {',
    '    call<number>(1);',
    'this.value = 1;',
    '    expect(test).toBe(1);',
  ])('is not found in %j', (line) => {
    expect(isDeclaration(line)).toBe(false);
  });
});

describe('an outline', () => {
  const code = (lines: readonly string[], room = 300) => outlineLines(lines, { format: 'code', after: 0, room });

  it('has what is declared, with the numbers of the lines', () => {
    const lines = ['  x();', '}', '', 'class A {', '  find(key) {', '    return 1;', '  }', '}', 'const b = 1;'];
    expect(code(lines)).toEqual({ lines: ['4|class A {', '5|  find(key) {', '9|const b = 1;'], isComplete: true });
  });

  it('leaves inner declarations out first, and then those at the end', () => {
    const inner = Array.from({ length: 40 }, (_, index) => `  method${index}(first, second) {`);
    const lines = ['class A {', ...inner, '}', 'class B {', ...inner, '}', 'function last() {', '}'];
    const found = code(lines, 100);
    expect(found.isComplete).toBe(false);
    expect(found.lines).toContain('1|class A {');
    expect(found.lines).toContain('2|  method0(…');
    expect(found.lines.slice(-2)).toEqual(['43|class B {', '85|function last(…']);
  });

  it('leaves out variables with plain values before all others', () => {
    const values = Array.from({ length: 60 }, (_, index) => `const value${index} = /^a+$/;`);
    const lines = [
      ...values,
      'const find = (key) => {',
      '};',
      'class A {',
      '  first() {',
      '  }',
      '}',
      'function last() {',
    ];
    const found = code(lines, 60);
    expect(found.isComplete).toBe(false);
    expect(found.lines.slice(-4)).toEqual(['61|const find = (…', '63|class A {', '64|  first(…', '67|function last(…']);
    expect(found.lines[0]).toBe('1|const value0 = /^a+$/;');
  });

  it('shows the beginning of the title of a test', () => {
    const tests = Array.from({ length: 60 }, () => "test('a title that is longer than there is room for', (t) => {");
    expect(code(tests, 60).lines[0]).toBe("1|test('a title that is longer than there …");
  });

  it('has the headings of Markdown outside fences, higher ones first', () => {
    const lines = ['```', '# text', '```', '# One', '```sh', '# install', '```', '### Deep', '## Two', 'Title', '---'];
    const headings = (after: number, room = 100) => outlineLines(lines, { format: 'markdown', after, room });
    const found = ['4|# One', '8|### Deep', '9|## Two', '10|Title'];
    expect(headings(0)).toEqual({ lines: found, isComplete: true });
    expect(headings(0, 16)).toEqual({ lines: found.toSpliced(1, 1), isComplete: false });
    expect(headings(5)).toEqual({ lines: found.slice(1), isComplete: true });
  });

  it('stays within its room, whatever is declared', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `function name${index}(a, b) {`);
    expect(code(lines).lines.length).toBeLessThan(75);
    expect(code([]).lines).toEqual([]);
  });
});
