import { asModelText, createAgent } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { INTERRUPT, lines } from '../../test/typed-lines.ts';
import { collectNames } from '../space-outline.ts';
import { gatherBody } from './gather-body.ts';

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

  it('gives an edit its body when the closer is there already', async () => {
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
