import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GitWorkspaces } from './workspaces.ts';

const ID = '019aa000-0000-7000-8000-000000000001';
const OTHER = '019aa000-0000-7000-8000-000000000002';

const run = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    },
  });

/** A repository with everything in it that could run, behind HTTPS, and settings of git that know the certificate. */
async function serveRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'bae-git-'));
  const [work, bare, marker] = ['work', 'repositories/shop.git', 'marker'].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  for (const path of [work, join(folder, 'repositories'), join(folder, 'sub')]) mkdirSync(path);
  run(join(folder, 'sub'), 'init', '-q', '-b', 'main');
  run(join(folder, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'sub');
  run(work, 'init', '-q', '-b', 'main');
  writeFileSync(join(work, 'a.txt'), 'one\n');
  writeFileSync(join(work, '.gitattributes'), '*.txt filter=evil\n');
  run(work, 'submodule', 'add', '-q', join(folder, 'sub'), 'sub');
  run(work, 'add', '.');
  run(work, 'commit', '-q', '-m', 'first');
  run(folder, 'clone', '-q', '--bare', work, bare);
  run(bare, 'config', 'http.receivepack', 'true');
  const [key, certificate, settings] = ['key.pem', 'cert.pem', 'gitconfig'].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2', '-nodes'];
  const keys = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...keys, ...subject], { stdio: 'ignore' });
  writeFileSync(settings, `[http]\n\tsslCAInfo = ${certificate}\n`);
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    const url = new URL(request.url!, 'https://localhost');
    if (url.pathname.startsWith('/moved')) {
      response.writeHead(302, { location: `/shop.git${url.pathname.slice('/moved'.length)}${url.search}` });
      return void response.end();
    }
    const child = spawn(backend, {
      env: {
        GIT_PROJECT_ROOT: join(folder, 'repositories'),
        GIT_HTTP_EXPORT_ALL: '1',
        PATH: process.env['PATH'],
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        REMOTE_USER: 'bae',
        REMOTE_ADDR: '127.0.0.1',
        ...(request.headers['content-encoding'] && { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
        ...(request.headers['git-protocol'] && { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
      },
    });
    request.pipe(child.stdin);
    let output = Buffer.alloc(0);
    child.stdout.on('data', (bytes: Buffer) => (output = Buffer.concat([output, bytes])));
    return void child.on('close', () => {
      const end = output.indexOf('\r\n\r\n');
      const headers = Object.fromEntries(
        String(output.subarray(0, end))
          .split('\r\n')
          .map((line) => line.split(': ') as [string, string]),
      );
      response.writeHead(Number(headers['Status']?.slice(0, 3) ?? 200), { 'content-type': headers['Content-Type'] });
      response.end(output.subarray(end + 4));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return { folder, bare, marker, settings, host, repository: `https://${host}/shop.git` };
}

let served: Awaited<ReturnType<typeof serveRepository>>;
let git: GitWorkspaces;

describe('a worktree of a repository', () => {
  beforeAll(async () => {
    served = await serveRepository();
    const env = { SSH_AUTH_SOCK: undefined };
    git = new GitWorkspaces({
      gitHosts: [served.host],
      gitConfig: served.settings,
      data: join(served.folder, 'data'),
      env,
    });
    mkdirSync(join(served.folder, 'data'));
    return () => rmSync(served.folder, { recursive: true, force: true });
  });

  it(
    'is of one session, runs nothing that the repository brings, and its changes come out',
    { tags: ['long'] },
    async () => {
      const workspace = { type: 'git', repository: served.repository } as const;
      // Settings of this machine that would run something for what .gitattributes says.
      const home = join(served.folder, 'home');
      mkdirSync(home);
      writeFileSync(
        join(home, '.gitconfig'),
        `[filter "evil"]\n\tsmudge = touch ${served.marker}; cat\n\tclean = touch ${served.marker}; cat\n`,
      );
      const before = process.env['HOME'];
      process.env['HOME'] = home;
      try {
        const [first, second] = await Promise.all([git.open(ID, workspace), git.open(OTHER, workspace)]);
        expect(await git.open(ID, workspace)).toBe(first);
        expect(readFileSync(join(first, 'a.txt'), 'utf8')).toBe('one\n');
        expect(existsSync(join(first, 'sub', '.git'))).toBe(false);
        writeFileSync(join(first, 'a.txt'), 'two\n');
        writeFileSync(join(first, 'new.bin'), Buffer.from([0, 1, 2, 255]));
        expect(readFileSync(join(second, 'a.txt'), 'utf8')).toBe('one\n');
        const patch = await git.makePatch(ID, workspace);
        expect(await git.makePatch(OTHER, workspace)).toBe('');
        const clone = join(served.folder, 'clone');
        run(served.folder, 'clone', '-q', served.bare, clone);
        writeFileSync(join(served.folder, 'p.patch'), patch);
        run(clone, 'apply', join(served.folder, 'p.patch'));
        expect(readFileSync(join(clone, 'new.bin'))).toEqual(Buffer.from([0, 1, 2, 255]));
        await expect(git.pushBranch(OTHER, workspace, 'None')).rejects.toThrow('the session has changed nothing');
        const { branch, commit } = await git.pushBranch(ID, workspace, 'Two');
        expect(branch).toBe(`bae/${ID}`);
        expect(run(served.bare, 'show', `${branch}:a.txt`)).toBe('two\n');
        expect(run(served.bare, 'rev-parse', branch).trim()).toBe(commit);
        expect(existsSync(served.marker)).toBe(false);
      } finally {
        process.env['HOME'] = before;
      }
    },
  );

  it('comes and goes over ssh, which asks nobody', async () => {
    const [folder, data] = ['ssh-', 'data-'].map((name) => mkdtempSync(join(served.folder, name))) as [string, string];
    const asked = join(folder, 'asked');
    // Runs here what a server would run.
    const program = `#!/bin/sh\necho "$@" >> ${asked}\nfor command; do :; done\nexec sh -c "$command"\n`;
    writeFileSync(join(folder, 'ssh'), program, { mode: 0o755 });
    const host = 'git.example:2222';
    const workspace = { type: 'git', repository: `ssh://git@${host}${served.bare}`, ref: 'main' } as const;
    const remote = new GitWorkspaces({ gitHosts: [host], data, env: {} });
    remote.check(workspace);
    const before = process.env['PATH'];
    process.env['PATH'] = `${folder}:${before}`;
    try {
      writeFileSync(join(await remote.open(ID, workspace), 'a.txt'), 'over ssh\n');
      const { branch } = await remote.pushBranch(ID, workspace, 'Over ssh');
      expect(run(served.bare, 'show', `${branch}:a.txt`)).toBe('over ssh\n');
      const calls = readFileSync(asked, 'utf8').trim().split('\n');
      expect(calls).toHaveLength(2);
      for (const call of calls) expect(call).toMatch(/^-oBatchMode=yes .*-p 2222 git@git\.example git-/);
      writeFileSync(join(folder, 'ssh'), '#!/bin/sh\necho "Host key verification failed." >&2\nexit 255\n');
      await expect(remote.open(OTHER, workspace)).rejects.toThrow('Host key verification failed.');
    } finally {
      process.env['PATH'] = before;
    }
  });

  it('is not made of what leads elsewhere', async () => {
    const moved = { type: 'git', repository: `https://${served.host}/moved` } as const;
    await expect(git.open('019aa000-0000-7000-8000-000000000003', moved)).rejects.toThrow(/redirect|302/);
    const check = (repository: string, ref?: string) => () => git.check({ type: 'git', repository, ref });
    for (const repository of [
      '/etc',
      'file:///etc',
      'http://localhost/x',
      'ext::sh -c id',
      'https://elsewhere.example/x',
      `https://a:b@${served.host}/x`,
      `ssh://-oProxyCommand=id/x`,
      `https://${served.host}/x?y`,
      `https://${served.host}/acme/../other`,
      `https://${served.host}/acme/%2e%2E/other`,
      `https://${served.host}/acme\\..\\other`,
      `https://${served.host}/acme/.\t./other`,
      `HTTPS://${served.host}/x`,
      `https:${served.host}/x`,
      `https://${served.host.split(':')[0]}/x`,
    ])
      expect(check(repository)).toThrow(/workspace.repository/);
    for (const ref of ['--upload-pack=id', 'a..b', '-x', 'a b', 'a:b', '+a', ''])
      expect(check(served.repository, ref)).toThrow(/ref/);
    for (const ref of ['main', 'v1.0', 'feature/x-1', 'a'.repeat(40)])
      expect(check(served.repository, ref)).not.toThrow();
  });

  it('reports what git reports for a ref that is not there', async () => {
    const workspace = { type: 'git', repository: served.repository, ref: 'nowhere' } as const;
    await expect(git.open('019aa000-0000-7000-8000-000000000004', workspace)).rejects.toThrow(/nowhere/);
  });
});
