import { describe, expect, it } from 'vitest';
import { structuralPruner } from './structural-pruner.ts';

const cutLog = (lines: readonly string[], succeeded = false): string =>
  structuralPruner.prune(lines.join('\n'), { format: 'log', ref: 'result:1', succeeded }).text;
const repeat = (count: number, render: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => render(index));

/** A failure in pytest whose error was raised deep inside the program. */
const failure = (name: string, error: string) => [
  `____________ ${name} ____________`,
  '',
  "client = <FlaskClient <Flask 'app'>>",
  '',
  `    def ${name}(client):`,
  `>       rv = client.get("/${name}")`,
  '             ^^^^^^^^^^^^^^^^^^^^^^',
  '',
  'tests/test_app.py:44: ',
  '_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _',
  ...repeat(30, (index) => `src/app/layer.py:${index + 100}: in handle_error\n    return self.next(request)`),
  '>       raise problem',
  ...error.split('\n').map((line) => `E       ${line}`),
  '',
  `src/app/core.py:1319: ${/^\w+/.exec(error)![0]}`,
  '------------ Captured log call ------------',
  'ERROR    app:core.py:962 Exception on / [GET]',
  'Traceback (most recent call last):',
  ...repeat(20, (index) => `  File "/src/app/layer.py", line ${index + 100}, in handle_error`),
];
const START = [
  '============ test session starts ============',
  'platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0',
  'configfile: pyproject.toml',
  ...repeat(20, (index) => `tests/test_${index}.py ....F....                                    [ ${index}%]`),
  '',
  '============ FAILURES ============',
];

describe('a report of pytest that is cut', () => {
  it('shows of each kind of error the line of the test, the error, and where it was raised; then all names', () => {
    const names = ['test_get', 'test_post', 'test_put', 'test_json'];
    const errors = ["AttributeError: 'Flask' object has no attribute 'klass'", 'ValueError: no such mode'];
    const shown = cutLog([
      ...START,
      ...names.flatMap((name, index) => failure(name, errors[index === 3 ? 1 : 0]!)),
      '============ short test summary info ============',
      ...names.map((name) => `FAILED tests/test_app.py::${name} - AttributeError: 'Fl...`),
      '============ 4 failed, 180 passed in 3.35s ============',
    ]);
    for (const line of [
      '>       rv = client.get("/test_get")',
      'tests/test_app.py:44: ',
      `E  ${errors[0]}`,
      'src/app/core.py:1319: AttributeError',
      '>       rv = client.get("/test_json")',
      `E  ${errors[1]}`,
      'src/app/core.py:1319: ValueError',
      '4 failed, 180 passed',
      ...names.map((name) => `FAILED tests/test_app.py::${name}`),
    ])
      expect(shown).toContain(line);
    expect(shown.match(/has no attribute/g)).toHaveLength(1);
    expect(shown).not.toContain('pyproject.toml');
  });

  it('shows the whole statement that failed', () => {
    const statement = [
      '>       assert (',
      '            bool',
      '            is find(',
      '                type',
      '            )',
      '        )',
    ];
    const shown = cutLog([
      ...START,
      '____________ test_get ____________',
      ...repeat(60, (index) => `        step(${index})`),
      ...statement,
      'E       AssertionError: assert bool is None',
      ...repeat(30, (index) => `E        +  where None = get_${index}()`),
      '',
      'tests/test_app.py:44: AssertionError',
      '============ 1 failed in 2.68s ============',
    ]);
    expect(shown).toContain(statement.join('\n'));
    expect(shown).toContain('E  AssertionError: assert bool is None');
  });

  it('shows of a short report the code below each place', () => {
    const short = [
      '____________ test_get ____________',
      'tests/test_app.py:44: in test_get',
      '    rv = client.get("/")',
      ...repeat(60, (index) => `/usr/lib/site-packages/web/app.py:${index}: in open\n    return self.run(*args)`),
      'src/app/core.py:1319: in respond',
      '    rv = self.klass(data)',
      "E   AttributeError: no 'klass'",
    ];
    const shown = cutLog([...START, ...short, '============ 1 failed in 2.68s ============']);
    expect(shown).toContain('tests/test_app.py:44: in test_get\n    rv = client.get("/")');
    expect(shown).toContain('src/app/core.py:1319: in respond\n    rv = self.klass(data)');
    expect(shown).toContain("E  AttributeError: no 'klass'");
  });

  it('shows the first error of many kinds, and where the first was raised', () => {
    const errors = repeat(
      11,
      (index) =>
        `AssertionError: ${'abcdefghijklm'[index]!.repeat(8)} is not one of the modes ${'that are known '.repeat(4)}`,
    );
    const shown = cutLog([
      ...START,
      ...errors.flatMap((error, index) => failure(`test_${'abcdefghijklm'[index]!}`, error)),
      ...repeat(40, (index) => failure(`test_again_${index}`, errors[0]!).join('\n')),
      '============ short test summary info ============',
      ...repeat(49, (index) => `FAILED tests/test_app.py::test_again_${index} - AssertionError...`),
      '============ 49 failed in 9.35s ============',
    ]);
    for (const error of errors) expect(shown).toContain(`E  ${error.slice(0, 30)}`);
    expect(shown).toContain('>       rv = client.get("/test_a")');
    expect(shown).toContain('src/app/core.py:1319: AssertionError');
    expect(shown).toContain('FAILED tests/test_app.py::test_again_0');
  });

  it('keeps what stands before it about why it may have failed only here', () => {
    const names = repeat(
      15,
      (index) => `FAILED tests/entrypoints/test_not_configured.py::test_on_first_run_from_shell_${index}`,
    );
    const errors = ['a', 'b', 'c', 'd', 'e'].map(
      (name) => `E   OSError: [Errno 30] Read-only file system: '/root/.config/${name}'`,
    );
    const shown = cutLog([
      'FAILED pytest (exit 1, 12.9 s)',
      'ran with Node 20.19.5; package.json asks for >=24',
      'limit: it could write only the workspace without protected files and, until the session ends, /tmp',
      ...START,
      ...errors,
      '============ short test summary info ============',
      ...names,
      '============ 15 failed, 1790 passed in 10.51s ============',
    ]);
    expect(shown).toContain('ran with Node 20.19.5; package.json asks for >=24');
    expect(shown).toContain('limit: it could write only the workspace');
  });

  it('shows why pytest itself failed', () => {
    const inside = (error: string) => [
      ...repeat(40, (index) => `INTERNALERROR>   File "/lib/pluggy/_callers.py", line ${index}, in _multicall`),
      ...repeat(
        60,
        (index) => `INTERNALERROR>     result_${'abcdefghij'[index % 10]!.repeat(1 + index)} = (yield).get()`,
      ),
      `INTERNALERROR> ${error}`,
    ];
    const shown = cutLog([...START.slice(0, 3), ...inside('SystemError: recursion depth mismatch'), 'no tests ran']);
    expect(shown).toContain('SystemError: recursion depth mismatch');
  });
});

describe('a report of vitest that is cut', () => {
  const verdicts = repeat(60, (index) => ` ✓ tests/unit-${index}.test.js (12 tests) 8ms`);
  const failed = (name: string) => [`   × cart > ${name} 20ms`, '     → expected 3 to be 4 // Object.is equality'];
  const listed = (name: string, line: number) => [
    ` FAIL  tests/cart.test.js > cart > ${name}`,
    `AssertionError: expected ${line} to be 4 // Object.is equality`,
    '',
    '- Expected',
    '+ Received',
    '',
    '- 4',
    `+ ${line}`,
    '',
    ' ❯ assertSum node_modules/some-library/index.js:3:5',
    ` ❯ tests/cart.test.js:${line}:45`,
    ...repeat(4, (index) => `    ${index + line - 2}| const part${index} = sum(items);`),
    '       |                    ^',
    '',
    `⎯⎯⎯⎯⎯⎯⎯⎯[${line}/3]⎯`,
    '',
  ];
  const names = ['adds', 'removes', 'sums'];

  it('names each failed test once, with its error, its values and its place', () => {
    const shown = cutLog([
      ' RUN  v5.1.0 /repo',
      ...verdicts,
      ' ❯ tests/cart.test.js (52 tests | 3 failed) 90ms',
      ...names.flatMap(failed),
      ...verdicts,
      '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 3 ⎯⎯⎯⎯⎯⎯⎯',
      '',
      ...names.flatMap((name, index) => listed(name, index + 1)),
      ' Test Files  1 failed | 60 passed (61)',
      '      Tests  3 failed | 720 passed (723)',
    ]);
    for (const [index, name] of names.entries()) {
      expect(shown.split(`cart > ${name}`)).toHaveLength(2);
      expect(shown).toContain(`expected ${index + 1} to be 4`);
      expect(shown).toContain(`\n+ ${index + 1}\n`);
      expect(shown).toContain(`❯ tests/cart.test.js:${index + 1}:45`);
    }
    expect(shown).not.toContain('(52 tests');
  });
});

describe('a report of tests that all passed', () => {
  it('has no titles of them', () => {
    const shown = cutLog(
      [
        ...repeat(80, (index) => `  part ${'ab'[index % 2]!.repeat(9)}\n    ✔ should read the text of ${index}`),
        '  defaultType',
        '    ✔ should be text/plain (13ms)',
        '',
        '  160 passing (2s)',
      ],
      true,
    );
    expect(shown).toContain('160 passing');
    expect(shown).not.toContain('defaultType');
  });
});
