import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { explainListenFailure } from './listen-failure.ts';

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
