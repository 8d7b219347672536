import { describe, expect, it } from 'vitest';
import { BaeError, formatErrorLine, ModelError, ResourceError } from './bae-error.ts';

describe('BaeError', () => {
  it('is shown under the name of its class, with code, hints and cause', () => {
    const cause = new Error('disk');
    const error = new ResourceError("module 'nope' not found.", ['<G:*nope*>'], cause);
    expect(String(error)).toBe("ResourceError: module 'nope' not found.");
    expect(error).toMatchObject({ code: 'BAE_RESOURCE', hints: ['<G:*nope*>'], cause });
  });

  it('is shown without the number that a bundler gives to classes of the same name', () => {
    const { ['StoreError$1']: Bundled } = { StoreError$1: class extends BaeError.withCode({ code: 'BAE_STORE' }) {} };
    expect(String(new Bundled('the disk is full.'))).toBe('StoreError: the disk is full.');
  });

  it('recognises errors of another copy of the package, and nothing else', () => {
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('bae.error'), { value: true });
    expect(BaeError.is(foreign)).toBe(true);
    expect(BaeError.is(new ResourceError('x'))).toBe(true);
    for (const other of [new Error('x'), null, undefined, 'ResourceError', {}]) expect(BaeError.is(other)).toBe(false);
  });

  it('knows of a model whether trying again may help', () => {
    expect(new ModelError('busy', { retryable: true, retryAfterMs: 5 })).toMatchObject({
      retryable: true,
      retryAfterMs: 5,
      hints: [],
    });
    expect(new ModelError('bad key').retryable).toBe(false);
  });
});

it('takes hints of code without types', () => {
  const hintsOf = (hints: unknown): unknown => new ResourceError('no.', hints as readonly string[]).hints;
  expect([hintsOf('<R:a>'), hintsOf({ hint: '<R:a>' }), hintsOf(['<R:a>', 5]), hintsOf(null)]).toEqual([
    ['<R:a>'],
    [],
    ['<R:a>'],
    [],
  ]);
});

describe('errorLine', () => {
  it('names the class and puts the message on one line', () => {
    expect(formatErrorLine(new TypeError('x is\n  not a function'))).toBe('TypeError: x is not a function');
    expect(formatErrorLine(new ResourceError('no task 7.'))).toBe('ResourceError: no task 7.');
  });

  it('takes whatever was thrown', () => {
    expect(formatErrorLine('disk is full')).toBe('Error: disk is full');
    expect(formatErrorLine(undefined)).toBe('Error: undefined');
    expect(formatErrorLine(Object.create(null))).toBe('Error: an unreadable value was thrown');
  });

  it('cuts a long message between characters', () => {
    const line = formatErrorLine(new Error('😀'.repeat(500)));
    expect(Array.from(line)).toHaveLength(160);
    expect(line.endsWith('😀…')).toBe(true);
    // Of a message of any length, only its beginning is read.
    expect(formatErrorLine(new Error(`a${' '.repeat(20_000)}b`))).toBe('Error: a');
  });
});
