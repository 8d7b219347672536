import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOME, PLAN } from '../../test/open-tasks.ts';
import {
  COMPLETION,
  findMissingSections,
  mergeBody,
  parseBody,
  PLANNING,
  renderSectionTemplates,
} from './task-sections.ts';

const missing = (body: string) => findMissingSections(body, [...PLANNING, ...COMPLETION]);

describe('findMissingSections', () => {
  it('finds nothing missing in complete bodies', () => {
    expect(findMissingSections(PLAN, PLANNING)).toEqual([]);
    expect(findMissingSections(OUTCOME, COMPLETION)).toEqual([]);
    expect(missing(`Some text.\n${OUTCOME}\nmore\n${PLAN}`)).toEqual([]);
  });

  it('is content with its own template', () => {
    expect(missing(renderSectionTemplates([...PLANNING, ...COMPLETION]))).toEqual([]);
  });

  it.each([
    ['a name alone', 'The outcome was good.'],
    ['an open tag', '<outcome>'],
    ['an empty element', '<outcome></outcome>'],
    ['blanks', '<outcome> \n\t </outcome>'],
    ['other elements without text', '<outcome><b></b></outcome>'],
    ['a comment', '<!-- <outcome>good</outcome> -->'],
    ['a closing tag of something else', '<outcome>good</out>'],
    ['a longer name', '<outcomes>good</outcomes>'],
  ])('takes %s for no section', (_what, body) => {
    expect(findMissingSections(body, ['outcome'])).toEqual(['outcome']);
  });

  it.each([
    ['<OUTCOME>good</OUTCOME>'],
    ['<outcome kind="x">good</outcome>'],
    ['<task>\n<outcome>good</outcome>\n</task>'],
    ['<outcome>a < b, and <b>bold</b></outcome>'],
    ['<outcome>never closed <outcome>good</outcome>'],
  ])('takes %s for a section', (body) => {
    expect(findMissingSections(body, ['outcome'])).toEqual([]);
  });

  it('wants a claim with a risk and a finding with a source', () => {
    const assumptions = (inside: string) =>
      findMissingSections(`<assumptions>${inside}</assumptions>`, ['assumptions']);
    expect(assumptions('<claim risk="med">x</claim>')).toEqual([]);
    expect(assumptions("<claim risk='high'>x</claim>")).toEqual([]);
    for (const inside of ['x', '<claim>x</claim>', '<claim risk="big">x</claim>', '<claim risk="low"></claim>'])
      expect(assumptions(inside)).toEqual(['assumptions']);
    const research = (inside: string) =>
      findMissingSections(`<background_research>${inside}</background_research>`, ['background_research']);
    expect(research('<finding claim="a" source="b" verified="no">text</finding>')).toEqual([]);
    for (const inside of ['x', '<finding claim="a" verified="yes"/>', '<finding claim="a" source=" " verified="yes"/>'])
      expect(research(inside)).toEqual(['background_research']);
  });
});

describe('parseBody', () => {
  it('takes a body apart, whatever it is', () => {
    const piece = fc.constantFrom(
      '<outcome>',
      '</outcome>',
      '<!--',
      '-->',
      '<reasoning>',
      '</reasoning>',
      'x',
      '<',
      '>',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const body = pieces.join('');
        for (const { source, content } of parseBody(body).sections) {
          expect(body).toContain(source);
          expect(source).toContain(content);
        }
      }),
    );
  });

  it.each(['<outcome>', '<!--', '</outcome>', '<outcome ', '<'])(
    'reads a million characters of %s at once',
    (piece) => {
      parseBody(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    },
  );
});

describe('mergeBody', () => {
  it('replaces text by text', () => {
    expect(mergeBody('old', 'new')).toBe('new');
    expect(mergeBody('old', '')).toBe('');
    expect(mergeBody('', 'new\n\n<b>x</b>\n')).toBe('new\n\n<b>x</b>\n');
  });

  it('keeps the plan when an outcome is added', () => {
    const merged = mergeBody(`Make it fast.\n${PLAN}`, OUTCOME);
    expect(merged).toBe(`Make it fast.\n${PLAN}\n${OUTCOME}`);
  });

  it('replaces a section by its namesake, and text around sections by text', () => {
    const body = 'Text.\n<outcome>bad</outcome>\n<reasoning>why</reasoning>';
    expect(mergeBody(body, '<outcome>good</outcome>')).toBe(
      'Text.\n<reasoning>why</reasoning>\n<outcome>good</outcome>',
    );
    expect(mergeBody(body, 'Other.')).toBe('Other.\n<outcome>bad</outcome>\n<reasoning>why</reasoning>');
  });

  it('loses no section', () => {
    const body = fc
      .array(fc.constantFrom(...PLAN.split('\n'), ...OUTCOME.split('\n'), 'text'))
      .map((all) => all.join('\n'));
    const names = (text: string) => new Set(parseBody(text).sections.map(({ name }) => name));
    fc.assert(
      fc.property(body, body, (before, edit) => {
        expect(names(mergeBody(before, edit))).toEqual(names(`${before}${edit}`));
      }),
    );
  });
});

describe('renderSectionTemplates', () => {
  it('has a line for each section', () => {
    expect(renderSectionTemplates(['outcome', 'confidence'])).toBe(
      '<outcome>what came of it</outcome>\n<confidence>how sure this is, and why</confidence>',
    );
  });
});
