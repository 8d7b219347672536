import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

function workspaceWith(files: Files = {}, journal: 'memory' | 'disk' = 'memory') {
  const folder = temporaryFolder(files);
  const workspace = new WorkspaceRoot(folder, { journal });
  return {
    folder,
    workspace,
    at: (path: string) => join(folder, path),
    content: (path: string) => readFileSync(join(folder, path), 'utf8'),
    mode: (path: string) => (statSync(join(folder, path)).mode & 0o7777).toString(8),
    /** Runs a shell script, and returns what it changed. */
    run: async (script: string) => {
      const kept = await workspace.keepFiles();
      execFileSync('sh', ['-c', script], { cwd: folder });
      return kept.record('one');
    },
  };
}

/** The report of an undo: what it undid, then why no more. */
async function undo(workspace: WorkspaceRoot, steps = 1): Promise<readonly string[]> {
  const { undone, problem } = await workspace.undo({ steps, session: 'one' });
  return [
    ...undone.map(({ action, path }) => `${action} ${path}`),
    ...(problem === undefined ? [] : [`${problem.name}: ${problem.message}`]),
  ];
}

/** Every file and folder outside of bae's own folder, with its mode and content. */
function readTree(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('.bae'));
  return Object.fromEntries(
    paths.toSorted().map((path) => {
      const stats = lstatSync(join(folder, path));
      const mode = stats.mode.toString(8);
      if (stats.isSymbolicLink()) return [path, `-> ${readlinkSync(join(folder, path))}`];
      return [path, stats.isFile() ? `${mode} ${readFileSync(join(folder, path)).toString('hex')}` : mode];
    }),
  );
}

describe.each(['memory', 'disk'] as const)('a program, with a journal in %s', (journal) => {
  it('is undone as one change: what it changed, made and removed, with bytes and modes', async () => {
    const { folder, workspace, run, at } = workspaceWith(
      { 'a.txt': 'one\r\n', 'run.sh': 'old', 'd/gone.bin': Buffer.from([0, 255, 13]), 'same.txt': 'x', 'x.sh': '' },
      journal,
    );
    chmodSync(at('run.sh'), 0o750);
    chmodSync(at('d/gone.bin'), 0o404);
    const before = readTree(folder);
    const changes = await run(
      [
        'printf two > a.txt; chmod 400 a.txt',
        'printf new > run.sh; chmod 700 run.sh',
        'rm -f d/gone.bin',
        'mkdir -p made/deep; echo 1 > made/deep/new.txt; chmod 400 made/deep/new.txt; echo 2 > made/b',
        'touch same.txt; printf y > same.txt; printf x > same.txt',
        'chmod +x x.sh',
      ].join('\n'),
    );
    expect(changes).toEqual([
      { path: 'a.txt', isGone: false },
      { path: 'd/gone.bin', isGone: true },
      { path: 'made/b', isGone: false },
      { path: 'made/deep/new.txt', isGone: false },
      { path: 'run.sh', isGone: false },
      { path: 'x.sh', isGone: false },
    ]);
    const plan = await workspace.planUndo({ session: 'one' });
    expect(plan.preview()).toContain('-two\n\\ No newline at end of file\n+one\r\n');
    expect(plan.preview()).toContain('x.sh: mode 755 -> 644\n');
    expect(plan.preview()).toMatch(/\nNot undone: what the command did to ignored files, such as node_modules\.\n$/);
    expect(plan.touches).toHaveLength(6);
    expect(await undo(workspace)).toHaveLength(6);
    expect(readTree(folder)).toEqual(before);
    expect(await undo(workspace)).toEqual([]);
  });

  it('is not undone when one of its files was changed since, its mode included', async () => {
    const { folder, workspace, run, at, content } = workspaceWith({ 'a.txt': '1', 'b.txt': '1' }, journal);
    await run('printf 2 > a.txt; chmod 755 b.txt');
    writeFileSync(at('a.txt'), '3');
    const problem = 'a.txt changed after the command that is to be undone (line count 1 -> 1). It was left unchanged.';
    expect(await undo(workspace)).toEqual([`ConflictError: ${problem} Read it, and change it back by an edit.`]);
    expect(content('a.txt')).toBe('3');
    writeFileSync(at('a.txt'), '2');
    chmodSync(at('b.txt'), 0o600);
    expect((await undo(workspace))[0]).toContain(
      'b.txt changed after the command that is to be undone (mode 755 -> 600)',
    );
    chmodSync(at('b.txt'), 0o755);
    expect(await undo(workspace)).toEqual(['command b.txt', 'command a.txt']);
    expect(readTree(folder)).toMatchObject({ 'a.txt': '100644 31', 'b.txt': '100644 31' });
  });

  it('is undone in its turn with what tools change before and after it', async () => {
    const { workspace, run, content } = workspaceWith({ 'a.txt': '1' }, journal);
    await workspace.write('a.txt', '2', { session: 'one' });
    await run('printf 3 > a.txt');
    await workspace.write('a.txt', '4', { session: 'one' });
    await run('printf 5 > a.txt; printf 1 > b.txt');
    expect(await undo(workspace, 2)).toEqual(['command b.txt', 'command a.txt', 'write a.txt']);
    expect(content('a.txt')).toBe('3');
    expect(await undo(workspace, 2)).toEqual(['command a.txt', 'write a.txt']);
    expect(content('a.txt')).toBe('1');
  });

  it('is not undone for what tools have changed meanwhile, or undone', async () => {
    const { workspace, at, content } = workspaceWith({ 'a.txt': '1', 'b.txt': '1', 'c.txt': '1' }, journal);
    await workspace.write('b.txt', '2', { session: 'one' });
    const kept = await workspace.keepFiles();
    await workspace.undo({ session: 'one' });
    await workspace.write('a.txt', '2', { session: 'other' });
    await workspace.write('c.txt', '2', { session: 'other' });
    writeFileSync(at('c.txt'), '3');
    expect(await kept.record('one')).toEqual([
      { path: 'c.txt', isGone: false, obstacle: 'a tool has changed it meanwhile, too' },
    ]);
    expect(await undo(workspace)).toEqual([]);
    expect(['a.txt', 'b.txt', 'c.txt'].map(content)).toEqual(['2', '1', '3']);
  });

  it('may run while another does: each is undone for what it changed', async () => {
    const { workspace, run, at, content } = workspaceWith({ 'a.txt': '1', 'b.txt': '1' }, journal);
    const kept = await workspace.keepFiles();
    await run('printf 2 > a.txt');
    writeFileSync(at('b.txt'), '2');
    expect(await kept.record('one')).toEqual([{ path: 'b.txt', isGone: false }]);
    expect(await undo(workspace)).toEqual(['command b.txt']);
    expect(await undo(workspace)).toEqual(['command a.txt']);
    expect(['a.txt', 'b.txt'].map(content)).toEqual(['1', '1']);
  });

  it('keeps neither secrets nor what is ignored, and says what is not undone', async () => {
    const { workspace, run, content } = workspaceWith(
      { '.gitignore': 'out\n', '.env': 'KEY=1', 'a.txt': '1', 'out/x': '1', 'node_modules/m/x': '1', link: '1' },
      journal,
    );
    expect(
      await run('for file in .env a.txt out/x node_modules/m/x; do echo 2 > $file; done; rm link; ln -s a.txt link'),
    ).toEqual([
      { path: '.env', isGone: false, obstacle: 'it may hold passwords' },
      { path: 'a.txt', isGone: false },
      { path: 'link', isGone: false, obstacle: 'a link has taken its place' },
    ]);
    const left = 'what the command did to .env, link, whose old content was not kept, and ignored files';
    expect((await workspace.planUndo({ session: 'one' })).preview()).toContain(`Not undone: ${left}`);
    expect(await undo(workspace)).toEqual(['command a.txt']);
    expect(['.env', 'a.txt', 'out/x', 'node_modules/m/x'].map(content)).toEqual(['2\n', '1', '2\n', '2\n']);
  });

  it('is not undone where that would remove the only copy of something', async () => {
    const { workspace, run, content } = workspaceWith(
      { '.gitignore': 'out\nlog.txt\n', '.env': 'KEY=1', 'a.txt': '1', 'b.txt': '1', 'log.txt': 'log', 'out/x': 'x' },
      journal,
    );
    // Files are older than a tick of the clock.
    await setTimeout(20);
    const obstacle = 'it was there before, ignored or under another name';
    expect(await run('mv .env plain.txt; mv out/x b.txt; mv a.txt c.txt; echo out > .gitignore')).toEqual([
      { path: '.env', isGone: true, obstacle: 'it may hold passwords' },
      { path: '.gitignore', isGone: false },
      { path: 'a.txt', isGone: true },
      { path: 'b.txt', isGone: false, obstacle },
      { path: 'c.txt', isGone: false },
      { path: 'log.txt', isGone: false, obstacle },
      { path: 'plain.txt', isGone: false, obstacle },
    ]);
    expect(await undo(workspace)).toEqual(['command c.txt', 'command a.txt', 'command .gitignore']);
    const paths = ['plain.txt', 'b.txt', 'log.txt', 'a.txt', '.gitignore'];
    expect(paths.map(content)).toEqual(['KEY=1', 'x', 'log', '1', 'out\nlog.txt\n']);
  });

  it('is undone where it made a file of a folder', async () => {
    const { folder, workspace, run } = workspaceWith({ 'd/x': '1', 'd/y/z': '2' }, journal);
    const before = readTree(folder);
    await run('rm -r d; echo > d');
    expect(await undo(workspace)).toEqual(['command d', 'command d/y/z', 'command d/x']);
    expect(readTree(folder)).toEqual(before);
  });

  it('says so when it changes very many files', async () => {
    const { workspace, run } = workspaceWith({ 'a.txt': '1' }, journal);
    const changes = await run('for number in $(seq 1001); do : > $number.txt; done');
    expect(changes).toHaveLength(1001);
    expect(changes[0]!.obstacle).toBe('more than 1000 files were changed at once');
    expect(await undo(workspace)).toEqual([]);
  });
});

const PATHS = ['a.txt', 'b.txt', 'd/a.txt', 'd/b.txt', 'e/f/a.txt'];
const path = fc.constantFrom(...PATHS);

/** One thing that a program does to a file. */
const step = fc.oneof(
  fc.record({ type: fc.constant('write' as const), path, content: fc.constantFrom('', '1', '2\n', '3\r\n4') }),
  fc.record({ type: fc.constant('mode' as const), path, mode: fc.constantFrom(0o644, 0o755, 0o400) }),
  fc.record({ type: fc.constant('remove' as const), path }),
  fc.record({ type: fc.constant('move' as const), path, to: path }),
);

/** What a tool or a program does. */
const work = fc.record({ isTool: fc.boolean(), steps: fc.array(step, { minLength: 1, maxLength: 4 }) });

function take(folder: string, one: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  const file = join(folder, one.path);
  if (one.type === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { force: true });
    writeFileSync(file, one.content);
  } else if (!existsSync(file)) return;
  else if (one.type === 'mode') chmodSync(file, one.mode);
  else if (one.type === 'remove') rmSync(file);
  else {
    mkdirSync(dirname(join(folder, one.to)), { recursive: true });
    renameSync(file, join(folder, one.to));
  }
}

async function undoRandomWork(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(fc.array(work, { maxLength: 6 }), async (works) => {
    const folder = temporaryFolder({ 'a.txt': 'one', 'd/a.txt': 'two\n' });
    const workspace = new WorkspaceRoot(folder);
    const listFiles = () => Object.entries(readTree(folder)).filter(([, content]) => content.includes(' '));
    const trees = [listFiles()];
    for (const { isTool, steps } of works) {
      const [first] = steps;
      if (isTool && first?.type === 'write')
        await workspace.write(first.path, first.content, { session: 'one', force: true });
      else {
        const kept = await workspace.keepFiles();
        for (const one of steps) take(folder, one);
        const changes = await kept.record('one');
        expect(changes.filter(({ obstacle }) => obstacle !== undefined)).toEqual([]);
        if (changes.length === 0) continue;
      }
      trees.push(listFiles());
    }
    for (const tree of trees.slice(0, -1).toReversed()) {
      expect((await workspace.undo({ session: 'one' })).problem).toBeUndefined();
      expect(listFiles()).toEqual(tree);
    }
    expect((await workspace.undo({ session: 'one' })).undone).toEqual([]);
  });
  await fc.assert(property, { numRuns });
}

it('whatever tools and programs do in turn is undone step by step', { tags: ['long'] }, () => undoRandomWork(20));
it('whatever tools and programs do in turn is undone step by step, 500 times', { tags: ['long'] }, () =>
  undoRandomWork(500),
);

describe('kept files', () => {
  it('are copied again only when they have changed, and are not on the disk by name', async () => {
    const { folder, workspace, run, content } = workspaceWith({ 'a.txt': '1', 'b.txt': '1' }, 'disk');
    for (const text of ['2', '3', '4']) {
      await run(`printf ${text} > a.txt`);
      await run(`printf ${text} > b.txt`);
    }
    expect(readdirSync(join(folder, '.bae/journal')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(await undo(workspace, 9)).toHaveLength(6);
    expect(['a.txt', 'b.txt'].map(content)).toEqual(['1', '1']);
  });

  it('are undone when the program has removed the journal, too', async () => {
    const { folder, workspace, run, content } = workspaceWith({ 'a.txt': '1', 'd/b.txt': '1' }, 'disk');
    await run('printf 2 > a.txt');
    expect(await run('rm -rf .bae d a.txt')).toHaveLength(2);
    expect(await undo(workspace)).toEqual(['command d/b.txt', 'command a.txt']);
    expect([content('a.txt'), content('d/b.txt')]).toEqual(['2', '1']);
    expect(existsSync(join(folder, '.bae/.gitignore'))).toBe(true);
  });

  it('are undone by a later process', async () => {
    const { folder, run, content } = workspaceWith({ 'a.txt': '1' }, 'disk');
    await run('printf 2 > a.txt; printf 1 > b.txt');
    expect(await undo(new WorkspaceRoot(folder, { journal: 'disk' }))).toEqual(['command b.txt', 'command a.txt']);
    expect([content('a.txt'), existsSync(join(folder, 'b.txt'))]).toEqual(['1', false]);
  });

  it('are not needed to run a program: where no copy can be made, its changes are named', async () => {
    const { workspace, at } = workspaceWith({ 'a.txt': '1' }, 'disk');
    writeFileSync(at('.bae'), 'in the way');
    const kept = await workspace.keepFiles();
    writeFileSync(at('a.txt'), '2');
    expect(await kept.record('one')).toEqual([
      { path: 'a.txt', isGone: false, obstacle: 'its content could not be copied' },
    ]);
    writeFileSync(at('b.txt'), '2');
    expect((await kept.record('one'))[1]!.obstacle).toMatch(/^the journal cannot be written: /);
  });

  it('are read where they are, not where a link leads', async () => {
    const outside = temporaryFolder({ 'secret.txt': 'secret' });
    const { workspace, at } = workspaceWith({ 'd/a.txt': '1' });
    const kept = await workspace.keepFiles();
    rmSync(at('d'), { recursive: true });
    symlinkSync(outside, at('d'));
    expect(await kept.record('one')).toEqual([
      { path: 'd/a.txt', isGone: false, obstacle: 'a link has taken its place' },
    ]);
  });
});
