import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { CommentedText, extractSentence } from './comments.ts';
import { typescriptOutline } from './typescript-outline.ts';
import { outlineNames } from '../../test/outline-names.ts';

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

const symbols = (text: string, path = 'a.js') => typescriptOutline.outline({ text, path }).symbols;
/** The name and the text of every type. */
const types = (text: string, path?: string) =>
  symbols(text, path)
    .filter(({ kind }) => kind === 'type')
    .map(({ name, declarations: [first] }) => [name, text.slice(first?.start, first?.end)]);

describe('types that a comment of JavaScript defines', () => {
  it.each([
    ['/** @typedef {string} Id */', 'Id'],
    ['/** @typedef {{ a: { b: 1 }, c: 2 }} Nested */', 'Nested'],
    ['/**\n * What is sold.\n *\n * @template T\n * @typedef {{\n *   price: T\n * }} Thing\n */', 'Thing'],
    ['/**\n * @typedef Size\n * @property {number} width\n */', 'Size'],
    ['/**\n * @typedef {object}\n *   Late\n */', 'Late'],
    ['/** @callback Listener\n * @param {string} text\n */', 'Listener'],
  ])('are symbols whose text is the comment: %j', (comment, name) => {
    expect(types(`${comment}\nconst a = 1;\n`)).toEqual([[name, comment]]);
  });

  it('stand where the comment does, and others can import them', () => {
    const text = 'import a from "a";\n/** @typedef {1} T */\nexport const b = a;\n/** @typedef {2} U */\n';
    expect(outlineNames(text, 'a.mjs')).toEqual(['imports import', 'type T +', 'constant b +', 'type U +']);
  });

  it('are several when one comment has several', () => {
    const comment = '/**\n * @typedef {1} One\n * @typedef {2} Two\n */';
    expect(types(comment)).toEqual([
      ['One', comment],
      ['Two', comment],
    ]);
  });

  it.each([
    ['/* @typedef {1} T */', 'a.js'],
    ['// @typedef {1} T', 'a.js'],
    ['/** @typedef {1} */', 'a.js'],
    ['/** @typedef {{ never closed T */\nconst a = "} U";', 'a.js'],
    ['/** @typedefs {1} T */', 'a.js'],
    ['/** @typedef {1 @typedef {2} T */', 'a.js'],
    ['/** @typedef {1} T */', 'a.ts'],
    ['/** @typedef {1} T */', 'a.tsx'],
  ])('are not there: %j in %s', (text, path) => {
    expect(types(text, path)).toEqual([]);
  });

  it.each([
    ['in comments of their own', '/** @typedef { */\n'.repeat(60_000)],
    ['one in the other', `/** ${'@typedef { '.repeat(60_000)} */`],
  ])('are looked for once, however many types are never closed: %s', (_where, text) => {
    expect(types(text)).toEqual([]);
  });

  it('give way to a declaration of the same name, and to the first of them', () => {
    expect(
      outlineNames('/** @typedef {1} T */\nclass T {}\n/** @typedef {1} U */\n/** @typedef {2} U */', 'a.js'),
    ).toEqual(['class T', 'type U +']);
  });
});
describe('the first sentence of a comment', () => {
  it.each([
    ['/** One. Two. */', 'One'],
    ['/** One, e.g. this one. Two. */', 'One, e.g. this one'],
    ['/**\n * Several\n * lines\n *\n * and a paragraph\n */', 'Several lines'],
    ['/**\n * What is it? This.\n */', 'What is it?'],
    ['// line one\n// goes on.', 'line one goes on'],
    ['/** Uses {@link Router.run | run} and {@linkcode X}. */', 'Uses Router.run and X'],
    ['/** Text\n * @param a not this\n */', 'Text'],
    ['/** @deprecated since 2 */', ''],
    ['/** @fileoverview The file. */', 'The file'],
    ['/** */', ''],
    ['', ''],
    [`/** ${'word '.repeat(40)}*/`, `${'word '.repeat(23)}word…`],
  ])('of %j', (comment, sentence) => {
    expect(extractSentence(comment)).toBe(sentence);
  });

  it('is found at once in a comment without an end', () => {
    expect(extractSentence(`/** ${'{@link a'.repeat(200_000)}`).length).toBeLessThanOrEqual(120);
  });
});
