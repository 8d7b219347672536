import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { CommentedText } from './comments.ts';

/** The doc comment of what begins at the mark `|` of a text. */
function docAtMark(marked: string): string | undefined {
  const index = marked.indexOf('|');
  const text = marked.replace('|', '');
  const span = new CommentedText(text, parseSync('a.ts', text).comments).docBefore(index);
  return span && text.slice(span.start, span.end);
}

describe('the doc comment of a declaration', () => {
  it.each([
    ['/** Doc. */\n|const a = 1;', '/** Doc. */'],
    ['/** Doc. */ |const a = 1;', '/** Doc. */'],
    ['/** One. */\n/** Two. */\n|const a = 1;', '/** Two. */'],
    ['/** Doc. */\n// note\n/* note */\n|const a = 1;', '/** Doc. */'],
    ['/** Doc. */\n\n|const a = 1;', '/** Doc. */'],
    ['const b = 1; /** of b */\n|const a = 1;', undefined],
    ['/** Doc. */\nconst b = 1;\n|const a = 1;', undefined],
    ['/** @license MIT */\n|const a = 1;', undefined],
    ['/** @packageDocumentation */\n|const a = 1;', undefined],
    ['/*** not a doc */\n|const a = 1;', undefined],
    ['/**/\n|const a = 1;', undefined],
    ['|const a = 1;', undefined],
  ])('in %j', (text, doc) => {
    expect(docAtMark(text)).toBe(doc);
  });
});

describe('the comment at the top', () => {
  const top = (text: string) => {
    const span = new CommentedText(text, parseSync('a.ts', text).comments).topComment;
    return span && text.slice(span.start, span.end);
  };

  it.each([
    ['// One.\n// Two.\n\n// Three.\nconst a = 1;', '// One.\n// Two.'],
    ['/* All. */\nconst a = 1;', '/* All. */'],
    ['#!/usr/bin/env node\n// After the first line.\nconst a = 1;', '// After the first line.'],
    ['\uFEFF// Marked.\nconst a = 1;', '// Marked.'],
    ['// eslint-disable\nconst a = 1;', undefined],
    ['// @ts-nocheck\nconst a = 1;', undefined],
    ['/*! Copyright x */\nconst a = 1;', undefined],
    ['const a = 1; // behind', undefined],
    ['const a = 1;', undefined],
  ])('of %j', (text, comment) => {
    expect(top(text)).toBe(comment);
  });
});
