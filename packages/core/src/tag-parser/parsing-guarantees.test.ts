import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from './parse.ts';
import { createTagParser } from './tag-parser.ts';

const KNOWN = { spaces: new Set(['source']), tools: new Set(['done', 'search']) };
const ESC = '\u001b';

const TAGS = `<R:a> <G:*.ts> <Grep:a<b>> <R:> <G:> </R> <R:a></R> <R:a @source() @up()
<W:a> <W:b> <W:> <W:a<b> <W:a>text </W> </W:a> </write> <W:a>x</W> <source.W:a> </source.W>
<E:a:1-2> <E:b> <E:> </E> </E:b> <E:a>x</E> <done:7> <Done:> </done> </done:7> <done:1>x</done>
<source.read:x> <other.read:x> <serach:foo> </serach> <raed:x> <run> </run> <run>x</run>
<tool_call> </tool_call> <tool_response> </tool_response> <tool_use/> <tool_use> </tool_use>
{"name":"Read","arguments":{"path":"a"}} {"name":"Write","arguments":{"path":"a","content":"<R:x>"}} {"name":`;
const FOREIGN = [
  '<function_calls>',
  '</function_calls>',
  '<invoke name="read">',
  '</invoke>',
  '<parameter name="path">',
  '</parameter>',
  '<function=read>',
  '<parameter=path>',
  '</function>',
  '[TOOL_CALLS]',
  '<|tool_call|>',
  '```tool_code',
  'read("a")',
  'Action: read',
  'Action Input: a',
  'Observation: x',
  '<read path="a"/>',
  '<read>',
  '<path>',
  '</path>',
  '</read>',
  '<think>',
  '</think>',
  '@nowhere()',
  '@nowhere',
  '@source',
  'go("source")',
  '<TOOLCALL>',
  '</TOOLCALL>',
  '<start_function_call>call:read{path:<escape>a<escape>}',
  '<end_function_call>',
  '✿FUNCTION✿: read ✿ARGS✿: {"path":"a"}',
  '<｜DSML｜invoke name="read">',
  '<E:a old="x',
  'y" new="z">',
  '<W:a b />',
  '{"path":"a"}',
];
const MARKS = ['```', '~~~', '````', '```js', '`', 'text', '- ', '> ', ' ', '\t', '\n', '\n\n', '\r\n', '\r', '\uFEFF'];
const CODES = [`]8;;Read:a${ESC}\\`, ']8;;\u0007', ']8;;W:q\u0007', '[31m', '[0m', ''].map((code) => ESC + code);
const FRAGMENTS = TAGS.split(/\s/).concat(FOREIGN, MARKS, CODES, [
  '<Grep:x y>',
  '<',
  '>',
  '"',
  '/',
  '[31m',
  ']8;;Read:z\u0007',
]);

const line = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 4 }).map((parts) => parts.join(''));
const text = fc
  .array(fc.oneof({ weight: 9, arbitrary: line }, fc.string()), { maxLength: 14 })
  .map((lines) => lines.join('\n'));
const bodyText = fc.oneof(text, fc.string({ unit: 'binary' }));

/** A text as the rules for line ends leave it. */
function withoutReturns(raw: string): string {
  return raw
    .split('\n')
    .map((one) => one.replace(/\r$/, ''))
    .join('\n');
}

/** A property of all texts: a short count of them is tried with every change, the whole count with `pnpm faults`. */
function holds(title: string, check: (numRuns: number) => void): void {
  it(title, () => check(300));
  it(`${title}, 1500 times`, { tags: ['long'] }, () => check(1500));
}

describe('parse', () => {
  holds('never throws, whatever the text', (numRuns) => {
    const anything = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 200 }));
    fc.assert(
      fc.property(anything, (raw) => {
        const { calls, problems } = parse(asModelText(raw), KNOWN);
        const lines = raw.split('\n').length;
        for (const { line } of [...calls, ...problems]) expect(line >= 1 && line <= lines).toBe(true);
      }),
      { numRuns },
    );
  });

  holds('finds nothing to execute in the prose it returns', (numRuns) => {
    fc.assert(
      fc.property(text, (raw) => {
        const { prose } = parse(asModelText(raw.replaceAll('\\', '')), KNOWN);
        const again = parse(asModelText(prose), KNOWN);
        expect(again).toMatchObject({ calls: [], runs: [] });
        expect(again.prose.replaceAll('\r', '')).toBe(prose.replaceAll('\r', ''));
      }),
      { numRuns },
    );
  });

  it.each([
    '<start_function_call>call:read{path:<escape>a<escape>}\n<|tool_call|><end_function_call>',
    '<TOOLCALL>\n<tool_use/>\n<source.W:a></TOOLCALL>',
  ])('removes also what looks executable once a line in it is removed: %j', (raw) => {
    const { prose } = parse(asModelText(raw), KNOWN);
    expect(parse(asModelText(prose), KNOWN)).toMatchObject({ calls: [], runs: [], prose });
  });

  it('does not take a tag and a closing tag left over for a document', () => {
    const { problems, prose } = parse(asModelText('<W:a>x</W>\n<tool_use/>\n</W:a>'), KNOWN);
    expect([problems.map(({ code }) => code), prose]).toEqual([['fabricated-output'], '']);
  });

  it('keeps a fence that a terminal code hides visible, so that what it hides stays prose', () => {
    const { prose } = parse(asModelText(`\`\`\`\`<R:a>${ESC}]8;;W:q\u0007\`\n<R:a>`), KNOWN);
    expect(parse(asModelText(prose), KNOWN).calls).toEqual([]);
  });

  it('does not return prose in which a terminal code hides the end of a block', () => {
    const { calls, prose, problems } = parse(asModelText(`before\n<read>\n${ESC}]8;;W:q\u0007</read>`), KNOWN);
    expect({ calls, prose }).toEqual({ calls: [], prose: 'before' });
    expect(problems).toMatchObject([{ line: 2, code: 'bad-tool-call' }]);
  });

  it.each(['<W:a>text\n<R:a></source.W>\n~~~\n<R:a></W:a>', '<W:a>text\n<W:b>\nx\n</W>\n~~~\nmore</W>'])(
    'leaves no closing tag in a fence to a tag before it: %j',
    (raw) => {
      const { prose } = parse(asModelText(raw), KNOWN);
      expect(prose).toContain('~~~');
      expect(parse(asModelText(prose), KNOWN)).toMatchObject({ calls: [], prose });
    },
  );

  holds('leaves no terminal code and no two blank lines in the prose', (numRuns) => {
    fc.assert(
      fc.property(text, (raw) => {
        const { prose } = parse(asModelText(raw), KNOWN);
        expect(prose).not.toContain(ESC);
        expect(prose).not.toMatch(/\n[ \t]*\n[ \t]*\n|^\s*\n|\n$/);
      }),
      { numRuns },
    );
  });

  holds('gives back every body as it was written', (numRuns) => {
    fc.assert(
      fc.property(bodyText, (raw) => {
        const body = withoutReturns(raw);
        fc.pre(
          !/<\/\s*(w|write|source\.w|source\.write):\s*["'`]?p\b/i.test(
            raw.replaceAll(ESC, '').replaceAll(/\[[0-9;]*m/g, ''),
          ),
        );
        const { calls } = parse(asModelText(`Hi\n<W:p>\n${raw}\n</W:p>\nbye`), KNOWN);
        expect(calls[0]).toMatchObject({ verb: 'write', arg: 'p', body, block: true });
        expect(calls).toHaveLength(1);
      }),
      { numRuns },
    );
  });

  holds('executes nothing that stands in a body', (numRuns) => {
    const names = fc.constantFrom('W', 'E', 'done', 'source.Write');
    fc.assert(
      fc.property(names, text, (name, inner) => {
        const { calls, runs } = parse(asModelText(`<${name}:outer>\n${inner}\n</${name}:outer>`), KNOWN);
        expect(calls[0]?.arg).toBe('outer');
        if (!/:\s*outer/.test(inner)) expect([calls.length, runs.length]).toEqual([1, 0]);
      }),
      { numRuns },
    );
  });

  holds('executes nothing that stands in a fence', (numRuns) => {
    const quiet = text.map((raw) => raw.replaceAll('~', ''));
    fc.assert(
      fc.property(quiet, (inner) => {
        const { calls, runs } = parse(asModelText(`~~~\n${inner}\n~~~\n<R:after>`), KNOWN);
        expect([calls.map(({ arg }) => arg), runs]).toEqual([['after'], []]);
      }),
      { numRuns },
    );
  });

  holds('executes no tag that stands in a run block', (numRuns) => {
    const quiet = text.map((raw) => raw.replaceAll(/<\/?run>/gi, '').replaceAll(ESC, ''));
    fc.assert(
      fc.property(quiet, (inner) => {
        const { calls, runs } = parse(asModelText(`<run>\n(${inner})\n</run>\n<R:after>`), KNOWN);
        expect(calls.map(({ arg }) => arg)).toEqual(['after']);
        expect(runs).toHaveLength(1);
      }),
      { numRuns },
    );
  });

  it('stops at a write that nothing closes', () => {
    const open = text.filter((raw) => !/<\/|W:/i.test(raw) && !raw.includes(ESC));
    fc.assert(
      fc.property(open, (rest) => {
        const result = parse(asModelText(`Hi\n<R:first>\n<W:x>\n${rest}`), KNOWN);
        expect(result).toMatchObject({ calls: [{ arg: 'first' }], runs: [], prose: 'Hi' });
        expect(result.problems).toMatchObject([{ code: 'unclosed-body', line: 3 }]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('createTagParser', () => {
  it('gives the same result for every way of cutting a text', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, sizes, (raw, steps) => {
        const parser = createTagParser(KNOWN);
        for (let at = 0, turn = 0; at < raw.length; turn++) {
          const size = steps[turn % steps.length]!;
          parser.feed(raw.slice(at, at + size));
          at += size;
        }
        expect(parser.end()).toEqual(parse(asModelText(raw), KNOWN));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a text of many lines', () => {
  const TEXTS = [
    ['writes that nothing closes', '<W:a>\n', ''],
    ['edits that nothing closes', '<E:a>\n', ''],
    ['run blocks that nothing closes', '<run>\n', ''],
    ['tool calls that nothing closes', '<tool_call>{"a":\n', ''],
    ['writes within writes', '<W:a>\n', '</W>\n'],
    ['run blocks with a tail', '<run>a</run> b\n', ''],
    ['blank lines', ' \n', ''],
    ['fences', '````\n```\n', ''],
    ['misspelt names', '<raed:x>\n', '</raed>\n'],
    ['one long line of tags', '<R:a> ', '<W:b>x</W> '],
    ['one long line of half tags', '<W:a>x</W', '</W:'],
    ['elements that nothing closes', '<read>\n', ''],
    ['elements within elements', '<read>\n<path>', '</path>\n'],
    ['invocations that nothing closes', '<invoke name="read">\n', '</parameter>\n'],
    ['parameters that nothing closes', '<function=read>\n<parameter=a>\n', '</parameter>\n'],
    ['tokens', '[TOOL_CALLS][{"name":"read"\n', ''],
    ['enclosures', '<TOOLCALL>call:x{\n', '}</TOOLCALL>\n'],
    ['enclosures that nothing closes', '<start_function_call>call:x{a:<escape>\n', ''],
    ['flowers', '✿FUNCTION✿: read\n', ''],
    ['places', '@source\n', ''],
    ['calls below blank lines', '<R:a>\n\n\n\n', ''],
    ['fences of tools', '```tool_code\n', ''],
    ['actions', 'Action: read\n', 'Action Input: {\n'],
    ['thoughts', '<think>\n', '</think>\n'],
    ['ends of thoughts', '</think>\n', ''],
    ['quotes that nothing closes', '<E:a old="x\n', ''],
    ['bodies that end behind their text', '<W:a>x\n', 'y</W>\n'],
    ['text behind closing tags', '<W:a>x\ny</W>\nz\n', ''],
    ['stars', `${'*'.repeat(50)}\n`, '- '],
    ['options', '<G:a> b=c=d=e=f=g=h=i=j=k=l=m=n=o=p=q=r=s=t=u=v"\n', 'a=b=c'],
    ['words', '- <b:x>\n', '`<R:a\n'],
    ['terminal codes', `${ESC}]8;;Read:a`, `${ESC}[1`],
  ] as const;
  const readAll = (raw: string, count: number) =>
    expect(parse(asModelText(raw), KNOWN).runs.length).toBeLessThanOrEqual(count);
  const nest = (count: number) => {
    const [call, ...others] = parse(asModelText('<W:a>\n'.repeat(count) + '</W>\n'.repeat(count))).calls;
    expect(others).toEqual([]);
    expect(call?.body?.length).toBe((count - 1) * ('<W:a>\n'.length + '</W>\n'.length) - 1);
  };

  it.each(TEXTS)('is read to the end: %s', (_, first, second) =>
    readAll(first.repeat(5000) + second.repeat(5000), 5000),
  );
  it.each(TEXTS)('is read to the end, 100,000 lines: %s', { tags: ['long'] }, (_, first, second) =>
    readAll(first.repeat(100_000) + second.repeat(100_000), 100_000),
  );

  it('may nest as deep as it likes', () => nest(5000));
  it('may nest as deep as it likes, 100,000 times', { tags: ['long'] }, () => nest(100_000));
});
