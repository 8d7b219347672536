import { ConfigurationError, ModelError } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { explainError } from './errors.ts';

describe('explainError', () => {
  it('gives the sentence of an error of ours, and all its hints', () => {
    const error = new ConfigurationError('there is no model to ask.', ['--model x', 'bae doctor']);
    expect(explainError(error, { debug: false })).toBe(
      'bae: there is no model to ask.\nTry: --model x, or bae doctor\n',
    );
  });

  it('always has something to try', () => {
    expect(explainError(new ModelError('x failed.'), { debug: false })).toBe('bae: x failed.\nTry: bae doctor\n');
    expect(explainError(new TypeError('x is not a function\nsecond line'), { debug: false })).toBe(
      'bae: TypeError: x is not a function\nTry: --debug shows the stack\n',
    );
  });

  it('shows the stack only when it is asked for', () => {
    const error = new TypeError('boom');
    expect(explainError(error, { debug: false })).not.toContain('    at ');
    expect(explainError(error, { debug: true })).toContain('    at ');
  });

  it('takes whatever was thrown', () => {
    expect(explainError('just text', { debug: false })).toBe('bae: just text\n');
    expect(explainError(undefined, { debug: false })).toBe('bae: undefined\n');
    expect(explainError({ message: 'no server' }, { debug: false })).toBe('bae: no server\n');
  });

  it('makes visible whatever would act on the terminal', () => {
    expect(explainError(new ModelError('\u001B[2J.'), { debug: true })).not.toContain('\u001B');
  });

  it('is not deceived by errors of the system that have a code too', () => {
    const error = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    expect(explainError(error, { debug: false })).toBe(
      'bae: Error: ENOSPC: no space left\nTry: --debug shows the stack\n',
    );
  });
});
