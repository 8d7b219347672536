import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const ODD = `export const a = 1, b = 2;
export const { c, d: [e] } = load();
export function over(one: string): void;
export function over(one: number): void;
export function over() {}
export class Box {
  size = 1;
  open() {}
}
export interface Box { lid: 1 }
`;
const open = () => openSource({ 'odd.ts': ODD });

describe('what stands in one declaration with others', () => {
  it.each([
    ['a', 'b'],
    ['b', 'a'],
    ['c', 'e'],
    ['e', 'c'],
  ])('is not deleted with them: %s', async (name, other) => {
    const { send, content } = open();
    expect(await send(`<E:odd.${name} delete=true></E>`)).toBe(
      `EditError: ${other} would be lost with it. Send what is to stay of the declaration, with rename=true. Nothing was changed.\nTry: <R:odd.${name}>, <E:odd.${name} rename=true>…</E>`,
    );
    expect(content('odd.ts')).toBe(ODD);
  });

  it('is not renamed without them', async () => {
    const { send, content } = open();
    expect(await send('<E:odd.c rename=true>\nexport const other = 1;\n</E>')).toBe(
      'EditError: e would be lost with it. Send all that is declared there. Nothing was changed.\nTry: <R:odd.c>',
    );
    expect(content('odd.ts')).toBe(ODD);
  });

  it('goes alone when the others are sent', async () => {
    const { send, content } = open();
    expect(await send('<E:odd.a rename=true>\nexport const b = 2;\n</E>')).toContain('Edited a in odd');
    expect(content('odd.ts')).toBe(ODD.replace('a = 1, ', ''));
  });
});

describe('what is part of a symbol', () => {
  it('goes with it: overloads, members, and all declarations of the name', async () => {
    const { send, content } = open();
    expect(await send('<E:odd.over delete=true></E>')).toContain('Deleted over in odd (3 lines)');
    expect(await send('<E:odd.Box delete=true></E>')).toContain('Deleted Box in odd (5 lines)');
    expect(content('odd.ts')).toBe(ODD.split('\n').slice(0, 2).join('\n') + '\n');
  });

  it('goes when the symbol gets another name', async () => {
    const { send, content } = openSource({ 'a.ts': 'export class Box {\n  size = 1;\n}\n' });
    expect(await send('<E:a.Box rename=true>\nexport class Crate {}\n</E>')).toContain('Edited Box in a');
    expect(content('a.ts')).toBe('export class Crate {}\n');
  });
});

it('a symbol is not deleted when a new text was sent for it', async () => {
  const { send, content } = open();
  expect(await send('<E:odd.Box delete=true>\nexport class Box {}\n</E>')).toBe(
    'EditError: delete=true takes no text, and one was sent for Box: send one of the two. Nothing was changed.\nTry: <E:odd.Box delete=true></E>, <E:odd.Box>…</E>',
  );
  expect(content('odd.ts')).toBe(ODD);
});
