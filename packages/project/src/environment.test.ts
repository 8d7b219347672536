import { describe, expect, it } from 'vitest';
import { createPieceMask, maskUrlPasswords } from './environment.ts';

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

describe('passwords in text that arrives in pieces', () => {
  it('are masked wherever it is cut, and all of the text is passed on', () => {
    const text = 'a postgres://u:pw@h/db, hunter2hunter2, :p, c0rrect h0rse, c0rrect, root:postgres1@x, hunter2';
    for (let size = 1; size < text.length; size++) {
      const maskPiece = createPieceMask(VARIABLES);
      const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs'))!.map((piece) => maskPiece(piece));
      expect([...pieces, maskPiece('', true)].join('')).toBe(mask(text));
    }
  });

  it('hold back only what may be the beginning of one', () => {
    const maskPiece = createPieceMask(VARIABLES);
    expect([maskPiece('ready on port 3000\n'), maskPiece('user:p'), maskPiece('m'), maskPiece('hunter2')]).toEqual([
      'ready on port 3000\n',
      'user',
      ':pm',
      '',
    ]);
    expect(maskPiece('', true)).toBe('hunter2');
    expect(createPieceMask({})('user:p')).toBe('user:p');
  });
});
