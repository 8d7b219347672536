import { describe, expect, it } from 'vitest';
import { codeMember, codePath } from './code-path.ts';

describe('codePath', () => {
  it.each([
    ['source', 'source'],
    ['new', 'new_'],
    ['my-notes.old-ones.new', 'my_notes.old_ones.new'],
    ['a.2fa', 'a["2fa"]'],
  ])('writes %s as %s', (place, path) => {
    expect(codePath(place)).toBe(path);
  });
});

describe('codeMember', () => {
  it.each([
    ['read', '.read'],
    ['delete', '.delete'],
    ['slow-one', '.slow_one'],
    ['2-fa', '["2-fa"]'],
  ])('writes %s as %s', (name, member) => {
    expect(codeMember(name)).toBe(member);
  });
});
