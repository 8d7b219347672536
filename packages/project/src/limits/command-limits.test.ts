// @module-tag long
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isRoot, makeFolder, openLimits as open, WAYS_TO_WRITE } from '../../test/open-limits.ts';
import { listMarked, makeMarker, untilMarked } from '../../test/marked-processes.ts';
import { startProgram } from '../running-program.ts';
import { findLimits } from './command-limits.ts';

const support = await findLimits();
const RUNNER = join(import.meta.dirname, '../../test/limited-commands.ts');

afterEach(() => void vi.unstubAllEnvs());

/** Looks into the first process, which set the limits and could end them, and tries to end it. */
const INTO_FIRST = `
for name in environ maps auxv mem fd/0 fd/10; do head -c 1 /proc/1/$name && echo "in by $name"; done 2>/dev/null
for name in root/ cwd/; do ls /proc/1/$name && echo "in by $name"; done 2>/dev/null
for name in ns/mnt exe fd/1 fd/10; do readlink /proc/1/$name && echo "in by $name"; done 2>/dev/null
nsenter -t 1 -m true 2>/dev/null && echo entered
kill -KILL 1; kill -STOP 1; echo still here`;

const countMounts = () => readFileSync('/proc/self/mountinfo', 'utf8').split('\n').length;

describe.runIf('tools' in support)('a limited command', () => {
  it('writes the workspace and a /tmp of its session, and nothing else', async () => {
    const outside = makeFolder({ 'file.txt': 'mine' });
    const folder = makeFolder();
    const { print } = open(folder);
    const file = join(outside, 'file.txt');
    for (const way of WAYS_TO_WRITE) {
      const before = execFileSync('stat', ['-c', '%a %Y %h %s', file], { encoding: 'utf8' });
      await print(way.replaceAll('OUT', file));
      expect([way, readFileSync(file, 'utf8')]).toEqual([way, 'mine']);
      expect([way, execFileSync('stat', ['-c', '%a %Y %h %s', file], { encoding: 'utf8' })]).toEqual([way, before]);
      await print(way.replaceAll('OUT', join(outside, 'new.txt')));
      expect([way, existsSync(join(outside, 'new.txt'))]).toEqual([way, false]);
    }
    expect(await print(`echo one > here; cat here; echo x > ${file}; cat ${file}`)).toMatch(
      /^one\n.*: Read-only file system\nmine$/,
    );
    const name = makeMarker();
    await print(`echo kept > /tmp/${name}; echo kept > /var/tmp/${name}`);
    expect(await print(`cat /tmp/${name}`)).toBe('kept');
    expect([existsSync(`/tmp/${name}`), existsSync(`/var/tmp/${name}`)]).toEqual([false, false]);
    expect(readFileSync(join(folder, 'here'), 'utf8')).toBe('one\n');
  });

  it('only reads what is kept of the folders that are replaced', async () => {
    for (const place of ['/tmp', '/dev/shm']) {
      const kept = mkdtempSync(join(place, 'bae-limits-'));
      onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
      writeFileSync(join(kept, 'tool'), '');
      vi.stubEnv('PATH', `${process.env['PATH']}:${kept}`);
      expect(await open(makeFolder()).print(`ls ${kept}; echo x > ${kept}/tool`)).toMatch(
        /^tool\n.*Read-only file system$/,
      );
    }
  });

  it('does not write what the workspace protects, also when that is replaced', async () => {
    const folder = makeFolder({
      '.git/config': 'mine',
      '.git/hooks/pre-commit': 'mine',
      '.git/index': 'mine',
      '.bae/journal': 'mine',
      '.env': 'mine',
      'packages/a/.env': 'mine',
      'bae.config.json': 'mine',
    });
    const { print } = open(folder);
    const files = [
      '.git/config',
      '.git/hooks/pre-commit',
      '.bae/journal',
      '.env',
      'packages/a/.env',
      'bae.config.json',
    ];
    for (let time = 0; time < 2; time++) {
      for (const file of files) {
        const path = join(folder, file);
        for (const way of WAYS_TO_WRITE.slice(0, time === 0 ? undefined : 3)) await print(way.replaceAll('OUT', path));
        expect([file, readFileSync(path, 'utf8')]).toEqual([file, 'mine']);
        // As git and editors do: a new file takes the place of the old one, and with it of the mount over it.
        writeFileSync(`${path}.new`, 'mine');
        execFileSync('mv', [`${path}.new`, path]);
      }
    }
    await print(
      'mv .git .gut; mkdir -p .git/hooks; echo x > .git/hooks/post-checkout; echo x > .git/hooks.new; mv .git/hooks h',
    );
    expect(existsSync(join(folder, '.git/hooks/post-checkout'))).toBe(false);
    expect(await print('cat .bae/journal; cat .env; echo new > .git/index; cat .git/index')).toMatch(
      /^cat: .*\nmine\s*new$/,
    );
  });

  it('does not put hooks or settings into a repository that has none', async () => {
    const folder = makeFolder({ '.git/config': '' });
    await open(folder).print('mkdir .git/hooks; echo x > .git/hooks/pre-commit');
    expect(readdirSync(join(folder, '.git/hooks'))).toEqual([]);
    const other = makeFolder({ '.git/HEAD': 'ref: refs/heads/main' });
    await open(other).print('echo x > .git/config; mkdir .git/hooks');
    expect(readdirSync(join(other, '.git'))).toEqual(['HEAD']);
  });

  it('works in a working tree whose repository is elsewhere, and only if that knows it', async () => {
    const main = makeFolder();
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', main, ...args], { stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one');
    const folder = join(makeFolder(), 'tree');
    git('worktree', 'add', '-q', folder);
    const commit = 'git -c user.name=a -c user.email=a@b commit --allow-empty -m two';
    const { print } = open(folder);
    expect(await print(commit)).toContain('] two');
    expect(
      await print(`echo x >> ${main}/.git/config; echo x > ${main}/.git/hooks/post-commit; echo x > ${main}/x`),
    ).toMatch(/^(?:.*Read-only file system\n?){3}$/);
    writeFileSync(join(folder, 'fake'), '');
    const other = makeFolder({
      HEAD: '',
      config: '',
      'worktrees/x/gitdir': '/elsewhere/.git',
      'worktrees/x/commondir': '../..',
    });
    mkdirSync(join(other, 'objects'));
    const liar = makeFolder({ '.git': `gitdir: ${other}/worktrees/x\n` });
    expect(await open(liar).print(`echo x > ${other}/HEAD`)).toContain('Read-only file system');
  });

  it.runIf(isRoot)('does not write other file systems either', async () => {
    const outside = makeFolder();
    const script = `touch ${outside}/new && echo written; touch new && echo here`;
    const within = `mount -t tmpfs none ${outside} && exec "$@"`;
    const words = ['--mount', 'sh', '-c', within, 'sh', process.execPath, RUNNER, makeFolder(), script];
    const { stdout } = spawnSync('unshare', words, { encoding: 'utf8', cwd: outside });
    const { support: found, output } = JSON.parse(stdout) as { support: object; output: string };
    expect(found).toHaveProperty('tools');
    expect(output).toMatch(/Read-only file system\nhere\n$/);
  });

  it.runIf(isRoot)('reads other file systems in the home folder, and does not write them', async () => {
    const home = makeFolder({ 'shop/a': '' });
    const script = 'cat ~/data/file; echo x > ~/data/file; echo here > ~/new; cat ~/new; touch b && ls';
    const within = `mkdir ${home}/data && mount -t tmpfs none ${home}/data && echo there > ${home}/data/file && exec "$@"`;
    const words = ['--mount', 'sh', '-c', within, 'sh', process.execPath, RUNNER, join(home, 'shop'), script];
    const { stdout } = spawnSync('unshare', words, {
      encoding: 'utf8',
      cwd: home,
      env: { ...process.env, HOME: home },
    });
    const { output } = JSON.parse(stdout) as { output: string };
    expect(output).toMatch(/^there\n.*Read-only file system\nhere\na\nb\n$/);
  });

  it.runIf(isRoot)(
    'writes no protected file on a file system with options that must stay, or that is one itself',
    async () => {
      const folder = makeFolder({ env: 'mine' });
      const make = `mount -t tmpfs -o nosuid,nodev,noatime tmpfs ${folder} && cd ${folder} && mkdir .git ws && cd ws && git init -q . &&
      echo mine > .env && touch key.pem && mount --bind key.pem key.pem && chown -R 1000:1000 .`;
      const script = 'echo x > new && cat new; for file in .env key.pem .git/config; do echo x > $file; done; cat .env';
      for (const asUser of ['', 'setpriv --reuid 1000 --regid 1000 --clear-groups']) {
        const within = `${make} && exec ${asUser} "$@"`;
        const words = ['--mount', 'sh', '-c', within, 'sh', process.execPath, RUNNER, join(folder, 'ws'), script];
        const { stdout } = spawnSync('unshare', words, { encoding: 'utf8', cwd: folder });
        const { output } = JSON.parse(stdout) as { output: string };
        expect([asUser, output]).toEqual([
          asUser,
          expect.stringMatching(/^x\n(?:.*Read-only file system\n){3}mine\n$/),
        ]);
      }
    },
  );

  it('finds empty what holds credentials', async () => {
    const home = makeFolder({
      '.ssh/id_rsa': 'secret',
      '.npmrc': 'secret',
      '.aws/credentials': 'secret',
      '.config/gcloud/credentials.db': 'secret',
      plain: 'open',
    });
    vi.stubEnv('HOME', home);
    const ways = [
      'cat FILE',
      'head -c 9 FILE',
      'umount -l FILE; umount -l ~/.ssh; cat FILE',
      'cat /proc/1/rootFILE',
      'chmod -R 777 ~/.ssh FILE; cat FILE',
      'unshare --user --keep-caps --mount sh -c "umount -l FILE; umount -l ~/.ssh; cat FILE"',
    ];
    const { print } = open(makeFolder());
    for (const file of ['.ssh/id_rsa', '.npmrc', '.aws/credentials', '.config/gcloud/credentials.db'])
      for (const way of ways)
        expect([way, await print(way.replaceAll('FILE', join(home, file)))]).toEqual([
          way,
          expect.not.stringContaining('secret'),
        ]);
    expect(await print(`cat ${home}/plain`)).toBe('open');
    expect(await open(makeFolder(), { writable: ['~/.ssh'] }).print(`cat ${home}/.ssh/id_rsa`)).toBe('secret');
  });

  it('writes a home folder of its session, and in that of the user only places that the user names', async () => {
    const home = makeFolder({
      '.npm/_cacache/x': 'kept',
      '.cache/pip/x': 'kept',
      '.cache/other/x': 'private',
      '.gitconfig': 'mine',
      'named/x': '',
      'shop/.env': 'mine',
    });
    vi.stubEnv('HOME', home);
    const list = () => execFileSync('find', [home, '-printf', '%p %m %T@ %s\n'], { encoding: 'utf8' });
    // A cache that is a link could lead anywhere.
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync('../elsewhere', join(home, '.cache/go-build'));
    const before = list();
    const { print } = open(join(home, 'shop'), { writable: ['~/named'] });
    expect(await print('cat ~/.npm/_cacache/x ~/.cache/pip/x ~/.gitconfig ~/.cache/other/x; ls ~/.cache')).toMatch(
      /^keptkeptmine.*No such file or directory\npip$/,
    );
    const places = [
      '.npm',
      '.cache/pip',
      '.cache/other',
      '.cache',
      '.cache/go-build',
      '.standard-v17-cache',
      '.',
      '.m2',
    ];
    for (const place of places)
      expect([place, await print(`mkdir -p ~/${place}; echo kept > ~/${place}/new`)]).toEqual([place, '']);
    for (const place of places) expect([place, await print(`cat ~/${place}/new`)]).toEqual([place, 'kept']);
    for (const file of ['.gitconfig', '.npm/_cacache/x'])
      for (const way of WAYS_TO_WRITE) await print(way.replaceAll('OUT', join(home, file)));
    await print('rm -rf ~/.npm; rm -rf ~/.gitconfig; mv ~/.cache/pip ~/.pip');
    rmSync(join(home, 'shop'), { recursive: true });
    mkdirSync(join(home, 'shop'));
    expect(
      list()
        .split('\n')
        .filter((line) => !line.includes('/shop') && !line.startsWith(`${home} `)),
    ).toEqual(before.split('\n').filter((line) => !line.includes('/shop') && !line.startsWith(`${home} `)));
    const other = open(join(home, 'shop'), { writable: ['~/named'] });
    expect(
      await other.print('echo x > ~/named/new; echo x > here; cat ~/.gitconfig; ls -A ~/.standard-v17-cache'),
    ).toMatch(/^mine.*No such file or directory$/);
    expect([existsSync(join(home, 'named/new')), existsSync(join(home, 'shop/here'))]).toEqual([true, true]);
  });

  it('does not uncover credentials by moving, deleting or copying the folders that they are in', async () => {
    const files = {
      '.config/gcloud/a.db': 'secret',
      '.config/app/x': 'open',
      '.ssh/id_rsa': 'secret',
      '.npmrc': 'secret',
    };
    const home = makeFolder(files);
    vi.stubEnv('HOME', home);
    const { print } = open(makeFolder());
    const move = `perl -e 'rename("$ENV{HOME}/$ARGV[0]", "$ENV{HOME}/moved") or print "$!"'`;
    for (const path of ['.config', '.ssh', '.npmrc', '.config/gcloud'])
      expect(await print(`HOME=${home}; export HOME; ${move} ${path}`)).toMatch(
        /^(?:Invalid cross-device link|Device or resource busy)$/,
      );
    const ways = [
      'mv ~/.config ~/moved; cat ~/moved/gcloud/a.db',
      'cp -r ~/.config ~/copy; cat ~/copy/gcloud/a.db',
      'rm -rf ~/.config ~/.ssh ~/.npmrc; mkdir -p ~/.config/gcloud',
      'ln ~/.npmrc ~/linked; cat ~/linked',
      'rmdir ~/.ssh; mv ~/.ssh ~/old; cat ~/old/id_rsa',
    ];
    for (const way of ways) expect([way, await print(way)]).toEqual([way, expect.not.stringContaining('secret')]);
    // The user signs out and in again, while a command looks.
    for (const path of ['.npmrc', '.ssh/id_rsa']) rmSync(join(home, path));
    rmSync(join(home, '.ssh'), { recursive: true });
    expect(await print('cat ~/.npmrc ~/.ssh/id_rsa; echo end')).toMatch(/^(?!.*secret)[^]*end$/);
    writeFileSync(join(home, '.npmrc'), 'secret');
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/id_rsa'), 'secret');
    expect(await print('cat ~/.npmrc ~/.ssh/id_rsa; grep -r secret ~; echo end')).toMatch(/^(?!.*secret)[^]*end$/);
  });

  it('reaches no network by an address, a name or an abstract socket, unless it asks', async () => {
    const server = createServer((_, response) => response.end('outside')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const abstract = createSocketServer((socket) => socket.end('outside')).listen(`\0bae-${makeMarker()}`);
    onTestFinished(() => void [server.close(), abstract.close()]);
    const { port } = server.address() as AddressInfo;
    const ask = `${process.execPath} -e 'require("node:http").get("http://127.0.0.1:${port}", (r) => r.pipe(process.stdout)).on("error", (e) => console.log(e.code))'`;
    const connect = `${process.execPath} -e 'require("node:net").connect(${JSON.stringify(abstract.address())}.replace("@", "\\0")).on("error", (e) => console.log(e.code)).pipe(process.stdout)'`;
    const look = (host: string) =>
      `${process.execPath} -e 'fetch("http://${host}").catch((e) => console.log(e.cause.code))'`;
    const { print } = open(makeFolder());
    expect(await print(ask)).toBe('ECONNREFUSED');
    expect(await print(connect)).toMatch(/^E/);
    expect(await print(look('192.0.2.1'))).toBe('ENETUNREACH');
    expect(await print(look('bae.example'))).toMatch(/^(?:EAI_AGAIN|ENOTFOUND)$/);
    expect(await print('ip link add x type dummy || ip link set lo down')).toMatch(/not permitted/);
    expect(await print(ask, true)).toBe('outside');
    expect(await open(makeFolder(), { network: true }).print(ask)).toBe('outside');
  });

  it('reaches the servers that commands of the session started, with the files of their /tmp', async () => {
    const { start, print } = open(makeFolder());
    const serve = `require("node:http").createServer((_, r) => r.end("inside")).listen(3000, () => console.log("up"))`;
    const server = await start(`${process.execPath} -e '${serve}'`);
    await vi.waitUntil(() => server.output.includes('up'), { timeout: 60_000 });
    const ask = `${process.execPath} -e 'fetch("http://localhost:3000").then((r) => r.text()).then(console.log, (e) => console.log(e.cause.code))'`;
    expect(await print(ask)).toBe('inside');
    expect(await open(makeFolder()).print(ask)).toBe('ECONNREFUSED');
    await server.stop();
  });

  it('does not reach the sockets of services', async () => {
    const home = makeFolder({ '.cache/file': '' });
    vi.stubEnv('HOME', home);
    const path = join(home, 'docker.sock');
    const server = createSocketServer((socket) => socket.end('outside')).listen(path);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const connect = (file: string) =>
      `${process.execPath} -e 'require("node:net").connect("${file}").on("error", (e) => console.log(e.code)).pipe(process.stdout)'`;
    const cached = createSocketServer().listen(join(home, '.cache/service.sock'));
    await once(cached, 'listening');
    onTestFinished(() => void cached.close());
    const { print } = open(makeFolder());
    expect(await print(connect(join(home, '.cache/service.sock')))).toBe('ENOENT');
    expect(await print(connect(path))).toBe(isRoot ? 'ECONNREFUSED' : 'EACCES');
    expect(await print('ls -A /run')).toBe('.bae');
    const later = createSocketServer((socket) => socket.end('outside')).listen(join(home, 'later.sock'));
    await once(later, 'listening');
    onTestFinished(() => void later.close());
    expect(await print(connect(join(home, 'later.sock')))).toBe('ECONNREFUSED');
    expect(await open(makeFolder(), { writable: [path] }).print(connect(path))).toBe('outside');
  });

  it('sees neither bae nor other processes, and cannot stop or trace them', async () => {
    const { print } = open(makeFolder());
    const id = process.pid;
    expect(await print(`kill -0 ${id} || echo none`)).toMatch(/none$/);
    expect(await print(`ls /proc | grep -c '^[0-9]'`)).toMatch(/^[1-9]$/);
    expect(await print(`cat /proc/${id}/environ || echo none`)).toMatch(/none$/);
    expect(await print('echo 1 > /proc/sys/kernel/core_pattern')).toContain('Read-only file system');
    expect(await print(`ls /proc/self/fd | grep '^[4-9]$' || echo none`)).toBe('none');
    expect(await print(INTO_FIRST)).toBe('still here');
    expect(await print('mknod disk b 8 0 && echo made')).not.toContain('made');
    expect(await print('find /dev -type b; ls /dev | sort | tr "\\n" " "')).toBe(
      'fd full null ptmx pts random shm stderr stdin stdout tty urandom zero',
    );
  });

  it('is the user, with the rights over files that the user has', async () => {
    const folder = makeFolder({ other: 'x' });
    if (isRoot) chownSync(join(folder, 'other'), 1234, 1234);
    if (isRoot) chmodSync(join(folder, 'other'), 0o600);
    const { print } = open(folder);
    expect(await print('id -u; cat other; grep NoNewPrivs /proc/self/status')).toBe(
      `${process.getuid!()}\nx\nNoNewPrivs:\t1`.replace('x\n', 'x'),
    );
    const rights = Number.parseInt(/CapBnd:\s+(\w+)/.exec(await print('cat /proc/self/status'))![1]!, 16);
    // Without those for mounting, tracing, devices, modules, and opening files by number.
    for (const right of [2, 12, 16, 17, 19, 21, 27])
      expect([right, Math.floor(rights / 2 ** right) % 2]).toEqual([right, 0]);
  });

  it('ends as others do', async () => {
    const { run, start } = open(makeFolder());
    expect((await run('exit 7')).code).toBe(7);
    expect((await run('kill -SEGV $$')).code).toBe(139);
    const running = await start("trap 'echo tidy; exit' TERM; echo ready; while :; do sleep 0.01; done");
    await vi.waitUntil(() => running.output.includes('ready'), { timeout: 60_000 });
    await running.stop();
    expect(running.output).toMatch(/tidy\n$/);
  });

  it('is not started in place of its limits by what the project sets', async () => {
    const folder = makeFolder({
      'evil.c': '__attribute__((constructor)) void run(void) { fopen("/opt/bae-evil", "w"); }',
    });
    const { limits } = open(folder);
    const environment = {
      LD_PRELOAD: join(folder, 'evil.so'),
      ENV: './evil',
      BASH_ENV: './evil',
      LIBMOUNT_FSTAB: './evil',
      LC_TIME: '--',
      LC_PAPER: 'a "b" $c',
    };
    const program = {
      command: '/bin/sh',
      args: ['-c', 'env'],
      folder,
      limits,
      environment,
      inherits: 'basics',
    } as const;
    const running = await startProgram(program);
    const { output, errors } = await running.ended;
    for (const [name, value] of Object.entries(environment)) expect(output).toContain(`${name}=${value}\n`);
    // The loader speaks for each program that it was set for: the two shells within the limits, and theirs.
    expect(errors.split('cannot be preloaded').length - 1).toBe(2);
  });

  it('leaves nothing: no process, no mount, no file', async () => {
    const mounts = countMounts();
    const marker = makeMarker();
    const folder = makeFolder();
    const daemon = `setsid sh -c 'trap "" TERM HUP; while :; do sleep 0.05; done' ${marker} </dev/null >/dev/null 2>&1 &`;
    const { run, limits } = open(folder);
    await run(`${daemon} sleep 0.2; mount --bind . /mnt; echo x > /tmp/${marker}`);
    expect(listMarked(marker)).toEqual([]);
    await limits.close();
    expect(countMounts()).toBe(mounts);
    const args = [RUNNER, folder, `${daemon} sleep 1000`];
    const bae = spawn(process.execPath, args, { stdio: 'ignore' });
    await vi.waitUntil(() => listMarked(marker).length > 1, { timeout: 20_000 });
    bae.kill('SIGKILL');
    await untilMarked(marker, 0);
    expect(countMounts()).toBe(mounts);
  });

  it.runIf(isRoot)('has the same limits as another user', async () => {
    const outside = makeFolder({ 'file.txt': 'mine', '.ssh/id_rsa': 'secret', '.npmrc': 'secret' });
    const folder = makeFolder({ '.git/config': 'mine', '.env': 'mine' });
    for (const path of ['', '.git', '.git/config', '.env']) chownSync(join(folder, path), 1000, 1000);
    for (const path of ['', 'file.txt', '.ssh', '.npmrc']) chownSync(join(outside, path), 1000, 1000);
    symlinkSync(outside, join(folder, 'out'));
    const files = [
      join(outside, 'file.txt'),
      join(folder, '.git/config'),
      join(folder, '.env'),
      `${folder}/out/file.txt`,
    ];
    const scripts = files.flatMap((file) => WAYS_TO_WRITE.map((way) => way.replaceAll('OUT', file)));
    const asUser = ['--reuid', '1000', '--regid', '1000', '--clear-groups', process.execPath, RUNNER, folder];
    const look = [
      'id -u',
      'echo fine > new; cat new; echo too > ~/new; cat ~/new; ls -A ~/.ssh; cat ~/.npmrc',
      'grep -c : /proc/net/dev',
      INTO_FIRST,
    ];
    const { stdout } = spawnSync('setpriv', [...asUser, ...look, ...scripts], {
      encoding: 'utf8',
      cwd: outside,
      env: { PATH: process.env['PATH'], HOME: outside },
    });
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { support: object; output: string });
    expect(results[0]!.support).toHaveProperty('tools');
    expect(results.slice(0, 4).map(({ output }) => output)).toEqual([
      '1000\n',
      expect.stringMatching(/^fine\ntoo\n(?:.*Permission denied\n){2}$/),
      '1\n',
      'still here\n',
    ]);
    expect(existsSync(join(outside, 'new'))).toBe(false);
    expect(results).toHaveLength(scripts.length + look.length);
    for (const file of files) expect([file, readFileSync(file, 'utf8')]).toEqual([file, 'mine']);
  });
});
