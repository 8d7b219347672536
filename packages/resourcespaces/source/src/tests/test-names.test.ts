import { describe, expect, it } from 'vitest';
import { countTests, listTestNames, type TestName } from './test-names.ts';

describe('listTestNames', () => {
  it('finds groups and tests, however they are called', () => {
    const text = `
describe('a', () => {
  it('one', () => {});
  it.skip('two', () => {});
  it.each([1, 2])('three %i', () => {});
  it.each\`x\${1}\`('four', () => {});
  test.concurrent.only('five', async () => {});
});
describe.each([1])('b %i', () => { test("six", () => {}); });
suite('c', function () { specify('seven', () => {}); });
`;
    expect(show(listTestNames(text, 'a.test.ts'))).toEqual([
      'a :2 [one :3, two :4, three %i :5, four :6, five :7]',
      'b %i :9 [six :9]',
      'c :10 [seven :10]',
    ]);
    expect(countTests(listTestNames(text, 'a.test.ts'))).toBe(7);
  });

  it('finds tests that are defined by what runners pass to a test', () => {
    const text =
      "describe('outer', () => { t.test('inner', () => {}); });\nt.test('alone', () => {}); t.equal('no', 1);\n";
    expect(show(listTestNames(text, 'a.test.ts'))).toEqual(['outer :1 [inner :1]', 'alone :2 []']);
  });

  it('finds tests that stand in loops, conditions and functions', () => {
    const text =
      "for (const n of [1]) { if (n) it(`has ${n} of ${'x'}`, () => {}); }\nfunction more() { it('late', () => {}); }\n";
    expect(show(listTestNames(text, 'a.test.ts'))).toEqual(['has ${…} of ${…} :1 []', 'late :2 []']);
  });

  it('joins titles that are written in parts, and knows where a test ends', () => {
    const text = "it.each([\n  [1],\n])('adds %i ' +\n  'to ' + name, () => {\n});\n";
    expect(listTestNames(text, 'a.test.ts')).toEqual([
      { title: 'adds %i to ${…}', isGroup: false, line: 1, lastLine: 5, children: [] },
    ]);
  });

  it('leaves out what is no test', () => {
    const text = "it; it(); it(name, () => {}); const test = 1; /x/.test('y'); expect.it('z'); unit('q', () => {});\n";
    expect(listTestNames(text, 'a.test.ts')).toEqual([]);
  });

  it('reads JSX and JavaScript, and of broken code what can be read', () => {
    expect(show(listTestNames("it('a', () => <b />);", 'a.test.tsx'))).toEqual(['a :1 []']);
    expect(show(listTestNames("it('a', () => {});", 'a.test.cjs'))).toEqual(['a :1 []']);
    expect(listTestNames("it('a', () => {", 'a.test.ts')).toEqual([]);
  });
});

function show(names: readonly TestName[]): readonly string[] {
  return names.map(({ title, line, children, isGroup }) => {
    const inner = children.map((child) => `${child.title} :${child.line}`).join(', ');
    return isGroup || children.length === 0 ? `${title} :${line} [${inner}]` : `${title} ?`;
  });
}
