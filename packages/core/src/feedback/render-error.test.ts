import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LineRangeError, ResourceError } from '../errors/call-errors.ts';
import { renderError } from './render-error.ts';

describe('renderError', () => {
  it('shows a bae error in full, with a line for each of its hints', () => {
    const error = new ResourceError("module 'nope' not found.\nIt was never there.", ['<G:*nope*>', 'source()']);
    expect(renderError(error)).toEqual({
      text: "ResourceError: module 'nope' not found.\nIt was never there.\nTry: <G:*nope*>\nTry: source()",
      errorType: 'ResourceError',
    });
  });

  it('leaves the line of hints out when there are none', () => {
    expect(renderError(new ResourceError('gone.')).text).toBe('ResourceError: gone.');
  });

  it('uses the name a bae error gives itself', () => {
    expect(renderError(new LineRangeError('a.py has 3 lines; asked for 10-20.'))).toEqual({
      text: 'RangeError: a.py has 3 lines; asked for 10-20.',
      errorType: 'RangeError',
    });
  });

  it('shows only the first line of any other error and keeps the stack apart', () => {
    const error = new TypeError('x is not a function\n    at somewhere');
    expect(renderError(error)).toEqual({
      text: 'TypeError: x is not a function',
      errorType: 'TypeError',
      stack: error.stack,
    });
  });

  it('names the class of an error that does not name itself', () => {
    class QuotaExceeded extends Error {}
    expect(renderError(new QuotaExceeded('too much')).text).toBe('QuotaExceeded: too much');
  });

  it.each([
    ['an error of another realm', runInNewContext('new RangeError("far away")'), 'RangeError: far away'],
    ['a platform exception', new DOMException('stopped', 'AbortError'), 'AbortError: stopped'],
    ['an error without a message', new TypeError(), 'TypeError: (no message)'],
    ['text', 'plain words\nand more', 'Error: plain words'],
    ['an object', { status: 404 }, 'Error: {"status":404}'],
    ['nothing', undefined, 'Error: undefined'],
    ['null', null, 'Error: null'],
    ['a symbol', Symbol('s'), 'Error: Symbol(s)'],
    ['a big integer in an object', { size: 1n }, 'Error: [object Object]'],
    ['an object without a prototype', { __proto__: null, name: '', message: 'bare' }, 'Error: bare'],
  ])('renders %s', (_kind, thrown, text) => {
    expect(renderError(thrown).text).toBe(text);
  });

  it('survives a value that throws when it is looked at', () => {
    const hostile = {
      get message(): string {
        throw new Error('ha');
      },
      name: 'Error',
    };
    expect(renderError(hostile).text).toBe('Error: (no message)');
  });
});
