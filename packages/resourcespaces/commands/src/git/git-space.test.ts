// @module-tag long

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  approvalPolicy,
  type ApprovalRequest,
  asModelText,
  type CodeRunner,
  createAgent,
  type SpaceSource,
} from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EditorSpace } from '../../test/editor-space.ts';
import { openPlace, temporaryFolder, type Files } from '../../test/open-commands.ts';
import { GitSpace } from './git-space.ts';

const KEY = 'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI';

beforeEach(() => {
  // Nothing of the person who runs the tests.
  vi.stubEnv(
    'HOME',
    temporaryFolder({
      '.gitconfig': '[user]\n  name = Ann\n  email = ann@example.org\n[init]\n  defaultBranch = main\n',
    }),
  );
  return () => void vi.unstubAllEnvs();
});

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A repository with two commits. */
function repository(files: Files = {}): string {
  const folder = temporaryFolder();
  git(folder, 'init', '--quiet');
  write(folder, { 'a.txt': 'one\ntwo\n', 'src/b.txt': 'b\n', ...files });
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'First');
  write(folder, { 'a.txt': 'one\nTWO\n' });
  git(folder, 'commit', '--quiet', '-a', '-m', 'Shout\n\nIt is more polite.');
  return folder;
}

const open = (folder = repository()) => openPlace(GitSpace, folder);

describe('reading', () => {
  it('shows the branch, what is changed, and differences', async () => {
    const { send, folder, agent } = open();
    expect(await send('<status:>')).toBe('## main\nnothing to commit');
    expect(await send('<diff:>')).toBe('(no differences; new files are in <status:>)');
    expect(await send('<git.diff:>')).toBe('(no differences; new files are in <git.status:>)');
    expect(await agent.describe(['git'])).toContain('Branch main; nothing changed.');
    write(folder, { 'a.txt': 'three\n', 'new.txt': 'x\n', 'src/b.txt': 'c\n' });
    git(folder, 'add', 'src/b.txt');
    expect(await send('<status:>')).toBe('## main\n M a.txt\nM  src/b.txt\n?? new.txt');
    expect(await agent.describe(['git'])).toContain('Branch main; 3 changed files: a.txt, src/b.txt, new.txt.');
    expect(await send('<status:src>')).toBe('## main\nM  src/b.txt');
    expect(await send('<diff:>')).toMatch(/^not in git yet: new\.txt\n[^]*a\.txt[^]*-TWO\n\+three[^]*\+c$/);
    expect(await send('<diff:src>')).not.toContain('not in git');
    write(folder, Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`new${index}.txt`, 'x\n'])));
    expect(await send('<diff:>')).toMatch(/^not in git yet: new\.txt, .* and 2 more: <status:>\n/);
    expect(await send('<diff:staged=true>')).not.toContain('three');
    expect(await send('<diff:HEAD~1..HEAD path=a.txt>')).toContain('-two\n+TWO');
    expect(await send('<diff:HEAD~1..HEAD path=src>')).toContain('(no differences');
  });

  it('shows whole diffs of files on up to three pages, and a tag for each of the others', async () => {
    const lines = (mark: string, count: number) =>
      Array.from({ length: count }, (_, row) => `${mark} ${row} ${'-'.repeat(30)}`);
    const names = ['one.txt', 'src/two.txt', 'three 3.txt'];
    const { send, folder } = open(repository(Object.fromEntries(names.map((name) => [name, 'x\n']))));
    write(folder, { 'one.txt': lines('one', 120).join('\n') });
    expect((await send('<diff:>')).split('\n')).toEqual(expect.arrayContaining(lines('+one', 120)));
    write(folder, { 'src/two.txt': lines('two', 100).join('\n'), 'three 3.txt': lines('three', 100).join('\n') });
    git(folder, 'commit', '--quiet', '-a', '-m', 'Third');
    for (const [tag, next] of [
      ['<diff:HEAD~1>', 'diff:HEAD~1'],
      ['<show:>', 'show:HEAD'],
    ]) {
      const shown = await send(tag!);
      expect(shown.split('\n')).toEqual(expect.arrayContaining(lines('+one', 120)));
      expect(shown).toContain('+two 99 ');
      expect(shown.split('\n').at(-1)).toBe(`[1 more file: <${next} path="three 3.txt">]`);
      expect(await send(`<${next} path="three 3.txt">`)).toContain('+three 99 ');
    }
    write(folder, { 'three 3.txt': lines('staged', 100).join('\n') });
    git(folder, 'add', '--all');
    expect(await send('<diff:HEAD~1 staged=true>')).toMatch(
      /\[1 more file: <diff:HEAD~1 path="three 3\.txt" staged=true>\]$/,
    );
    // One that does not fit is cut by its hunks.
    write(folder, { 'one.txt': lines('new', 500).join('\n') });
    expect(await send('<diff:>')).toMatch(/\[pruned: .*full: <R:result:\d+>\]$/);
  });

  it('shows commits, files as they were, and who changed what', async () => {
    const { send, folder } = open();
    expect((await send('<log:>')).split('\n').map((line) => line.replace(/^\S+ \S+/, ''))).toEqual([
      ' Ann: Shout',
      ' Ann: First',
    ]);
    expect(await send('<log:search=polite>')).toMatch(/^\S+ \S+ Ann: Shout$/);
    expect(await send('<log:path=src>')).toMatch(/^\S+ \S+ Ann: First$/);
    for (const count of ['limit=1', '1', '-1', '-n 1', '--oneline -1', 'a.txt -1', '-n1 a.txt', 'HEAD -1 --oneline'])
      expect(await send(`<log:${count}>`)).toMatch(/^\S+ \S+ Ann: Shout$/);
    expect(await send('<log:HEAD~1>')).toMatch(/^\S+ \S+ Ann: First$/);
    expect(await send('<show:>')).toMatch(/Shout\n {4}\n {4}It is more polite\.[^]*-two\n\+TWO$/);
    expect(await send('<show:HEAD~1:a.txt>')).toBe('one\ntwo\n');
    expect(await send('<show:HEAD path=src/b.txt>')).toBe(
      '(HEAD changes nothing in src/b.txt; the file as it was: <show:HEAD:src/b.txt>)',
    );
    expect(await send('<log:search=rude>')).toBe("(no commits with 'rude' in their messages; files: <home.Grep:rude>)");
    expect(await send('<blame:a.txt>')).toMatch(
      /^[0-9a-f]{8} [\d-]{10} Ann: First\n1\|one\n[0-9a-f]{8} [\d-]{10} Ann: Shout\n2\|TWO$/,
    );
    write(folder, { 'a.txt': 'one\nTWO\nthree\n' });
    expect(await send('<blame:a.txt:2-3>')).toMatch(/Ann: Shout\n2\|TWO\nnot committed yet:\n3\|three$/);
    expect(await send('<blame:a.txt:2-2>')).not.toContain('one');
  });

  it('takes a path where git does: alone, behind a revision, and behind --', async () => {
    const { send, folder } = open(repository({ 'my notes.txt': 'n\n' }));
    write(folder, { 'a.txt': 'three\n', 'src/b.txt': 'c\n', 'my notes.txt': 'm\n' });
    for (const tag of ['<diff:a.txt>', '<diff:HEAD a.txt>', '<diff:HEAD -- a.txt>', '<diff:-- a.txt>']) {
      const text = await send(tag);
      expect(text).toMatch(/-TWO\n\+three$/);
      expect(text).not.toContain('src/b.txt');
    }
    expect(await send('<diff:HEAD~1 a.txt>')).toMatch(/-two\n\+three$/);
    expect(await send('<diff:HEAD~1..HEAD a.txt>')).toMatch(/-two\n\+TWO$/);
    expect(await send('<diff:my notes.txt>')).toMatch(/-n\n\+m$/);
    expect(await send('<diff:a.txt staged=true>')).toContain('(no differences');
    expect(await send('<log:src>')).toMatch(/^\S+ \S+ Ann: First$/);
    // The last commit did not change it.
    expect(await send('<show:src/b.txt>')).toMatch(/First[^]*src\/b\.txt[^]*\+b$/);
    write(folder, { 'new.txt': 'x\n' });
    expect(await send('<show:new.txt>')).toBe(
      'ResourceError: no commit has changed new.txt.\nTry: <status:path=new.txt>\nTry: <diff:path=new.txt>',
    );
    rmSync(join(folder, 'a.txt'));
    expect(await send('<log:a.txt>')).toBe(
      "ResourceError: git: bad revision 'a.txt'\nTry: <log:path=a.txt>\nTry: <branches:>\nTry: <log:>",
    );
    expect(await send('<log:path=a.txt>')).toMatch(/Shout\n.*First$/);
  });

  it('reads what is a revision and a path as the revision, and says how the path is written', async () => {
    const { send, folder } = open();
    git(folder, 'branch', 'src');
    for (const tool of ['log', 'show', 'diff']) {
      if (tool === 'diff') write(folder, { 'a.txt': 'three\n' });
      const [last, ...rest] = (await send(`<${tool}:src>`)).split('\n').toReversed();
      expect(last).toBe(`[src is a revision and a path: this is the revision, the path is <${tool}:path=src>]`);
      expect(rest.join('\n')).toMatch(tool === 'log' ? /First\n.*Shout$/ : /a\.txt/);
      expect(await send(`<${tool}:path=src>`)).not.toContain('this is the revision');
    }
    expect(await send('<log:src path=a.txt>')).not.toContain('this is the revision');
  });

  it('shows lines of a file as it was, numbered but for code', async () => {
    const folder = repository();
    const { send } = open(folder);
    expect(await send('<show:HEAD~1:a.txt:2-3>')).toBe('2|two');
    expect(await send('<show:HEAD~1:a.txt:1->')).toBe('1|one\n2|two');
    expect(await send('<show:HEAD~1:a.txt:7>')).toBe('(the file has 2 lines)');
    const codeRunner: CodeRunner = {
      async run(_code, { dispatch }) {
        const call = { verb: 'show', arg: 'HEAD~1:a.txt:2', space: 'git', line: 1, tag: 'show("HEAD~1:a.txt:2")' };
        return { ok: true, output: JSON.stringify((await dispatch(call)).value) };
      },
    };
    const agent = createAgent({ spaces: [GitSpace], provide: [provideWorkspace(folder)], codeRunner });
    onTestFinished(() => agent.close());
    expect((await agent.run(asModelText('<run>show()</run>'))).runs[0]?.output).toBe('"two\\n"');
  });

  it('says which history lines of a file have', async () => {
    const { send } = open();
    for (const tag of ['log:a.txt:1-2', 'show:a.txt:1-2', 'diff:a.txt:1'])
      expect(await send(`<${tag}>`)).toMatch(
        /^ResourceError: lines of a\.txt have no history here but that of each line\.\nTry: <blame:a\.txt:1(?:-2)?>\nTry: <log:a\.txt>$/,
      );
  });

  it('takes the file of a blame with a revision beside it, and says what is no file', async () => {
    const { send, folder } = open(repository({ 'my notes.txt': 'n\n' }));
    git(folder, 'rm', '--quiet', 'src/b.txt');
    const before = await send('<blame:a.txt revision=HEAD~1>');
    expect(before).toMatch(/First\n1\|one\n2\|two$/);
    for (const tag of ['HEAD~1 a.txt', 'a.txt HEAD~1', 'HEAD~1 -- a.txt'])
      expect(await send(`<blame:${tag}>`)).toBe(before);
    expect(await send('<blame:HEAD my notes.txt>')).toContain('1|n');
    expect(await send('<blame:src/b.txt revision=HEAD>')).toContain('1|b');
    mkdirSync(join(folder, 'docs'));
    expect(await send('<blame:docs>')).toBe(
      'ResourceError: docs is a folder, and blame takes a file.\nTry: <log:path=docs>\nTry: <home.R:docs>',
    );
    expect(await send('<blame:HEAD~1>')).toBe(
      'ResourceError: HEAD~1 is a revision, and blame takes a file.\nTry: <show:HEAD~1>\nTry: <home.R:.>',
    );
    expect(await send('<blame:src/b.txt>')).toBe(
      'ResourceError: there is no file src/b.txt. If there was one, its history says when it went.\nTry: <log:path=src/b.txt>\nTry: <home.G:**/b.txt>',
    );
    expect(await send('<log:path=src/b.txt>')).toContain('First');
  });

  it('works before the first commit, and in a folder of a repository, of which it shows that alone', async () => {
    const empty = temporaryFolder({ 'a.txt': 'x\n' });
    git(empty, 'init', '--quiet');
    const first = open(empty);
    expect(await first.send('<status:>')).toBe('## No commits yet on main\n?? a.txt');
    expect(await first.agent.describe(['git'])).toContain('Branch main, without commits; 1 changed file: a.txt.');
    expect(await first.send('<diff:>')).toContain('(no differences');
    expect(await first.send('<log:>')).toMatch(
      /^ResourceError: git: your current branch 'main' does not have any commits/,
    );
    const whole = repository();
    const below = open(join(whole, 'src'));
    write(whole, { 'a.txt': 'other\n', 'src/b.txt': 'other\n' });
    expect(await below.send('<status:>')).toBe('## main\n M b.txt');
    expect(await below.send('<diff:>')).not.toContain('a.txt');
    expect(await below.send('<show:HEAD~1>')).not.toContain('+two');
    expect(await below.send('<show:HEAD:b.txt>')).toBe('b\n');
    expect(await below.send('<show:HEAD:../a.txt>')).toContain('PathError');
    expect(await below.send('<log:path=..>')).toContain('PathError');
  });

  it('needs a repository', async () => {
    const { send } = open(temporaryFolder({ 'a.txt': '' }));
    for (const tag of ['<status:>', '<diff:>', '<log:>', '<show:>', '<blame:a.txt>', '<commit:x>\n</commit>'])
      expect(await send(tag)).toBe(
        'ResourceError: this folder is not in a git repository. Ask the user to create one: git init\nTry: @home()',
      );
  });

  it('lists branches and tags, and finds the one that was meant', async () => {
    const { send, folder } = open();
    git(folder, 'tag', 'v1', 'HEAD~1');
    git(folder, 'update-ref', 'refs/remotes/origin/next', 'HEAD');
    git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/next');
    const rows = (await send('<branches:>')).split('\n');
    expect(rows.toSorted()).toEqual([
      expect.stringMatching(/^ {2}origin\/next [0-9a-f]+ [\d-]{10} Shout$/),
      expect.stringMatching(/^ {2}v1 [0-9a-f]+ [\d-]{10} First$/),
      expect.stringMatching(/^\* main [0-9a-f]+ [\d-]{10} Shout$/),
    ]);
    expect(await send('<branches:next>')).toMatch(/^ {2}origin\/next .*$/);
    expect(await send('<branches:nothing>')).toBe('(no branches)');
    for (const [tag, what] of [
      ['<show:next>', 'origin/next'],
      ['<show:next:a.txt>', 'origin/next'],
      ['<log:upstream/next~1>', 'origin/next'],
      ['<log:mian>', 'main'],
    ] as const)
      expect(await send(tag)).toContain(
        `Did you mean ${what}?\nTry: <show:${what}>\nTry: <log:${what}>\nTry: <branches:>\nTry: <log:>`,
      );
    const empty = temporaryFolder({});
    git(empty, 'init', '--quiet');
    expect(await open(empty).send('<branches:>')).toBe('(no branches)');
  });

  it('lists which files are changed, also in the words of git', async () => {
    const { send, folder } = open();
    write(folder, { 'a.txt': 'three\n', 'src/b.txt': 'c\n', 'new.txt': 'x\n' });
    const list = /^not in git yet: new\.txt\n a\.txt +\| \d.*\n src\/b\.txt +\| \d.*\n 2 files changed, .*$/;
    for (const tag of ['<diff:stat=true>', '<diff:stat>', '<diff:--stat>', '<diff:--name-only>'])
      expect(await send(tag)).toMatch(list);
    expect(await send('<diff:HEAD --stat -- a.txt>')).toMatch(/^ a\.txt +\| \d.*\n 1 file changed, .*$/);
    expect(await send('<show:HEAD~1 --stat>')).toMatch(/First\n[^]*\n \d+ files? changed, [^\n]*$/);
    expect(await send('<show:--stat>')).toMatch(/Shout\n[^]*\n 1 file changed, [^\n]*$/);
    expect(await send('<diff:--cached>')).toContain('(no differences');
    git(folder, 'add', 'a.txt');
    expect(await send('<diff:--cached>')).toMatch(/a\.txt[^]*\+three$/);
    expect(await send('<diff:--staged --stat>')).toMatch(/^ a\.txt .*\n 1 file changed/);
    write(folder, { stat: 'a file of that name\n' });
    expect(await send('<diff:stat>')).toContain('(no differences');
  });

  it('takes no options that could run or write something, and says what git says', async () => {
    const { send, folder } = open();
    const words = [
      'log:--output=pwned',
      'diff:--no-index',
      'show:--output=pwned',
      'show:--staged',
      'log:-p',
      'diff:a b',
    ];
    for (const tag of words.map((one) => `<${one}>`))
      expect(await send(tag)).toMatch(/^ParameterError: "[^]* is no revision\./);
    expect(await send('<blame:a.txt revision=--contents=x>')).toContain('is no revision');
    expect(await send('<log:nowhere>')).toMatch(/^ResourceError: git: .*nowhere/);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('does not show files that may hold secrets, unless a person allows it', async () => {
    const folder = repository({ '.env': `PASS=first-${KEY}\n`, 'keys/id_rsa': `rsa-${KEY}\n` });
    write(folder, { '.env': `PASS=second-${KEY}\n`, 'a.txt': 'visible\n' });
    const asked: string[] = [];
    const ask = async ({ target, reason }: ApprovalRequest) => {
      asked.push(`${target}: ${reason}`);
      return { decision: asked.length > 1 ? 'allow' : 'deny' } as const;
    };
    const { send } = openPlace(GitSpace, folder, { approver: approvalPolicy({ ask }) });
    const diff = await send('<diff:>');
    expect(diff).toContain('+visible');
    expect(diff).toContain('not shown, because it may hold secrets: .env');
    for (const tag of ['<diff:>', '<show:HEAD~1>', '<diff:HEAD~1 path=.env>'])
      expect(await send(tag)).not.toContain(KEY);
    expect(await send('<show:HEAD:.env>')).toContain('ApprovalError');
    expect(await send('<show:HEAD:.env>')).toContain('PASS=first');
    expect(await send('<blame:keys/id_rsa>')).toContain('rsa-');
    expect(asked).toEqual([
      '.env: it may hold passwords',
      '.env: it may hold passwords',
      'keys/id_rsa: it may be a private key',
    ]);
  });

  it('does not show the content of a file without its name, unless a person allows it', async () => {
    const folder = repository({ '.env': `PASS=${KEY}\n` });
    write(folder, { '.env': `PASS=staged-${KEY}\n` });
    git(folder, 'add', '.env');
    const [inCommit, staged] = ['HEAD:.env', ':.env'].map((name) => git(folder, 'rev-parse', name).trim());
    git(folder, 'tag', 'content', inCommit!);
    git(folder, 'tag', '-a', '-m', 'Note', 'signed', inCommit!);
    const asked: string[] = [];
    const ask = async ({ target, reason }: ApprovalRequest) => {
      asked.push(`${target}: ${reason}`);
      return { decision: 'deny' } as const;
    };
    const { send } = openPlace(GitSpace, folder, { approver: approvalPolicy({ ask }) });
    for (const version of [':.env', ':0:.env', 'HEAD:.env', '@{0}:.env']) await send(`<show:${version}>`);
    expect(asked).toEqual(Array.from({ length: 4 }, () => '.env: it may hold passwords'));
    for (const tag of [
      `<show:${inCommit}>`,
      `<show:${staged!.slice(0, 9)}>`,
      '<show:content>',
      '<show:signed>',
      '<show:signed^{}>',
      '<show:HEAD:.env..HEAD path=a.txt>',
      '<diff:HEAD:.env path=a.txt>',
      '<diff::.env path=a.txt>',
      '<diff:^HEAD:.env path=a.txt>',
      '<diff:content path=a.txt>',
    ])
      expect(await send(tag), tag).toMatch(/^ApprovalError/);
    expect(asked.slice(4, 6)).toEqual([
      `${inCommit}: it is a file without its name, which may hold passwords`,
      `${staged!.slice(0, 9)}: it is a file without its name, which may hold passwords`,
    ]);
    const count = asked.length;
    for (const tag of ['<show:HEAD~1>', '<show::/First>', '<diff:HEAD~1..HEAD>', '<show:HEAD^{tree}>', '<show::a.txt>'])
      expect(await send(tag), tag).not.toContain(KEY);
    expect(await send('<show::a.txt>')).toBe('one\nTWO\n');
    expect(await send('<show::/First>')).toContain('+two');
    expect(asked).toHaveLength(count);
  });
});

describe('what a repository brings with it', () => {
  /** Every setting that makes git run something, each of which would leave a file. */
  function hostile(): { readonly folder: string; readonly traces: () => readonly string[] } {
    const folder = repository({
      '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n',
      'evil.txt': 'x\n',
    });
    const traces = temporaryFolder();
    const trace = (name: string) => `touch ${join(traces, name)}; cat`;
    const settings: Readonly<Record<string, string>> = {
      'core.fsmonitor': trace('fsmonitor'),
      'core.hooksPath': join(folder, 'hooks'),
      'core.pager': trace('pager'),
      'core.editor': trace('editor'),
      'core.sshCommand': trace('ssh'),
      'core.askPass': trace('askpass'),
      'diff.external': trace('external'),
      'diff.evil.command': trace('command'),
      'diff.evil.textconv': trace('textconv'),
      'filter.evil.clean': trace('clean'),
      'filter.evil.smudge': trace('smudge'),
      'filter.evil.process': trace('process'),
      'filter.evil.required': 'true',
      'merge.evil.driver': trace('merge'),
      'gpg.program': trace('gpg'),
      'log.showSignature': 'true',
      'commit.gpgSign': 'true',
      'credential.helper': `!${trace('credential')}`,
      'alias.status': `!${trace('alias')}`,
      'pager.log': trace('pagerlog'),
      'interactive.diffFilter': trace('difffilter'),
      'remote.origin.url': `ext::sh -c "${trace('ext')}"`,
      'remote.origin.promisor': 'true',
      'remote.origin.partialCloneFilter': 'blob:none',
      'gc.auto': '1',
    };
    for (const [name, value] of Object.entries(settings)) git(folder, 'config', name, value);
    const hooks = [
      'pre-commit',
      'commit-msg',
      'post-commit',
      'prepare-commit-msg',
      'post-index-change',
      'reference-transaction',
    ];
    for (const place of ['hooks', '.git/hooks']) {
      write(folder, Object.fromEntries(hooks.map((hook) => [`${place}/${hook}`, `#!/bin/sh\n${trace(hook)}\n`])));
      for (const hook of hooks) chmodSync(join(folder, place, hook), 0o755);
    }
    return { folder, traces: () => execFileSync('ls', [traces], { encoding: 'utf8' }).split('\n').filter(Boolean) };
  }

  it('does run in a plain git: the traps work', () => {
    const { folder, traces } = hostile();
    write(folder, { 'evil.txt': 'changed\n' });
    const run = (...args: readonly string[]) => spawnSync('git', args, { cwd: folder });
    run('diff');
    run('config', '--unset', 'filter.evil.process');
    run('diff');
    run('commit', '--all', '-m', 'x');
    expect(traces()).toEqual(expect.arrayContaining(['clean', 'command', 'fsmonitor', 'pre-commit', 'process']));
  });

  it('runs nowhere here', async () => {
    const { folder, traces } = hostile();
    write(folder, { 'evil.txt': 'changed\n', 'plain.md': 'new\n' });
    const { send } = open(folder);
    for (const tag of [
      '<status:>',
      '<diff:>',
      '<diff:staged=true>',
      '<log:>',
      '<show:>',
      '<show:HEAD:evil.txt>',
      '<blame:a.txt>',
    ])
      expect(await send(tag)).not.toMatch(/^\w*Error/);
    expect(await send('<commit:Evil files=evil.txt>\n</commit>')).toContain(
      'evil.txt is stored by a filter of this repository',
    );
    expect(await send('<commit:Plain files=plain.md>\n</commit>')).toMatch(
      /^Committed \S+ Plain: 1 file\. Hooks were not run\.$/,
    );
    expect(traces()).toEqual([]);
  });

  it.each(['evil=x', 'evil=x.clean', 'e;v', 'e"v', 'e.v'])('runs no filter with the name %s', async (name) => {
    const folder = repository({ '.gitattributes': `*.txt filter=${name}\n`, 'evil.txt': 'x\n' });
    const traces = temporaryFolder();
    for (const field of ['clean', 'smudge'])
      git(folder, 'config', `filter.${name}.${field}`, `touch ${traces}/ran; cat`);
    write(folder, { 'evil.txt': 'changed\n' });
    const { send } = open(folder);
    for (const tag of ['<status:>', '<diff:>']) expect(await send(tag)).toContain('evil.txt');
    expect(existsSync(join(traces, 'ran'))).toBe(false);
    // The control: a plain git runs it.
    spawnSync('git', ['diff'], { cwd: folder });
    expect(existsSync(join(traces, 'ran'))).toBe(true);
  });

  it('reads no file of its choice into an error message', async () => {
    const folder = repository();
    const secrets = temporaryFolder({ secret: 'PRIVATE-LINE\n' });
    git(folder, 'config', 'blame.ignoreRevsFile', join(secrets, 'secret'));
    expect(spawnSync('git', ['blame', 'a.txt'], { cwd: folder, encoding: 'utf8' }).stderr).toContain('PRIVATE-LINE');
    const { send } = open(folder);
    const shown = await send('<blame:a.txt>');
    expect(shown).toContain('the file of the setting blame.ignoreRevsFile does not list commits.');
    expect(shown).not.toContain('PRIVATE-LINE');
  });

  it('fetches nothing that is missing', async () => {
    const { folder, traces } = hostile();
    const blob = git(folder, 'rev-parse', 'HEAD~1:a.txt').trim();
    rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    const { send } = open(folder);
    expect(await send('<show:HEAD~1:a.txt>')).toMatch(/^ResourceError: git: /);
    expect(traces()).toEqual([]);
  });

  it('does not lead to files elsewhere', async () => {
    const folder = repository();
    const other = temporaryFolder({ 'private.txt': 'private' });
    git(folder, 'config', 'core.worktree', other);
    const { send } = open(folder);
    for (const tag of ['<status:>', '<diff:>', '<log:>'])
      expect(await send(tag)).toMatch(/^ResourceError: .*(?:outside of the workspace|work tree)/);
  });
});

describe('a commit', () => {
  function openAsking(folder: string, spaces: readonly SpaceSource[] = [GitSpace], onAsk = () => {}) {
    const asked: string[] = [];
    const ask = async ({ preview, target }: ApprovalRequest) => {
      asked.push(`${target}\n${await preview?.()}`);
      onAsk();
      return { decision: 'allow' } as const;
    };
    return { ...openPlace(spaces, folder, { approver: approvalPolicy({ ask }) }), asked };
  }

  it('has the files that are named, new and deleted ones too, and is shown whole before', async () => {
    const folder = repository({ 'old.txt': 'old\n' });
    write(folder, { 'a.txt': 'three\n', 'new.txt': 'fresh\n', 'left.txt': 'left\n' });
    rmSync(join(folder, 'old.txt'));
    const { send, asked } = openAsking(folder);
    const text = await send('<commit:Say three files=a.txt,new.txt,old.txt>\nBecause.\n</commit>');
    expect(text).toMatch(/^Committed \S+ Say three: 3 files\. Hooks were not run\.$/);
    expect(asked[0]).toMatch(/^command:git commit -m 'Say three\n\nBecause\.' -- a\.txt new\.txt old\.txt\n/);
    for (const line of ['-TWO', '+three', '+fresh', '-old']) expect(asked[0]).toContain(line);
    expect(git(folder, 'show', '--name-status', '--format=%an%n%B')).toBe(
      'Ann\nSay three\n\nBecause.\n\n\nM\ta.txt\nA\tnew.txt\nD\told.txt\n',
    );
    expect(await send('<status:>')).toBe('## main\n?? left.txt');
  });

  it('has what is staged where nothing is named', async () => {
    const folder = repository();
    write(folder, { 'a.txt': 'staged\n', 'src/b.txt': 'not staged\n' });
    git(folder, 'add', 'a.txt');
    const { send } = openAsking(folder);
    expect(await send('<commit:Staged>\n</commit>')).toMatch(/^Committed \S+ Staged: 1 file/);
    write(folder, { 'new.txt': 'x\n' });
    expect(await send('<commit:Staged>\n</commit>')).toBe(
      'ResourceError: nothing is staged, so there is nothing to commit.\nTry: <commit:Staged files=new.txt,src/b.txt>\nTry: <status:>',
    );
    expect(await send('<commit:None files=a.txt>\n</commit>')).toContain('nothing is changed in a.txt');
    expect(await send('<commit: files=src>\n</commit>')).toContain('commit needs target');
    expect(await openAsking(join(folder, 'src')).send('<commit:Below files=b.txt>\n</commit>')).toContain('Committed');
  });

  it('has what the session has changed where nothing is named or staged, and says so before', async () => {
    const folder = repository({ 'old.txt': 'old\n', '.gitignore': 'ignored.txt\n' });
    write(folder, { 'src/b.txt': 'of somebody else\n', 'theirs.txt': 'x\n' });
    const { send, asked } = openAsking(folder, [GitSpace, EditorSpace]);
    await send('<editor.touch:a.txt>three</editor.touch>');
    await send('<editor.touch:new.txt>fresh</editor.touch>');
    await send('<editor.touch:ignored.txt>no</editor.touch>');
    await send('<editor.drop:old.txt>');
    expect(await send('<git.commit:Mine>')).toMatch(
      /^Committed \S+ Mine: 3 files\. Hooks were not run\.\n\(nothing was staged: these are the files that this session has changed\)$/,
    );
    expect(asked.at(-1)).toMatch(/^command:git commit -m Mine\nMine\n.*\n\(nothing is staged: these are/);
    for (const line of ['+three', '+fresh', '-old']) expect(asked.at(-1)).toContain(line);
    expect(asked.at(-1)).not.toContain('somebody');
    expect(await send('<git.status:>')).toBe('## main\n M src/b.txt\n?? theirs.txt');
    // All of it is committed now.
    expect(await send('<git.commit:Mine>')).toContain('nothing is staged, so there is nothing to commit.');
    await send('<editor.touch:.env>PASS=1</editor.touch>');
    expect(await send('<git.commit:Mine>')).toMatch(/nothing is staged|may hold secrets/);
    expect(git(folder, 'log', '--format=%s')).toBe('Mine\nShout\nFirst\n');
  });

  it('needs a name and an email, and leaves what is staged as it was', async () => {
    const folder = repository();
    write(folder, { 'a.txt': 'three\n', 'new.txt': 'x\n' });
    const { send, asked } = openAsking(folder);
    vi.stubEnv('HOME', temporaryFolder({ '.gitconfig': '[user]\n  useConfigOnly = true\n' }));
    expect(await send('<commit:Change files=a.txt,new.txt>\n</commit>')).toContain(
      'ResourceError: git knows no name and email for a commit here. Ask the user',
    );
    expect(asked).toEqual([]);
    git(folder, 'config', 'user.name', 'Ann');
    git(folder, 'config', 'user.email', 'ann@example.org');
    // A file with this name makes the commit fail.
    write(folder, { '.git/refs/heads/main.lock': '' });
    expect(await send('<commit:Change files=a.txt,new.txt>\n</commit>')).toContain('ResourceError: git: ');
    expect(git(folder, 'status', '--short')).toBe(' M a.txt\n?? new.txt\n');
  });

  it('is the first one of a repository too', async () => {
    const folder = temporaryFolder({ 'a.txt': 'x\n' });
    git(folder, 'init', '--quiet');
    const { send } = openAsking(folder);
    expect(await send('<commit:First files=a.txt>\n</commit>')).toMatch(/^Committed \S+ First: 1 file/);
  });

  it('is shown again when its files change while a person is asked', async () => {
    const folder = repository();
    write(folder, { 'a.txt': 'shown\n' });
    let times = 0;
    const { send, asked } = openAsking(folder, [GitSpace], () => {
      if (times++ === 0) write(folder, { 'a.txt': 'other\n' });
    });
    expect(await send('<commit:Change files=a.txt>\n</commit>')).toContain('Committed');
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('+other');
  });

  it('has no secrets, nothing that is ignored, and nothing from outside', async () => {
    const folder = repository({ '.gitignore': 'dist\n' });
    write(folder, { '.env': 'PASS=1\n', 'dist/x.js': '1\n' });
    const { send } = openAsking(folder);
    expect(await send('<commit:Secret files=.env>\n</commit>')).toContain('.env may hold secrets');
    expect(await send('<commit:Secret files=.>\n</commit>')).toContain('.env may hold secrets');
    expect(await send('<commit:Ignored files=dist/x.js>\n</commit>')).toContain('nothing is changed in dist/x.js');
    expect(await send('<commit:Out files=../x>\n</commit>')).toContain('PathError');
    const below = openAsking(join(folder, 'src'));
    write(folder, { 'a.txt': 'staged above\n' });
    git(folder, 'add', 'a.txt');
    expect(await below.send('<commit:Above>\n</commit>')).toContain('files outside of this folder are staged too');
  });
});
