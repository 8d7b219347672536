// @module-tag long

import { describe, expect, it } from 'vitest';
import { openSource } from '../test/open-source.ts';
import { TSCONFIG } from '../test/temporary-project.ts';

const METHODS = Array.from(
  { length: 200 },
  (_, n) => `  /** Step ${n} of the long way. */\n  step${n}() {\n    return ${n};\n  }`,
);
const FILES = {
  'tsconfig.json': TSCONFIG,
  'src/big/way.ts': `export const SHORT = 1;\nexport class Way {\n${METHODS.join('\n')}\n}\n`,
  'src/big/index.ts': "export { SHORT } from './way.ts';\n",
  'src/big/way.test.ts': '',
  'src/long.ts': `export const LINE = '${'x'.repeat(5000)}';\n`,
  ...Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`src/many/module-${n}/value-of-it.ts`, `export const v${n} = 1;\n`])),
}; // prettier-ignore

describe('the tags in the result of a call from elsewhere', () => {
  it.each([
    ['R:many', '<source.R:many page=2>'],
    ['R:big', '<source.G:big.*.test>'],
    ['R:big.SHORT', '[declared at <source.R:big.way.SHORT>]'],
    ['R:big.way.Way', '<source.R:big.way.Way.step0>'],
    ['R:big.way:1-', '<source.R:big.way:'],
    ['R:long:1', '<source.R:long:2>'],
    ['R:big.wy', 'Try: <source.R:'],
    ['G:**', '<source.G:many.'],
    ['G:big.nothing*', '<source.G:big.**>'],
    ['Grep:export', '<source.Grep:export path=many>'],
    ['rename:big.way.Way to=Path', '<source.undo:>'],
    ['W:big.way', '<source.W:big.way overwrite=true>'],
    ['E:many.module-1.value-of-it.v1', '<source.R:'],
  ])('work there: <source.%s>', async (call, tag) => {
    const { send } = openSource(FILES);
    const [verb = ''] = call.split(':');
    const body = verb === 'W' || verb === 'E' ? `\nexport const wrong: string = 1;\n</source.${verb}>` : '';
    const result = await send(`<source.${call}>${body}`);
    expect(result).toContain(tag);
    expect(result).not.toMatch(/<(R|W|E|G|Grep|undo|references|diagnostics|rename):/);
  });
});
