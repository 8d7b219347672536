import { describe, expect, it } from 'vitest';
import { exampleValue } from './example-value.ts';

const text = (name: string, tool = 'any') => exampleValue({ name, type: 'string' }, tool);

describe('exampleValue', () => {
  it('prefers an example, then a default that says something', () => {
    expect(exampleValue({ name: 'x', type: 'string', example: 'e', default: 'd' }, 'any')).toBe('e');
    expect(exampleValue({ name: 'x', type: 'int', default: 0 }, 'any')).toBe(0);
    expect(exampleValue({ name: 'x', type: 'boolean', default: false }, 'any')).toBe(false);
    expect(exampleValue({ name: 'x', type: 'string[]', default: ['a'] }, 'any')).toEqual(['a']);
  });

  it.each([undefined, null, ''])('passes over the empty default %j', (value) => {
    expect(exampleValue({ name: 'x', type: 'string', default: value }, 'any')).toBe('text');
  });

  it('passes over empty lists and objects', () => {
    expect(exampleValue({ name: 'x', type: 'string[]', default: [] }, 'any')).toEqual(['one', 'two']);
    expect(exampleValue({ name: 'x', type: 'json', default: {} }, 'any')).toEqual({});
  });

  it.each([
    ['int', 1],
    ['number', 1],
    ['boolean', true],
    ['string[]', ['one', 'two']],
    ['json', {}],
    ['open|done', 'open'],
    ['only', 'only'],
    ['int|string', 1],
  ])('fits the type %s', (type, value) => {
    expect(exampleValue({ name: 'x', type }, 'any')).toEqual(value);
  });

  it.each([
    ['target', 'src/app.ts'],
    ['file_path', 'src/app.ts'],
    ['fileName', 'src/app.ts'],
    ['pattern', 'TODO'],
    ['searchQuery', 'TODO'],
    ['outputDir', 'src'],
    ['title', 'New title'],
    ['task_id', '1'],
    ['url', 'https://example.com'],
    ['dueDate', '2026-01-31'],
    ['username', 'main'],
    ['anything', 'text'],
  ])('fits the name %s', (name, value) => {
    expect(text(name)).toBe(value);
  });

  it('knows what the tools that search are given', () => {
    expect(text('pattern', 'glob')).toBe('src/**/*.ts');
    expect(text('path', 'grep')).toBe('src');
  });
});
