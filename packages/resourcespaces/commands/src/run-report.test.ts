import { expect, it } from 'vitest';
import { findMissingProgram, leaveOutNoise } from './run-report.ts';

it.each([
  ['> app@1.0.0 test\n> uv -v\n\nsh: 1: uv: not found\n', 'uv'],
  ['/bin/sh: 1: uv: not found', 'uv'],
  ['sh: line 1: ruff: command not found', 'ruff'],
  ['bash: line 12: g++: command not found', 'g++'],
  ['uv pip install -e .\nmake: uv: No such file or directory\nmake: *** [Makefile:23: test] Error 127', 'uv'],
  ['make[2]: uv: No such file or directory', 'uv'],
  [`'uv' is not recognized as an internal or external command,\r\noperable program or batch file.`, 'uv'],
  ['cat: notes.txt: No such file or directory', undefined],
  ['a.test.js: sh: 1: uv: not found', undefined],
  ['page not found', undefined],
])('finds in %j the program %j', (output, name) => {
  expect(findMissingProgram(output)).toBe(name);
});

const PYTEST = `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0
benchmark: 5.2.3 (defaults: timer=time.perf_counter)
rootdir: /tmp/py
configfile: pyproject.toml
plugins: hypothesis-6.155.2, benchmark-5.2.3
collected 3 items

tests/test_cart.py ..                                                    [ 66%]
tests/test_shop.py .                                                     [100%]

=============================== warnings summary ===============================
tests/test_shop.py::test_f
  /tmp/py/shop.py:1: UserWarning: old
======================== 3 passed, 1 warning in 1.77s ==========================
`;

it('leaves out of what pytest printed the lines that say nothing of the result, if all passed', () => {
  expect(leaveOutNoise(PYTEST, true).split('\n')).toEqual([
    '=============================== warnings summary ===============================',
    'tests/test_shop.py::test_f',
    '  /tmp/py/shop.py:1: UserWarning: old',
    '======================== 3 passed, 1 warning in 1.77s ==========================',
    '[without 9 lines about progress]',
  ]);
  expect(leaveOutNoise(PYTEST, false)).toBe(PYTEST);
  const other = PYTEST.replace(/^.*\n/, 'own words\n');
  expect(leaveOutNoise(other, true)).toBe(other);
});

it('leaves out the files that a formatter did not change', () => {
  const output = '> prettier -w .\n\nsrc/a.ts 120ms (unchanged)\nsrc/b c.ts 8ms\nREADME.md 3ms (unchanged)\n';
  const text = '> prettier -w .\n\nsrc/b c.ts 8ms\n\n[without 2 lines about unchanged files]';
  expect([true, false].map((hasPassed) => leaveOutNoise(output, hasPassed))).toEqual([text, text]);
  expect(leaveOutNoise('a.ts is (unchanged)', true)).toBe('a.ts is (unchanged)');
});
