import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';
import { CompilerSession, LanguageServer } from './compiler-session.ts';
import { FILE_CHANGED, FILE_CREATED } from './module-files.ts';

const NEVER = new AbortController().signal;

describe('LanguageServer', () => {
  it('responds to requests until it is disposed', async () => {
    const server = await LanguageServer.start(new TemporaryProject().folder, NEVER);
    expect(server.isRunning).toBe(true);
    await expect(server.request('no/such/question', {}, NEVER)).rejects.toMatchObject({ problem: 'refused' });
    await server[Symbol.asyncDispose]();
    expect(server.isRunning).toBe(false);
    await expect(server.request('textDocument/hover', {}, NEVER)).rejects.toMatchObject({
      problem: 'stopped',
      message: 'the TypeScript compiler stopped: it was closed',
    });
  });

  it('reports how it ended', async () => {
    await using server = await LanguageServer.start(new TemporaryProject().folder, NEVER);
    const result = server.request('custom/projectInfo', { textDocument: { uri: 'file:///x.ts' } }, NEVER);
    process.kill(server.pid as number, 'SIGKILL');
    await expect(result).rejects.toThrow(/the TypeScript compiler stopped: SIGKILL|no project/);
    await expect.poll(() => server.isRunning).toBe(false);
  });

  it('does not start after an abort, or in a folder that does not exist', async () => {
    const { folder } = new TemporaryProject();
    await expect(LanguageServer.start(folder, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    await expect(LanguageServer.start(`${folder}/none`, NEVER)).rejects.toMatchObject({ problem: 'stopped' });
  });
});

describe('the wire of a LanguageServer', () => {
  it('gives each request its response, in whatever order they come', async () => {
    const { server, sent, receive } = connect();
    const responses = Promise.all([server.request('one', { a: 1 }, NEVER), server.request('two', {}, NEVER)]);
    expect(await sent(2)).toMatchObject([
      { jsonrpc: '2.0', method: 'one', params: { a: 1 } },
      { jsonrpc: '2.0', method: 'two', params: {} },
    ]);
    receive({ id: 1, result: 'second' });
    receive({ id: 0, result: 'first' });
    expect(await responses).toEqual(['first', 'second']);
  });

  it('fails a request whose response is an error', async () => {
    const { server, receive } = connect();
    const response = server.request('one', {}, NEVER);
    receive({ id: 0, error: { code: -1, message: 'no project' } });
    await expect(response).rejects.toMatchObject({ problem: 'refused', message: 'no project', cause: { code: -1 } });
  });

  it('responds to requests of the server, and takes its notifications without a response', async () => {
    const { sent, receive } = connect();
    receive({ method: 'window/logMessage', params: {} });
    receive({ id: 7, method: 'workspace/configuration', params: { items: [{}] } });
    receive({ id: 8, method: 'client/registerCapability', params: {} });
    receive({ id: 99, result: 'to nothing' });
    expect(await sent(2)).toMatchObject([
      { jsonrpc: '2.0', id: 7, result: [{ disableAutomaticTypeAcquisition: true }] },
      { jsonrpc: '2.0', id: 8, result: null },
    ]);
  });

  it('cancels a request, and stops waiting, when the signal aborts', async () => {
    const { server, sent, receive } = connect();
    const stop = new AbortController();
    const response = server.request('one', {}, stop.signal);
    await sent(1);
    stop.abort(new Error('enough'));
    await expect(response).rejects.toThrow('enough');
    expect((await sent(2))[1]).toEqual({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 0 } });
    receive({ id: 0, result: 'too late' });
    await expect(server.request('two', {}, stop.signal)).rejects.toThrow('enough');
    server.notify('last', {});
    expect((await sent(3))[2]).toMatchObject({ method: 'last' });
  });

  it('sends nothing more when the process ended', async () => {
    const { server, child, sent } = connect();
    const stop = new AbortController();
    const response = server.request('one', {}, stop.signal);
    await sent(1);
    child.kill('SIGTERM');
    await expect(response).rejects.toThrow('stopped: SIGTERM');
    await expect(server.request('two', {}, NEVER)).rejects.toThrow('stopped: SIGTERM');
    server.notify('three', {});
    stop.abort();
    await new Promise(setImmediate);
    expect(await sent(1)).toHaveLength(1);
  });

  it.each([
    ['writes something else', ({ stdout }: FakeProcess) => stdout.write('panic: out of memory\r\n\r\n')],
    ['writes no JSON', ({ stdout }: FakeProcess) => stdout.write('Content-Length: 2\r\n\r\n{x')],
    ['reads no more', ({ stdin }: FakeProcess) => stdin.destroy(new Error('EPIPE'))],
    ['writes no more', ({ stdout }: FakeProcess) => stdout.destroy()],
  ])('ends a process that %s, and fails requests with the reason of its exit', async (_what, act) => {
    const { server, child } = connect();
    const stop = new AbortController();
    const response = server.request('one', {}, stop.signal);
    act(child);
    const late = server.request('two', {}, stop.signal);
    server.notify('three', {});
    await expect(response).rejects.toThrow('the TypeScript compiler stopped: SIGKILL');
    await expect(late).rejects.toThrow('the TypeScript compiler stopped: SIGKILL');
    stop.abort();
  });

  it('holds our own process only while a request is pending', async () => {
    const { server, child, receive } = connect();
    const responses = [server.request('one', {}, NEVER), server.request('two', {}, NEVER)];
    receive({ id: 0, result: null });
    await responses[0];
    expect(child.held).toEqual([true]);
    receive({ id: 1, result: null });
    await responses[1];
    expect(child.held).toEqual([true, false]);
  });
});

/** A stream that stands for the pipe of a process. */
class Pipe extends PassThrough {
  ref(): void {}
  unref(): void {}
}

/** A process that does nothing until it is killed. */
class FakeProcess extends EventEmitter {
  readonly stdin = new Pipe();
  readonly stdout = new Pipe();
  readonly pid = 1;
  /** Whether it kept our own process from ending, in order. */
  readonly held: boolean[] = [];

  ref(): void {
    this.held.push(true);
  }

  unref(): void {
    this.held.push(false);
  }

  kill(signal: string): void {
    setImmediate(() => this.emit('exit', null, signal) && this.emit('close'));
  }
}

function connect() {
  const child = new FakeProcess();
  const server = new LanguageServer(child as never);
  let written = '';
  child.stdin.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const messages = () => written.split(/Content-Length: \d+\r\n\r\n/).filter((text) => text !== '');
  return {
    server,
    child,
    /** The messages that were sent, once there are as many as given. */
    sent: async (count: number): Promise<readonly unknown[]> => {
      await expect.poll(() => messages().length).toBeGreaterThanOrEqual(count);
      return messages().map((text) => JSON.parse(text) as unknown);
    },
    receive: (message: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      child.stdout.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    },
  };
}

describe('CompilerSession', () => {
  it('caches the settings and the files of a project until they may have changed', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'export {};\n', 'b.js': '1;\n' });
    await using session = await CompilerSession.start(project.folder, NEVER);
    const config = project.path('tsconfig.json');
    expect(await session.configOf(project.path('src/a.ts'), NEVER)).toBe(config);
    expect(await session.configOf(project.path('b.js'), NEVER)).toBeUndefined();
    expect(await session.configOf(project.path('none.ts'), NEVER)).toBeUndefined();
    expect((await session.factsOf(config, NEVER)).files).toEqual([project.path('src/a.ts')]);
    project.write('src/c.ts', 'export {};\n');
    expect((await session.factsOf(config, NEVER)).files).toHaveLength(1);
    session.refresh([{ file: project.path('src/a.ts'), type: FILE_CHANGED }]);
    expect((await session.factsOf(config, NEVER)).files).toHaveLength(1);
    session.refresh([{ file: project.path('src/c.ts'), type: FILE_CREATED }]);
    expect((await session.factsOf(config, NEVER)).files).toHaveLength(2);
  });
});
