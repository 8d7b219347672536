import { describe, expect, it } from 'vitest';
import { isWayOut } from './way-out.ts';

describe('isWayOut', () => {
  it.each(['/code', '/code ', '/help', '/help run', '/help source.read', '/exit', '/quit'])(
    'takes %j for a way out of open code',
    (line) => expect(isWayOut(line)).toBe(true),
  );

  it.each(['/code/.test(x)', '/ code', ' /code', '/code 1', '/read a', 'exit', '/help me/.test(x)', 'code'])(
    'takes %j for no way out of open code',
    (line) => expect(isWayOut(line)).toBe(false),
  );
});
