import { describe, expect, it } from 'vitest';
import { compilePattern } from './schema-document.ts';
import { samplePattern } from './sample-text.ts';

describe('samplePattern', () => {
  it.each([
    ['^[A-Z]+-\\d+$', 'A-1'],
    ['^[^/]+/[^/]+$', 'a/a'],
    ['^\\d{4}-\\d{2}-\\d{2}(?:T.*)?$', '1111-11-11'],
    ['^(?:asc|desc)$', 'asc'],
    ['^https?://(?<host>[\\w.]+)/?$', 'http://a'],
    ['^[a-z][a-z0-9_]*$', 'a'],
    ['^\\p{Lu}{2,}$', 'AA'],
    ['', ''],
  ])('makes a text that matches %s', (pattern, text) => {
    const samples = samplePattern(pattern);
    expect(samples[0]).toBe(text);
    for (const sample of samples) expect(compilePattern(pattern)!(sample)).toBe(true);
  });

  it('makes none for what it does not know', () => {
    for (const pattern of ['(?=a)b', '(', 'a)', '[', 'a{2', '\\1', '(a'.repeat(100)])
      expect(samplePattern(pattern)).toEqual([]);
  });

  it('makes short texts', () => {
    for (const sample of samplePattern('^(?:a{1000}){1000}$')) expect(sample.length).toBeLessThanOrEqual(10_000);
  });
});
