import { Script } from 'node:vm';
import { asModelText, createAgent } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isIncompleteCode as needsMore } from '@bae/sandbox';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { INTERRUPT, lines, type TypedLines } from '../../test/typed-lines.ts';
import { collectNames } from '../space-outline.ts';
import { gatherBody, gatherCode, isWayOut, trackCode } from './gather-lines.ts';

const names = collectNames(createAgent({ home: sampleHome, spaces: sampleSpaces }).tree);

describe('gatherBody', () => {
  it('takes a line that is complete as it is', async () => {
    const source = lines(['next']);
    expect(await gatherBody('<R:a.ts>', source, names)).toBe('<R:a.ts>');
    expect(await gatherBody('<W:a.txt>hello</W>', source, names)).toBe('<W:a.txt>hello</W>');
    expect(await gatherBody('who are you?', source, names)).toBe('who are you?');
    expect(source.left()).toEqual(['next']);
  });

  it('reads on to the closer of a tag that needs one', async () => {
    const source = lines(['one', '', '<R:b>', '</div>', '</W>', 'after']);
    expect(await gatherBody('<W:a.txt>', source, names)).toBe('<W:a.txt>\none\n\n<R:b>\n</div>\n</W>');
    expect(source.left()).toEqual(['after']);
    expect(source.prompts).toEqual(['… ', '… ', '… ', '… ', '… ']);
  });

  it('minds nesting and labels', async () => {
    expect(await gatherBody('<W:a>', lines(['<W:b>', '</W>', 'x', '</W>', 'z']), names)).toBe(
      '<W:a>\n<W:b>\n</W>\nx\n</W>',
    );
    expect(await gatherBody('<Write:a>', lines(['x', '</write:a>', 'z']), names)).toBe('<Write:a>\nx\n</write:a>');
  });

  it('reads on to the end of a run block', async () => {
    expect(await gatherBody('<run>', lines(['1 + 1', '</run>', 'z']), names)).toBe('<run>\n1 + 1\n</run>');
    expect(await gatherBody('<run>', lines(['f()', 'g() </run>', 'z']), names)).toBe('<run>\nf()\ng() </run>');
  });

  it('ends with Ctrl-D where it is, and is given up with Ctrl-C', async () => {
    expect(await gatherBody('<W:a>', lines(['x']), names)).toBe('<W:a>\nx');
    expect(await gatherBody('<W:a>', lines(['x', INTERRUPT, 'y']), names)).toBeUndefined();
  });

  it('gives an edit its body when the closer already exists', async () => {
    const source = lines(['new line', '</E>', 'after']);
    expect(await gatherBody('<E:a.ts:1-2>', source, names)).toBe('<E:a.ts:1-2>\nnew line\n</E>');
    expect(source.left()).toEqual(['after']);
  });

  it('takes an edit without a closer for a view, and gives the lines back', async () => {
    const source = lines(['why?', '<R:b>']);
    expect(await gatherBody('<E:a.ts:1-2>', source, names)).toBe('<E:a.ts:1-2>');
    expect(source.left()).toEqual(['why?', '<R:b>']);
  });

  it('lets a backslash continue any line', async () => {
    expect(await gatherBody('<E:a.ts:1>\\', lines(['new\\', '</E>', 'z']), names)).toBe('<E:a.ts:1>\nnew\n</E>');
    expect(await gatherBody('first\\', lines(['second', 'z']), names)).toBe('first\nsecond');
    expect(await gatherBody('first\\', lines([INTERRUPT]), names)).toBeUndefined();
    expect(await gatherBody('first\\', lines([]), names)).toBe('first');
  });

  it('gives any body to the tag it was written in, and nothing that comes after', async () => {
    const line = fc.oneof(
      fc.constantFrom('', '<R:b>', '<W:x>', '<W:x>y</W>', '```', '<run>', '</div>', '</E>'),
      fc.string({ maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (body) => {
        const whole = ['<W:a.txt>', ...body.map((text) => text.replaceAll(/[\r\n]/g, '')), '</W:a.txt>'];
        // A closer without a label ends the body where it stands, so it is left to the examples.
        fc.pre(!whole.slice(1, -1).some((text) => /<\/w/i.test(text)));
        const source = lines([...whole.slice(1), 'after']);
        const text = await gatherBody(whole[0]!, source, names);
        expect(text).toBe(whole.join('\n'));
        expect(parse(asModelText(text!), names).calls).toMatchObject([{ verb: 'write', arg: 'a.txt' }]);
        expect(source.left()).toEqual(['after']);
      }),
    );
  });

  it('parses a long body a few times only', async () => {
    const body = Array.from({ length: 20_000 }, (_, index) => `<p>${index}</p>`);
    expect(await gatherBody('<W:page.html>', lines([...body, '</W>']), names)).toHaveLength(
      ['<W:page.html>', ...body, '</W>'].join('\n').length,
    );
  });
});

const givenUp: string[] = [];
const CODE = {
  needsMore,
  isCommand: (line: string) => line.startsWith('/'),
  onGivenUp: (line: string) => void givenUp.push(line),
};
const gathered = (first: string, source: TypedLines) => gatherCode(first, source, CODE);
/** Lines that come one after the other: typed ones, or those of a pipe. */
const apart = (...texts: readonly (string | symbol)[]): TypedLines =>
  Object.create(lines(texts), { isPasted: { value: false } }) as TypedLines;

describe('gatherCode', () => {
  it('takes a line that is complete as it is', async () => {
    const source = apart('next');
    expect(await gathered('const a = 1', source)).toBe('const a = 1');
    expect(await gathered('a b', source)).toBe('a b');
    expect(source.left()).toEqual(['next']);
  });

  it('reads on while something is open, blank lines included', async () => {
    const source = apart('  const b = a;', '', '  return `', '', '${b}`;', '}', 'next');
    expect(await gathered('function f(a: string) {', source)).toBe(
      'function f(a: string) {\n  const b = a;\n\n  return `\n\n${b}`;\n}',
    );
    expect(source.left()).toEqual(['next']);
    expect(source.prompts.slice(0, 5)).toEqual(['… ', '… ', '… ', '… ', '… ']);
  });

  it('leaves a backslash at the end of a line to the code', async () => {
    expect(await gathered('`one \\', apart('two`', 'next'))).toBe('`one \\\ntwo`');
  });

  it('takes all that was pasted as one text, up to a command', async () => {
    const source = lines(['  + 2', '', 'sum', '/code', 'next']);
    expect(await gathered('const sum = 1', source)).toBe('const sum = 1\n  + 2\n\nsum');
    expect(source.left()).toEqual(['/code', 'next']);
  });

  it.each(['else {', 'catch (e) {', '  finally {', 'while (a)', '.then()', ')'])(
    'takes what belongs to a block of a pipe: %s',
    async (next) => {
      expect((await gathered('if (a) {', apart('  b()', '}', next, 'x', '})')))?.split('\n')[3]).toBe(next);
    },
  );

  it('leaves what does not', async () => {
    const source = apart('elsewhere()', 'x');
    expect(await gathered('if (a) { b() }', source)).toBe('if (a) { b() }');
    expect(source.left()).toEqual(['elsewhere()', 'x']);
  });

  it('waits for nothing after a block when no more lines are there', async () => {
    const source = Object.create(apart('else {'), { hasMore: { value: async () => false } }) as TypedLines;
    expect(await gathered('if (a) { b() }', source)).toBe('if (a) { b() }');
    expect(source.prompts).toEqual([]);
  });

  it('waits for nothing after what is no block', async () => {
    const source = apart('.b()');
    expect(await gathered('a', source)).toBe('a');
    expect([source.left(), source.prompts]).toEqual([['.b()'], []]);
  });

  it('takes no line for a command while something is open', async () => {
    expect(await gathered('const path = `', lines(['/code', '`']))).toBe('const path = `\n/code\n`');
  });

  it.each(['if (a) {', 'f(a', '1 +'])('gives up what is open for a command that leads out: %s', async (first) => {
    givenUp.length = 0;
    const source = apart('/code', 'next');
    expect(await gathered(first, source)).toBeUndefined();
    expect([givenUp, source.left()]).toEqual([['/code'], ['/code', 'next']]);
  });

  it('takes no other line for a command while something is open', async () => {
    expect(await gathered('f(a', apart('/ b', '/code/g', ')'))).toBe('f(a\n/ b\n/code/g\n)');
  });

  it('asks seldom of code that is long, and never of what is pasted', async () => {
    let asked = 0;
    const counted = { ...CODE, needsMore: (code: string) => (asked++, needsMore(code)) };
    const inner = Array.from({ length: 500 }, (_, index) => [
      `  if (a(")", ')')) {`,
      `    b[${index}] = { c };`,
      '  }',
    ]);
    const all = ['if (a) {', ...inner.flat(), '}'];
    expect(await gatherCode(all[0]!, apart(...all.slice(1), 'next'), counted)).toBe(all.join('\n'));
    expect(asked).toBeLessThan(5);
    asked = 0;
    expect(await gatherCode(all[0]!, lines(all.slice(1)), counted)).toBe(all.join('\n'));
    expect(asked).toBeLessThan(5);
  });

  it('ends with the input', async () => {
    expect(await gathered('if (b) {', apart('a'))).toBe('if (b) {\na');
  });

  it('is given up with Ctrl-C', async () => {
    expect(await gathered('if (b) {', apart('a', INTERRUPT, 'x'))).toBeUndefined();
  });
});

const LINES = [
  'f(a)|if (a) {|}|} else {|g(|)|[1,|2];|a +|b;||const c = {|d: ")",|});|class A {|}|}'.split('|'),
  ['`', '`', '${', '`${a', '}`', 'it\'s ")', '/*', '*/', '// {', '/[}]/', "'}'", "'a\\"],
].flat();

function isWhole(code: string): boolean {
  try {
    return new Script(code) instanceof Script;
  } catch {
    return false;
  }
}

describe('trackCode', () => {
  it('judges any code line by line as it judges all of it at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 12 }),
        async ([first, ...rest]) => {
          const code = trackCode(first!, needsMore);
          for (const line of rest) {
            if (!(await code.isOpen())) return;
            code.add(line);
            // Of code that is wrong in any case it may be said later.
            if (isWhole(code.text)) expect(await code.isOpen()).toBe(await needsMore(code.text));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['`', '`a ${b} ', '/* a', 'if (a) {\n  b(`'])('knows that it breaks off in a text: %s', async (text) => {
    expect(await trackCode(text, needsMore).isOpenText()).toBe(true);
  });

  it.each(['if (a) {', 'f(', '1 +', '`${', '`${a'])('knows that it breaks off elsewhere: %s', async (text) => {
    expect(await trackCode(text, needsMore).isOpenText()).toBe(false);
  });
});

describe('isWayOut', () => {
  it.each(['/code', '/code ', '/help', '/help run', '/help source.read', '/exit', '/quit'])(
    'takes %j for a way out of open code',
    (line) => expect(isWayOut(line)).toBe(true),
  );

  it.each(['/code/.test(x)', '/ code', ' /code', '/code 1', '/read a', 'exit', '/help me/.test(x)', 'code'])(
    'takes %j for no way out of open code',
    (line) => expect(isWayOut(line)).toBe(false),
  );
});
