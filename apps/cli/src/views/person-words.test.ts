import { createAgent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { collectNames } from '../space-outline.ts';
import { moveEndBehind, toPersonWords } from './call-lines.ts';

const names = collectNames(createAgent({ home: sampleHome, spaces: sampleSpaces }).tree);
const asCall = { tag: '<read:nope>', verb: 'read' };
const asTag = { tag: '<R:nope>', verb: 'read' };

describe('toPersonWords', () => {
  it.each([
    ['nope does not exist.\nTry: <R:.>', asCall, 'nope does not exist.\nTry: read(".")'],
    ['nope does not exist.\nTry: <R:.>', asTag, 'nope does not exist.\nTry: <R:.>'],
    ['Try: <source.R:core>, or @tasks()', asCall, 'Try: source.read("core"), or @tasks()'],
    ['Try: <Grep:x path=src>', asCall, 'Try: <Grep:x path=src>'],
    ['write was not run: the user said no. Ask what to do instead.', asTag, 'write was not run: you said no.'],
    [
      'the user refused b.txt; that was not written. The rest was. Ask what to do instead.',
      asTag,
      'you refused b.txt; that was not written. The rest was.',
    ],
    [
      '.env may hold passwords: no tool writes it. Say what should be in it, so that the user can write it.',
      asTag,
      '.env may hold passwords: no tool writes it. You can write it in an editor of your own.',
    ],
  ])('rewrites %j', (text, call, said) => {
    expect(toPersonWords(text, call, names)).toBe(said);
  });
});

describe('moveEndBehind', () => {
  it.each([
    ['exit 0, 0.1 s\none\ntwo\n', 'one\ntwo\n'],
    ['exit 0, 0.1 s', ''],
    ['exit 2, 0.1 s\nno such file\n', 'no such file\nexit 2, 0.1 s'],
    ['killed, 9.0 s: it took longer than 9 s\none', 'one\nkilled, 9.0 s: it took longer than 9 s'],
    ['exit codes are numbers', 'exit codes are numbers'],
  ])('of %j leaves %j', (text, shown) => {
    expect(moveEndBehind(text)).toBe(shown);
  });
});
