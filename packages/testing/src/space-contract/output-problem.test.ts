import { expect, it } from 'vitest';
import { outputProblem } from './output-problem.ts';

it.each([
  [undefined, 'nothing, which reads (no output). Say what was done or found.'],
  [null, 'nothing, which reads (no output). Say what was done or found.'],
  ['', 'an empty text. Say that there is nothing.'],
  [{ text: ' ' }, 'an empty text. Say that there is nothing.'],
  [{ text: 'a', rows: 1.5 }, 'rows: 1.5. It is how many rows the whole answer has.'],
  [{ text: 'a', format: 'html' }, 'format: "html". There are markdown, code, plain.'],
  [
    { text: 'a', whole: 'all' },
    'whole as something else than a function. It is called when code asked, and gives the whole text.',
  ],
  [
    { text: 'a', row: 1 },
    'a text with the field row, so that all of it is shown as JSON. An answer has text, format, paged, whole, rows, hint, errors.',
  ],
])('complains of %j', (returned, problem) => {
  expect(outputProblem(returned)).toBe(problem);
});

it.each(['text', 0, true, [], { id: 7 }, { text: 7 }, { text: 'a', rows: 0, format: 'code', paged: true }])(
  'takes %j',
  (returned) => {
    expect(outputProblem(returned)).toBeUndefined();
    expect(outputProblem({ text: 'a', whole: () => 'all' })).toBeUndefined();
  },
);
