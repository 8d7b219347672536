import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '@bae/tasks';
import { MemoryOutput, openMemoryTerminal } from '../../test/memory-terminal.ts';
import { main } from '../main.ts';
import { createPainter, measureWidth } from '../terminal/terminal-text.ts';
import { renderTaskTable, parseTaskRequest, TASK_COMMANDS as commands } from './tasks.ts';
import { UsageError } from '../command-line/errors.ts';
import { COMMANDS } from '../command-line/command-list.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-tasks-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** Runs `bae tasks` with some words, separated by blanks; quotes keep some together. */
async function tasks(line: string, { input = '', out = new MemoryOutput() } = {}) {
  const terminal = openMemoryTerminal({ cwd });
  terminal.input.end(input);
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  const code = await main(['tasks', ...words], Object.assign(terminal, { out }), new AbortController().signal);
  return { code, out: out.text, err: terminal.err.text };
}

const ok = (out: string) => ({ code: 0, out, err: '' });

describe('bae tasks', () => {
  it('shows what there is as a table', async () => {
    expect(await tasks('')).toEqual(ok('(no tasks) bae tasks add "…" makes one.\n'));
    expect(existsSync(join(cwd, '.bae'))).toBe(false);
    await tasks('add Fix the login tags=auth,ui');
    await tasks('add "日本語 title" after=1');
    await tasks('edit 1 status=in_progress');
    expect(await tasks('')).toEqual(
      ok(`\
ID  STATUS  PRIORITY  TITLE          TAGS
 1  PROG    0.0.0     Fix the login  auth, ui
 2  BLKD    0.0.0     日本語 title
`),
    );
    expect((await tasks('list status:blocked')).out).toContain('日本語');
    expect(await tasks('grep nothing')).toEqual(ok('(no matches)\n'));
    expect((await tasks('grep log')).out).toContain('Fix the login');
    expect(await tasks('list from=7')).toEqual(ok('(there is no row 7, only 2)\n'));
  });

  it('fits the table to the terminal, and colours it there alone', async () => {
    await tasks(`add ${'long '.repeat(20)} tags=auth`);
    const out = new MemoryOutput({ isTerminal: true, color: true, width: 40 });
    await tasks('', { out });
    const lines = stripVTControlCharacters(out.text).trimEnd().split('\n');
    expect(lines).toEqual(['ID  STATUS  PRIORITY  TITLE            …', ' 1  OPEN    0.0.0     long long long lo…']);
    expect(out.text).toContain('\u001B[');
    expect((await tasks('')).out).not.toContain('\u001B[');
  });

  it('adds, shows, changes and finishes', async () => {
    expect(await tasks('add "Fix login" gated=true')).toEqual(ok('Created task 1: Fix login\n'));
    expect(await tasks('edit 1 body=-', { input: 'It fails.\nAlways.\n' })).toMatchObject({ code: 0 });
    const { out } = await tasks('show 1');
    expect(out).toMatch(/^Task 1: Fix login\nstatus: OPEN {2}priority: 0\.0\.0 {2}gated: yes {2}version: 2\n/);
    expect(out).toMatch(/\n\nIt fails\.\nAlways\.\n$/);
    expect((await tasks('done 1')).out).toMatch(/^Task 1 is done\.\n/);
    expect((await tasks('history 1')).out).toMatch(/ user status: open -> done\n/);
  });

  it('speaks JSON to programs, also of what fails', async () => {
    expect(JSON.parse((await tasks('add First tags=a --json')).out)).toMatchObject({
      task: { id: 1, title: 'First', creator: 'user', status: 'open' },
    });
    expect(JSON.parse((await tasks('--json')).out)).toMatchObject({ total: 1, tasks: [{ id: 1, tags: ['a'] }] });
    expect(JSON.parse((await tasks('show 1 --json')).out)).toMatchObject({ task: { id: 1, version: 1 } });
    expect(JSON.parse((await tasks('history 1 --json')).out)).toMatchObject({ id: 1, changes: [{ field: 'created' }] });
    const failed = await tasks('show 9 --json');
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.out)).toMatchObject({
      error: {
        type: 'ResourceError',
        message: expect.stringMatching(/\nTry: <tasks\.R:1>\nTry: <tasks\.R:>$/) as string,
      },
    });
    expect(JSON.parse((await tasks('grep first --json')).out)).toMatchObject({ tasks: [{ id: 1 }], total: 1 });
    expect(JSON.parse((await tasks('done 1 --json')).out)).toMatchObject({ task: { status: 'done' }, unblocked: [] });
    expect(JSON.parse((await tasks('done 1 --json')).out)).toMatchObject({
      error: { type: 'ResourceError', message: expect.stringContaining('task 1 is done (final)') as string },
    });
  });

  it('shows all of a long body, and of a change what has changed', async () => {
    const body = 'line of a body\n'.repeat(400);
    await tasks('add Long body=-', { input: body });
    expect((await tasks('show 1')).out).toContain(`\n\n${body}`);
    expect((await tasks('edit 1 title=Longer')).out).toBe(
      'Changed title of task 1.\nTask 1 | OPEN | 0.0.0 | Longer  title: Long -> Longer  version: 2\n',
    );
  });

  it('offers a command without what is wrong', async () => {
    const offered = async (line: string) => /\nTry: (.*)\n$/.exec((await tasks(line)).err)?.[1];
    expect(await offered('add "Fix it" nope=1')).toBe("bae tasks add 'Fix it'");
    expect(await offered('history 7 from=x')).toBe('bae tasks history 7');
    expect(await offered('list tag:a from=x')).toBe('bae tasks list tag:a');
  });

  it('follows the rules, and shows what to type instead', async () => {
    await tasks('add First');
    await tasks('add Second after=1');
    expect(await tasks('done 2')).toEqual({
      code: 1,
      out: '',
      err: `\
bae: ResourceError: task 2 is blocked by 1 (OPEN).
- status: expected cancelled, or nothing until 1 is finished; got "done"
Try: bae tasks show 1
Try: bae tasks edit 2 after=-1
`,
    });
    expect((await tasks('edit 1 stauts=done')).err).toContain(
      '- stauts: unknown parameter (did you mean status?)\nTry: bae tasks edit 1 status=done\n',
    );
    expect(await tasks('lsit')).toEqual({
      code: 2,
      out: '',
      err: "bae: bae tasks has no subcommand 'lsit'. Did you mean list?\nMore: bae tasks --help\n",
    });
  });

  it('makes visible what titles and bodies might do to a terminal', async () => {
    await tasks('add evil body=-', { input: '\u001B[31mred' });
    expect((await tasks('show 1')).out).toContain('␛[31mred');
  });

  it('shows two hundred rows, and how to go on', async () => {
    const words = Array.from({ length: 201 }, (_, index) => index);
    const { openDatabase } = await import('@bae/store');
    await tasks('add "Task 0"');
    const database = openDatabase(join(cwd, '.bae/tasks.db'));
    for (const word of words.slice(1))
      database.run(
        `INSERT INTO task (title, folded, body, status, major, minor, patch, place, creator, gated, created, updated, version, metadata)
        SELECT 'Task ' || ?, 'task', '', status, 0, 0, 0, place, creator, 0, created, updated, 1, '{}' FROM task WHERE id = 1`,
        word,
      );
    database.close();
    const lines = (await tasks('')).out.trimEnd().split('\n');
    expect(lines).toHaveLength(202);
    expect(lines.at(-1)).toBe('More: bae tasks list from=201');
    expect((await tasks('list from=201')).out).toContain('Task 200');
  });

  it('works on the tasks of another folder', async () => {
    writeFileSync(join(cwd, 'file'), '');
    expect((await tasks('--cwd file')).err).toContain('--cwd file: it is not a folder.');
  });

  it('has help with examples', async () => {
    const { out } = await tasks('--help');
    expect(out).toContain('\nCommands\n  bae tasks list [FILTER…] [from=N]\n  bae tasks show ID\n');
    expect(out).toContain('\nExamples\n  bae tasks\n');
  });
});

function task(id: number, title: string, more: Partial<Task> = {}): Task {
  return {
    id,
    title,
    body: '',
    status: 'open',
    blockers: [],
    parts: 0,
    priority: { major: 0, minor: 0, patch: 0 },
    tags: [],
    parent: undefined,
    creator: 'agent',
    gated: false,
    pending: undefined,
    created: new Date(0),
    updated: new Date(0),
    version: 1,
    metadata: {},
    ...more,
  };
}

const plain = (tasks: readonly Task[], out = new MemoryOutput()) =>
  renderTaskTable(tasks, out, createPainter(out)).join('\n');

describe('taskTable', () => {
  it('lines up what is short and long, narrow and wide', () => {
    const tasks = [
      task(7, 'Fix login', {
        status: 'in_progress',
        priority: { major: 1, minor: 12, patch: 0 },
        tags: ['auth', 'ui'],
      }),
      task(1234, '日本語', { status: 'blocked', tags: ['x'] }),
      task(8, 'Done', { status: 'done' }),
      task(9, 'Not', { status: 'cancelled', priority: { major: 3, minor: -1, patch: 0 } }),
    ];
    expect(plain(tasks)).toBe(`\
  ID  STATUS  PRIORITY  TITLE      TAGS
   7  PROG    1.12.0    Fix login  auth, ui
1234  BLKD    0.0.0     日本語     x
   8  DONE    0.0.0     Done
   9  CNCL    3         Not`);
  });

  it('cuts titles where the terminal ends, and nowhere else', () => {
    const tasks = [task(1, 'word '.repeat(30).trim(), { tags: ['auth'] })];
    const narrow = plain(tasks, new MemoryOutput({ isTerminal: true, width: 60 })).split('\n');
    expect(narrow.map((line) => measureWidth(line))).toEqual([60, 60]);
    expect(narrow[1]).toMatch(/… {2}auth$/);
    expect(plain(tasks)).toContain(`${'word '.repeat(30).trim()}  auth`);
  });

  it('makes visible what would change the terminal', () => {
    expect(plain([task(1, '\u001B[31mred\u202E', { tags: ['a'] })])).toContain('␛[31mred<U+202E>  a');
  });

  it('shows by colour what is in progress, held up or over', () => {
    const out = new MemoryOutput({ color: true });
    const statuses = ['open', 'in_progress', 'blocked', 'done', 'cancelled'] as const;
    const [, ...lines] = renderTaskTable(
      statuses.map((status, index) => task(index, status, { status })),
      out,
      createPainter(out),
    );
    expect(lines.map((line) => line.startsWith('\u001B['))).toEqual([false, true, true, true, true]);
  });
});

const words = (line: string): readonly string[] => line.split(' ').filter((word) => word !== '');

describe('bae tasks', () => {
  it.each([
    ['', 'read', { target: '' }],
    ['list', 'read', { target: '' }],
    ['list status:open tag:auth from=26', 'read', { target: 'status:open tag:auth', from: '26' }],
    ['show 7', 'read', { target: '7' }],
    ['show #7', 'read', { target: '7' }],
    ['add Fix the login tags=auth,ui', 'write', { title: 'Fix the login', tags: 'auth,ui' }],
    ['add title=a=b', 'write', { title: 'a=b' }],
    ['edit 7 status=open after=-3', 'edit', { id: '7', status: 'open', after: '-3' }],
    ['done 7', 'edit', { id: '7', status: 'done' }],
    ['done 7 body=-', 'edit', { id: '7', status: 'done', body: '-' }],
    ['grep fix login from=2', 'grep', { text: 'fix login', from: '2' }],
    ['history 7', 'read', { target: 'history:7' }],
  ] as const)('%j calls %s', (line, tool, args) => {
    expect(parseTaskRequest(words(line))).toMatchObject({ tool, args });
  });

  it.each([
    ['lst', "bae tasks has no subcommand 'lst'."],
    ['constructor', "bae tasks has no subcommand 'constructor'."],
    ['7', "no subcommand '7'. To see the task: bae tasks show 7"],
    ['show', 'bae tasks show takes the id of one task; got nothing. For example: bae tasks show 7'],
    ['show 7 8', 'bae tasks show takes the id of one task; got "7 8". For example: bae tasks show 7'],
    ['show x', 'bae tasks show takes the id of one task; got "x". For example: bae tasks show 7'],
    ['show 7 a=b', 'bae tasks show takes no fields; got a=. To change a task: bae tasks edit ID a=…'],
    ['add', 'bae tasks add needs a title: bae tasks add "Fix login" priority=1.1.0'],
    ['add tags=a', 'bae tasks add needs a title: bae tasks add "Fix login" priority=1.1.0'],
    ['edit 7', 'bae tasks edit needs what is to change: bae tasks edit 7 status=in_progress tags=+auth'],
    [
      'edit 7 done',
      'bae tasks edit takes the id of one task; got "7 done". Fields are written name=value: bae tasks edit 7 status=done',
    ],
    ['grep', 'bae tasks grep needs words: bae tasks grep login'],
  ])('refuses %j', (line, message) => {
    expect(() => parseTaskRequest(words(line))).toThrow(UsageError);
    expect(() => parseTaskRequest(words(line))).toThrow(message);
  });

  it('has every subcommand that help shows', () => {
    for (const [name, rest] of Object.entries(COMMANDS['tasks']!.subcommands!)) {
      const example = rest
        .replaceAll('ID', '7')
        .replaceAll(/\[[^\]]*\]/g, '')
        .replace('field=value…', 'title=x');
      expect(parseTaskRequest([name, ...words(example)])).toBeDefined();
    }
  });
});

describe('TASK_COMMANDS', () => {
  it.each([
    [commands.list(''), 'bae tasks'],
    [commands.show(7), 'bae tasks show 7'],
    [commands.list('status:open', 41), 'bae tasks list status:open from=41'],
    [commands.list('', 41), 'bae tasks list from=41'],
    [commands.history(7), 'bae tasks history 7'],
    [commands.history(7, 41), 'bae tasks history 7 from=41'],
    [commands.edit(7, { status: 'done', after: '-1, -2' }), 'bae tasks edit 7 status=done after="-1, -2"'],
    [commands.edit(7, { after: '-1' }), 'bae tasks edit 7 after=-1'],
    [commands.edit(7, { title: 'a "b" $c' }), `bae tasks edit 7 title='a "b" $c'`],
    [commands.search('fix login'), "bae tasks grep 'fix login'"],
    [commands.titles('*'), 'bae tasks list all:'],
    [
      commands.create("It's new", { priority: '1.1.0', parent: '2' }),
      String.raw`bae tasks add 'It'\''s new' priority=1.1.0 parent=2`,
    ],
    [commands.create('New'), 'bae tasks add New'],
    [commands.create('a=b'), 'bae tasks add Title'],
    [
      commands.edit(2, { status: 'done' }, '<outcome>x</outcome>'),
      "bae tasks edit 2 status=done body=- <<'END'\n<outcome>x</outcome>\nEND",
    ],
  ])('writes what a person types: %s', (command, expected) => {
    expect(command).toBe(expected);
  });
});
