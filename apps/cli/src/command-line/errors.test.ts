import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ConfigurationError, ModelError } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { explainError, explainListenFailure } from './errors.ts';

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

/** What is said when the system refuses to listen. */
async function listen(port: number, address = '127.0.0.1'): Promise<string> {
  const server = createServer();
  try {
    await once(server.listen(port, address), 'listening');
    return 'listens';
  } catch (error) {
    const { message, cause } = explainListenFailure(error as NodeJS.ErrnoException, { address, port, retry: 'bae x' });
    expect(cause).toBe(error);
    return message;
  } finally {
    server.close();
  }
}

it('says which of the reasons it was that a server cannot listen', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await listen(port)).toContain(`the port ${port} is taken.`);
  other.close();
  expect(await listen(99_999)).toContain('there is no port 99999: the last one is 65535.');
  expect(await listen(0, '192.0.2.1')).toContain('192.0.2.1 is no address of this machine.');
  expect(await listen(0, 'no.invalid')).toContain('no.invalid is no address of this machine.');
});

it.each([
  ['EACCES', 'the system does not let this user listen at port 80.'],
  ['EMFILE', 'cannot listen at 127.0.0.1, port 80: EMFILE.'],
])('explains %s', (code, text) => {
  const attempt = { address: '127.0.0.1', port: 80, retry: 'bae x' };
  expect(explainListenFailure(Object.assign(new Error('refused'), { code }), attempt).message).toContain(text);
});

it('leaves other errors alone', () => {
  const error = new Error('the table is missing');
  expect(explainListenFailure(error, { address: '127.0.0.1', port: 80, retry: 'bae x' })).toBe(error);
});
