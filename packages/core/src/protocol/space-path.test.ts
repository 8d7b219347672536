import { describe, expect, it } from 'vitest';
import { formatBreadcrumb, formatSpacePath, parsePath } from './space-path.ts';

describe('parsePath', () => {
  it.each([
    ['source', ['source']],
    ['source.meta', ['source', 'meta']],
    ['@source.meta()', ['source', 'meta']],
    [' source . meta ', ['source', 'meta']],
    ['source().meta()', ['source', 'meta']],
  ])('reads %j', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it('leaves out a leading home', () => {
    expect(parsePath('home')).toEqual([]);
    expect(parsePath('home.source')).toEqual(['source']);
    expect(parsePath('source.home')).toEqual(['source', 'home']);
  });

  it('keeps empty names, which are nowhere', () => {
    expect(parsePath('')).toEqual(['']);
    expect(parsePath('source..meta')).toEqual(['source', '', 'meta']);
  });
});

describe('a printed path', () => {
  it('is dotted as an address', () => {
    expect(formatSpacePath([])).toBe('home');
    expect(formatSpacePath(['source', 'meta'])).toBe('source.meta');
  });

  it('is a breadcrumb on display', () => {
    expect(formatBreadcrumb([])).toBe('home');
    expect(formatBreadcrumb(['source', 'meta'])).toBe('home > source > meta');
  });
});
