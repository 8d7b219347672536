import { expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

it('a kept text is searched with the expressions of searches in files', async () => {
  const home = openHome();
  // A text whose tag is not closed is kept.
  await home.send('<W:a.log>\nError a1\nerror b22\nok\nerr c3\n');
  const search = async (call: string) => (await home.send(call))[0];
  expect(await search(String.raw`<Grep:(?i)err.*(a|b)\d+$ in=result:1>`)).toBe(
    'result:1:1: Error a1\nresult:1:2: error b22',
  );
  expect(await search(String.raw`<Grep:"error b\d" path=result:1:2-9>`)).toBe('result:1:2: error b22');
  expect(await search('<Grep:b(?=2) in=result:1>')).toMatch(
    /^PatternError: look-around at 1 is not supported.*\nTry: <Grep:\w+ in=result:1>$/,
  );
  expect(await search('<Grep:[ in=result:1>')).toBe(
    String.raw`PatternError: unterminated character class at 0. Quote or escape it.` +
      '\n' +
      String.raw`Try: <Grep:\[ in=result:1>`,
  );
  expect(await search('<Grep:nothing in=result:1>')).toBe('(no matches)\nsearched 4 lines of result:1');
});
