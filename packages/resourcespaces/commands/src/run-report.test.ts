import { expect, it } from 'vitest';
import { findMissingProgram } from './run-report.ts';

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
