// @module-tag long

import { describe, expect, it } from 'vitest';
import { open } from '../test/open-server.ts';

describe('the resources of a server', () => {
  it('are listed with the patterns of others, and read', async () => {
    const { run } = await open();
    const list = await run('@box()\n<box.resources.R:>');
    expect(list).toContain('memo://one -- The first memo.\nfile:///notes/today.md -- today\n');
    expect(list).toMatch(/memo:\/\/\{name\} -- Any memo\.$/);
    expect(await run('<box.resources.R:memo://one>')).toBe('memo of memo://one');
    expect(await run('<box.resources.R:today>')).toBe('Buy milk\nCall Ada\n');
    expect(await run('<box.resources.R:memo://other>')).toBe('memo of memo://other');
    expect(await run('<box.resources.R:sun>')).toBe('[image result:1: sun.png, image/png, 3 bytes]');
    expect(await run('<box.resources.R:nothing>')).toMatch(/no resource nothing\.\nTry: <box\.resources\.R:/);
  });

  it('are found by patterns of their addresses, with and without the scheme', async () => {
    const { run } = await open();
    await run('@box.resources()');
    const notes = 'file:///notes/today.md\nfile:///notes/old/first.md';
    expect(await run('<G:**/*.md>')).toBe(notes);
    expect(await run('<G:file:///notes/**>')).toBe(notes);
    expect(await run('<G:notes/*.md>')).toBe('file:///notes/today.md');
    expect(await run('<G:memo://*>')).toBe('memo://one\nmemo://gone');
    expect(await run('<G:*.txt>')).toBe('(no matches)\n5 resources: <R:>');
    expect(await run('<G:[>')).toBe('(no matches)\n5 resources: <R:>');
  });

  it('are searched, all or those that fit a pattern; what cannot be read is named', async () => {
    const { run } = await open();
    await run('@box.resources()');
    const lines = 'file:///notes/old/first.md:1: Call Bob\nfile:///notes/today.md:2: Call Ada';
    expect(await run('<Grep:^Call>')).toMatch(new RegExp(`^${lines}\nnot read: memo://gone \\(.*it is gone.*\\)$`));
    expect(await run('<Grep:^Call path=notes/*>')).toBe('file:///notes/today.md:2: Call Ada');
    expect(await run('<Grep:(?i)MEMO path=memo://one>')).toBe('memo://one:1: memo of memo://one');
    expect(await run('<Grep:nothing path=**/*.md>')).toBe('(no matches)\nsearched 2 resources');
    expect(await run('<Grep:Call path=memo://on>')).toContain('Try: <Grep:Call path=memo://one>');
    expect(await run('<Grep:(>')).toContain('PatternError');
    expect(await run('<Grep:(x+)+$>')).toContain('(no matches)');
  });
});
