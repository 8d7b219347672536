import { describe, expect, it } from 'vitest';
import { nearName } from './near-name.ts';

const NAMES = ['read', 'write', 'grep', 'now', 'remove', 'source', 'my_notes', 'home', 'back', 'up', 'nav'];

describe('nearName', () => {
  it.each([
    ['raed', 'read'],
    ['erad', 'read'],
    ['reads', 'read'],
    ['ead', 'read'],
    ['Read', 'read'],
    ['wirte', 'write'],
    ['rmovee', 'remove'],
    ['sorucee', 'source'],
    ['rem', 'remove'],
    ['readFile', 'read'],
    ['grep_all', 'grep'],
  ])('takes %s for %s', (name, near) => {
    expect(nearName(name, NAMES)).toBe(near);
  });

  it.each(['bad', 'keep', 'one', 'head', 'row', 'p', 'result', 'sleep', 'list', 'x'.repeat(500)])(
    'takes %.20s for nothing else',
    (name) => {
      expect(nearName(name, NAMES)).toBeUndefined();
    },
  );
});
