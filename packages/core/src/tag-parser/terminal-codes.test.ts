import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from './parse.ts';
import { stripTerminalCodes } from './terminal-codes.ts';

const ESC = '\u001b';
const BEL = '\u0007';
const ST = `${ESC}\\`;
const END = `${ESC}]8;;${BEL}`;

function link(address: string, terminator = BEL): string {
  return `${ESC}]8;;${address}${terminator}`;
}

describe('stripTerminalCodes', () => {
  it.each([
    ['colours', `${ESC}[1;31mred${ESC}[0m!`, 'red!', 'red!'],
    ['cursor codes', `a${ESC}[2Kb${ESC}[?25lc`, 'abc', 'abc'],
    ['a link to a call', `${link('Read:a.py')}text${END}`, '<Read:a.py>', 'text'],
    ['a link that is never closed', `${link('Grep:x')}text to the end`, '<Grep:x>', 'text to the end'],
    [
      'a link in running text',
      `see ${link('Grep:foo', ST)}here${ESC}]8;;${ST} for it`,
      'see <Grep:foo> for it',
      'see here for it',
    ],
    ['a link with parameters', `${ESC}]8;id=1;Glob:*.ts${ST}x`, '<Glob:*.ts>', 'x'],
    ['two links in a row', `${link('R:a')}x${link('R:b')}y${END}`, '<R:a><R:b>', 'xy'],
    ['another link', `${link('https://x.y')}text${END}`, 'text', 'text'],
    ['a link to no verb', `${link('Skill:x')}text${END}`, 'text', 'text'],
    ['other commands', `${ESC}]0;title${BEL}text`, 'text', 'text'],
    ['a command that never ends', `${ESC}]8;;Read:a`, ']8;;Read:a', ']8;;Read:a'],
    ['a code that never ends', `${ESC}[12`, '[12', '[12'],
    ['nested codes', `${ESC}[${ESC}[0m31mx`, '[31mx', '[31mx'],
    ['lone escapes', `${ESC}${ESC}a${ESC}`, 'a', 'a'],
  ])('removes %s', (_, line, detected, visible) => {
    expect(stripTerminalCodes(line)).toEqual({ detected, visible });
  });
});

describe('terminal codes in a text', () => {
  it.each([
    [`${ESC}]8;id=123;Glob:src/*.py${ST}\\`, ['glob src/*.py']],
    [`${link('Read:a.py')}<R:a.py>${END}`, ['read a.py']],
    [`${link('https://x')}<R:a.py>${END}`, ['read a.py']],
    [`${ESC}[32m<R:a.py>${ESC}[0m`, ['read a.py']],
    [`  ${link('edit:a.py:1-3')}a.py${END} `, ['edit a.py:1-3']],
    [`${link('R:a')}x${END} ${link('R:b')}y${END}`, ['read a', 'read b']],
    [`see ${link('Grep:foo')}here${END} for it`, []],
    [`- ${link('Grep:foo')}here${END}`, []],
  ])('leave the calls of %j', (text, calls) => {
    expect(parse(asModelText(text)).calls.map(({ verb, arg }) => `${verb} ${arg}`)).toEqual(calls);
  });

  it('stay in bodies and code', () => {
    const red = `${ESC}[31mred${ESC}[0m`;
    const text = `<W:a>\n${red}\n</W>\n<W:b>${red}</W>\n<run>\n"${red}"\n</run>`;
    expect(parse(asModelText(text))).toMatchObject({ calls: [{ body: red }, { body: red }], runs: [`"${red}"`] });
  });

  it('do not hide a closing tag', () => {
    const text = `<W:a>\nx\n${ESC}[0m</W>\n<run>\ny\n${ESC}[0m</run>\n\`\`\`\n<R:x>\n${ESC}[1m\`\`\`\n<R:b>`;
    expect(parse(asModelText(text))).toMatchObject({ calls: [{ body: 'x' }, { arg: 'b' }], runs: ['y'], problems: [] });
  });

  it('are removed from prose, in fences too', () => {
    const text = `a ${ESC}[1mb${ESC}[0m\n\`\`\`\n${ESC}[1mc\n\`\`\`\n\n${ESC}[0m\n\n${link('R:x')}d${END} e\n\\<${ESC}[1mR:f>`;
    expect(parse(asModelText(text)).prose).toBe('a b\n```\nc\n```\n\nd e\n<R:f>');
  });

  it('may stand within the closing tag of a run block', () => {
    const { runs, problems } = parse(asModelText(`<run>\nawait f();\n<${ESC}[0m/run>\n`));
    expect({ runs, problems }).toEqual({ runs: ['await f();'], problems: [] });
  });

  it('never bring a call into the prose', () => {
    const text = `${link('Read:a<b')}${END}<R:secret>\n\`\`\`\n${link('Read:a')}\`\`\`${END}\n<R:fenced>\n\`\`\``;
    const { calls, prose } = parse(asModelText(text));
    expect(calls).toEqual([]);
    expect(parse(asModelText(prose)).calls).toEqual([]);
  });
});
