import { expect, it } from 'vitest';
import type { CheckReport } from '@bae/testing';
import { renderCheck, renderScore } from './conformance.ts';

const plain = (_style: string, text: string): string => text;

it.each<readonly [CheckReport, readonly string[]]>([
  [{ name: 'prints nothing', status: 'passed' }, ['✓ prints nothing']],
  [
    { name: 'prints nothing', status: 'failed', complaints: ['it prints "a".', 'it prints \u001B[31mb.'] },
    ['✗ prints nothing', '    it prints "a".', expect.not.stringContaining('\u001B')],
  ],
  [
    { name: 'finds what there is', status: 'not-run', add: 'samples.grep.matches' },
    ['? finds what there is', '    not tried; to try it, give samples.grep.matches'],
  ],
  [
    { name: 'prints nothing', status: 'skipped', reason: 'it is a log' },
    ['- prints nothing', '    left out: it is a log'],
  ],
  [{ name: 'finds what there is', status: 'not-applicable' }, []],
  [{ name: 'finds what there is', status: 'not-opened' }, []],
])('shows %j', (check, lines) => {
  expect(renderCheck(check, plain)).toEqual(lines);
});

it('rounds a score down, so that only a whole one is 100 %', () => {
  const failed: CheckReport = { name: 'x', status: 'failed', complaints: [] };
  expect(renderScore({ checks: [failed], score: { passed: 399, of: 400 } })).toBe('399 of 400 (99 %); 1 failed');
  expect(renderScore({ checks: [], score: { passed: 28, of: 28 } })).toBe('28 of 28 (100 %)');
  expect(renderScore({ checks: [], score: { passed: 0, of: 0 } })).toBe('0 of 0 (100 %)');
});
