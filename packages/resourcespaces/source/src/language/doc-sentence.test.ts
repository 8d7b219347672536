import { describe, expect, it } from 'vitest';
import { docSentence } from './doc-sentence.ts';

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
    expect(docSentence(comment)).toBe(sentence);
  });

  it('is found at once in a comment without an end', () => {
    expect(docSentence(`/** ${'{@link a'.repeat(200_000)}`).length).toBeLessThanOrEqual(120);
  });
});
