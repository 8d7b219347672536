import { describe, expect, it } from 'vitest';
import { maskUrlPasswords } from './url-passwords.ts';

const VARIABLES = {
  DATABASE_URL: 'postgres://u:pw@h/db',
  QUEUE: 'amqps://app:c0rrect%20h0rse@mq.example:5671/v,redis://:hunter2hunter2@cache:6379',
  COMMON: 'mysql://root:postgres1@localhost/db',
  OTHER: 'https://example.org/a:b@c',
};
const mask = (text: string) => maskUrlPasswords(text, VARIABLES);

describe('passwords in URLs of the environment', () => {
  it.each([
    ['postgres://u:pw@h/db', 'postgres://u:‹masked password›@h/db'],
    ['at pw, a pwd', 'at pw, a pwd'],
    ['redis://:hunter2hunter2@cache:6379', 'redis://:‹masked password›@cache:6379'],
    ['with hunter2hunter2 alone', 'with ‹masked password› alone'],
    ['c0rrect%20h0rse, and c0rrect h0rse', '‹masked password›, and ‹masked password›'],
    ['mysql://root:postgres1@localhost, postgres1', 'mysql://root:‹masked password›@localhost, postgres1'],
    ['https://example.org/a:b@c', 'https://example.org/a:b@c'],
    ['postgres://u:other@h/db', 'postgres://u:other@h/db'],
  ])('are masked, and nothing else: %s', (text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  it('leave a text alone when there are none', () => {
    expect(maskUrlPasswords('postgres://u:pw@h/db', { HOME: '/root', A: '%', B: undefined })).toBe(
      'postgres://u:pw@h/db',
    );
    expect(maskUrlPasswords(':%zz@', { A: 'x://u:%zz@h' })).toBe(':‹masked password›@');
  });
});
