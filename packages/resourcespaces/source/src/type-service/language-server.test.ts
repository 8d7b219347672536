import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';
import { CompilerSession } from './compiler-session.ts';
import { LanguageServer } from './language-server.ts';

const NEVER = new AbortController().signal;

describe('LanguageServer', () => {
  it('answers questions until it is disposed', async () => {
    const server = await LanguageServer.start(new TemporaryProject().folder, NEVER);
    expect(server.alive).toBe(true);
    await expect(server.request('no/such/question', {}, NEVER)).rejects.toMatchObject({ name: 'RpcError' });
    await server[Symbol.asyncDispose]();
    expect(server.alive).toBe(false);
    await expect(server.request('textDocument/hover', {}, NEVER)).rejects.toMatchObject({
      problem: 'stopped',
      message: 'the TypeScript compiler stopped: it was closed',
    });
  });

  it('tells how it ended', async () => {
    await using server = await LanguageServer.start(new TemporaryProject().folder, NEVER);
    const answer = server.request('custom/projectInfo', { textDocument: { uri: 'file:///x.ts' } }, NEVER);
    process.kill(server.pid as number, 'SIGKILL');
    await expect(answer).rejects.toThrow(/the TypeScript compiler stopped: SIGKILL|no project/);
    await expect.poll(() => server.alive).toBe(false);
  });

  it('does not start for who wants it no more, or in a folder that is not there', async () => {
    const { folder } = new TemporaryProject();
    await expect(LanguageServer.start(folder, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    await expect(LanguageServer.start(`${folder}/none`, NEVER)).rejects.toMatchObject({ problem: 'stopped' });
  });
});

describe('CompilerSession', () => {
  it('knows the settings and the files of a project, and asks again when they may have changed', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'export {};\n', 'b.js': '1;\n' });
    await using session = await CompilerSession.start(project.folder, NEVER);
    const config = project.path('tsconfig.json');
    expect(await session.configOf(project.path('src/a.ts'), NEVER)).toBe(config);
    expect(await session.configOf(project.path('b.js'), NEVER)).toBeUndefined();
    expect(await session.configOf(project.path('none.ts'), NEVER)).toBeUndefined();
    expect((await session.factsOf(config, NEVER)).files).toEqual([project.path('src/a.ts')]);
    project.write('src/c.ts', 'export {};\n');
    expect((await session.factsOf(config, NEVER)).files).toHaveLength(1);
    session.refresh({ changed: [project.path('src/a.ts')] });
    expect((await session.factsOf(config, NEVER)).files).toHaveLength(1);
    session.refresh({ created: [project.path('src/c.ts')] });
    expect((await session.factsOf(config, NEVER)).files).toHaveLength(2);
  });
});
