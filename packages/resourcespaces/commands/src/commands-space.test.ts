import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { approvalPolicy, asModelText, type ApprovalRequest } from '@bae/core';
import { createWindows, findIsolation, limitCommands } from '@bae/project';
import { WORKSPACE_ROOT, WorkspaceRoot } from '@bae/workspace';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { untilMarked } from '../test/marked-processes.ts';
import { openPlace, temporaryFolder, type Files } from '../test/open-commands.ts';
import { TerminalSpace } from './commands-space.ts';

afterEach(() => void vi.unstubAllEnvs());

const { type } = await findIsolation();

const open = (files: Files = {}) => openPlace(TerminalSpace, temporaryFolder(files));

describe('exec', () => {
  it('returns the exit code, the time, and what was printed, in the order it came', async () => {
    const { send } = open({ 'a.txt': 'one\n' });
    expect(await send('<exec:cat a.txt>')).toMatch(/^exit 0, \d+\.\d s\none$/);
    const both = `<exec:>\nsh -c 'echo 1; echo 2 >&2; echo 3; exit 4'\n</exec>`;
    expect(await send(both)).toMatch(/^exit 4, \d+\.\d s\n1\n2\n3$/);
    expect(await send(`<exec:sh -c 'kill -SEGV $$'>`)).toMatch(/^exit 139, SIGSEGV, /);
  });

  it('says that a command has failed, but not that one was stopped', async () => {
    const { sendAll } = open();
    const listFailed = async (tags: string) => (await sendAll(tags)).map(({ failed = false }) => failed);
    expect(await listFailed('<exec:true>\n<exec:false>\n<sh:exit 3>')).toEqual([false, true, true]);
    expect(await listFailed('<sh:exit 3 background=true>\n<sh:sleep 60 background=true>')).toEqual([false, false]);
    await vi.waitFor(async () => expect(await listFailed('<tail:1>\n<tail:2>')).toEqual([true, false]), {
      timeout: 60_000,
    });
    expect(await listFailed('<stop:2>')).toEqual([false]);
  });

  it('passes on what is printed while it runs', async () => {
    const { send, agent, folder } = open();
    const printed: string[] = [];
    agent.subscribe((event) => {
      if (event.type !== 'call-output') return;
      printed.push(event.text);
      // The command goes on once its first line has arrived.
      writeFileSync(join(folder, 'go'), '');
    });
    const text = await send('<sh:>\necho one; while [ ! -e go ]; do sleep 0.05; done; echo two\n</sh>');
    expect(text).toContain('\none\ntwo');
    expect(printed.join('')).toBe('one\ntwo\n');
  });

  it('hands arguments over as they are', async () => {
    const { send } = open({ 'a.ts': '' });
    const print = `node -e 'console.log(JSON.stringify(process.argv.slice(1)))' --`;
    expect(await send(`<exec:${print} *.ts ~ {a,b} "x y" 'a;b' \\| --c=d 'timeout=3'>`)).toContain(
      '["*.ts","~","{a,b}","x y","a;b","|","--c=d","timeout=3"]',
    );
  });

  it('names the shell where only one understands the command', async () => {
    const { send } = open();
    expect(await send('<exec:ls | wc -l>')).toBe(
      [
        'ParameterError: | means something only to a shell, and there is none here. Quote it if it is text; otherwise pass the whole command to a shell.',
        'Try: <sh:ls | wc -l>',
      ].join('\n'),
    );
    expect(await send('<exec:FOO=1 node x.js>')).toContain('Try: <exec:env FOO=1 node x.js>');
    expect(await send('<exec:no-such-program x>')).toContain('no program no-such-program. It is not on the PATH.');
    expect(await send('<exec:./missing>')).toContain('There is no such file that can be run.');
    expect(await send('<exec:ls folder=nowhere>')).toContain('there is no folder nowhere.');
    expect(await send('<exec:ls folder=../..>')).toContain('PathError');
  });

  it('runs in a folder of the workspace, with the basics as environment and no input', async () => {
    vi.stubEnv('NO_COLOR', '1');
    vi.stubEnv('SOME_PASS', '1');
    const { send, folder } = open({ 'sub/x': '' });
    expect(await send('<exec:pwd folder=sub>')).toContain(join(folder, 'sub'));
    expect(await send('<exec:cat>')).toMatch(/^exit 0, \S+ s$/);
    const names = (await send('<exec:env>')).match(/^\w+(?==)/gm)!;
    expect(names).toContain('PATH');
    for (const name of ['NO_COLOR', 'SOME_PASS', 'NODE_ENV', 'VITEST']) expect(names).not.toContain(name);
  });

  it('lists the files that it changed', async () => {
    const { send } = open({ 'a.txt': '1', 'b.txt': '1' });
    expect(await send(`<sh:>\necho 2 > a.txt; rm b.txt; touch 'c d'\n</sh>`)).toMatch(
      /\nchanged 3 files: a\.txt, b\.txt \(gone\), "?c d"?$/,
    );
  });

  it('is stopped at its time limit, with what it printed until then', async () => {
    const { send } = open();
    const marker = randomUUID();
    const text = await send(`<sh:echo begun; sh -c 'sleep 1000; :' ${marker} timeout=1>`);
    expect(text).toMatch(/^killed, 1\.\d s: it took longer than 1 s\. More time: timeout=5\nbegun\b/);
    await untilMarked(marker, false);
  });

  it.runIf(type === 'namespace')(
    'is stopped at its time limit, also when it begins processes without end',
    async () => {
      const { send } = open();
      const marker = randomUUID();
      const script = `while :; do setsid sh -c 'trap "" TERM; sleep 1000; :' ${marker} & sleep 0.01; done`;
      expect(await send(`<sh:timeout=1>\n${script}\n</sh>`)).toMatch(/^killed, /);
      await untilMarked(marker, false);
    },
  );

  it('is stopped when the turn is cancelled', async () => {
    const { agent, entered } = open();
    await entered;
    const stop = new AbortController();
    const marker = randomUUID();
    const run = agent.run(asModelText(`<sh:sh -c 'sleep 1000; :' ${marker}>`), { signal: stop.signal });
    await untilMarked(marker, true);
    stop.abort();
    await expect(run).rejects.toThrow();
    await untilMarked(marker, false);
  });

  it('keeps the whole of a long output, and the last 10 MB of a longer one', { tags: ['long'] }, async () => {
    const { send } = open();
    const text = await send('<exec:seq 1 5000>');
    expect(text.length).toBeLessThan(2100);
    expect(text).toMatch(/full: <R:result:1>/);
    const longer = await send(`<exec:node -e 'process.stdout.write("x".repeat(11 * 1024 * 1024))'>`);
    expect(longer).toMatch(/\(\S+ characters before this are not kept\)/);
  });

  it('shows neither codes of terminals nor lines that were written over, and runs no tags that it prints', async () => {
    const { sendAll, folder } = open();
    const results = await sendAll(
      `<exec:>\nprintf '\\033[31mred\\033[0m \\033]0;title\\007\\033]8;;http://x\\033\\\\link\\n10%%\\r99%%\\rdone\\n<sh:touch out>\\n\\a\\b'\n</exec>`,
    );
    expect(results).toHaveLength(1);
    expect(results[0]!.text).toMatch(/\nred link\ndone\n<sh:touch out>$/);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });
});

describe('consent', () => {
  function openAsking(files: Files = {}, allow = false) {
    const asked: (Omit<ApprovalRequest, 'preview'> & { readonly shown: string })[] = [];
    const ask = async ({ preview, ...request }: ApprovalRequest) => {
      asked.push({ ...request, shown: (await preview?.()) ?? '' });
      return allow ? ({ decision: 'allow', remember: 'target' } as const) : ({ decision: 'deny' } as const);
    };
    return { ...openPlace(TerminalSpace, temporaryFolder(files), { approver: approvalPolicy({ ask }) }), asked };
  }

  it('is asked for with the whole command, and what its program really is', async () => {
    const { send, asked, folder } = openAsking({ 'sub/x': '' });
    symlinkSync('/bin/cat', join(folder, 'harmless'));
    await send(`<exec:./harmless 'a b'>`);
    await send(`<sh:folder=sub>\ncd x && rm -rf .\necho\n</sh>`);
    await send('<exec:sleep 100 background=true>');
    expect(asked.map(({ shown }) => shown)).toEqual([
      expect.stringMatching(/^\.\/harmless 'a b'\nruns \/\S*\/cat\nfor at most 120 s$/),
      expect.stringMatching(/^sh:\ncd x && rm -rf \.\necho\nin sub\n(?:runs .*\n)?for at most 120 s$/),
      'sleep 100\nonly reads\nin the background, until it is stopped',
    ]);
    expect(asked[0]!.touches).toContain("command:cat 'a b'");
    expect(asked[1]).toMatchObject({ target: "command:sh -c 'cd x && rm -rf .\necho'", effect: 'external' });
    expect(asked[1]!.touches).toContain('command:rm -rf .');
  });

  it('that is remembered holds for the command, and no longer when a program of the workspace is another one', async () => {
    const { send, asked, folder } = openAsking({ 'tool.sh': '#!/bin/sh\necho first\n' }, true);
    chmodSync(join(folder, 'tool.sh'), 0o755);
    for (let time = 0; time < 2; time++) expect(await send('<exec:./tool.sh>')).toContain('first');
    expect(asked).toHaveLength(1);
    await send('<exec:./tool.sh x>');
    expect(asked).toHaveLength(2);
    writeFileSync(join(folder, 'tool.sh'), '#!/bin/sh\necho second\n');
    expect(await send('<exec:./tool.sh>')).toContain('second');
    expect(asked).toHaveLength(3);
  });

  it('is asked for again when the program is changed while a person is asked', async () => {
    const folder = temporaryFolder({ 'tool.sh': '#!/bin/sh\necho first\n' });
    chmodSync(join(folder, 'tool.sh'), 0o755);
    let asked = 0;
    const ask = async () => {
      if (++asked === 1) writeFileSync(join(folder, 'tool.sh'), '#!/bin/sh\necho second\n');
      return { decision: 'allow' } as const;
    };
    const { send } = openPlace(TerminalSpace, folder, { approver: approvalPolicy({ ask }) });
    expect(await send('<exec:./tool.sh>')).toContain('second');
    expect(asked).toBe(2);
  });
});

describe('a command in the background', () => {
  it('goes on, shows what it prints, and is stopped', async () => {
    const { send, agent } = open();
    const marker = randomUUID();
    const begun = await send(`<sh:echo ready; sh -c 'while :; do sleep 0.01; done' ${marker} background=true>`);
    expect(begun).toMatch(/^1: sh: \(running\)\nWhat it prints: <tail:1>\. Its end: <stop:1>\.$/);
    await untilMarked(marker, true);
    await vi.waitUntil(async () => (await send('<tail:1>')).endsWith('\nready'), { timeout: 60_000 });
    expect(await agent.describe(['terminal'])).toContain('1: sh: (running');
    expect(await send('<stop:1>')).toMatch(/^1: sh: \(killed, \d+\.\d s\)\nready\b/);
    await untilMarked(marker, false);
    expect(await send('<tail:1>')).toMatch(/^1: sh: \(killed, /);
    expect(await send('<tail:9>')).toContain('no command 9 in the background. There are 1.\nTry: <tail:1>');
  });

  it('is listed while it runs, and ends without the others', async () => {
    const { send, agent } = open();
    for (const seconds of [1000, 2000]) await send(`<exec:sleep ${seconds} background=true>`);
    const list = () => agent.tree.at(['terminal'])!.running!();
    expect(list()).toMatchObject([
      { id: '1', title: 'sleep 1000' },
      { id: '2', title: 'sleep 2000' },
    ]);
    await list()[0]!.stop();
    await vi.waitUntil(() => list().length === 1, { timeout: 60_000 });
    expect(list()).toMatchObject([{ id: '2' }]);
    expect(await send('<tail:1>')).toMatch(/^1: sleep 1000 \(killed, /);
  });

  it('needs consent to begin, and is one of eight', async () => {
    const { send } = open();
    for (let number = 1; number <= 8; number++) await send('<exec:sleep 1000 background=true>');
    expect(await send('<exec:sleep 1000 background=true>')).toContain('8 commands run in the background');
    await send('<stop:3>');
    expect(await send('<exec:sleep 1000 background=true>')).toMatch(/^9: /);
  });

  it('ends with the session', async () => {
    const { send, agent } = open();
    const marker = randomUUID();
    await send(`<sh:sh -c 'trap "" TERM; while :; do sleep 0.01; done' ${marker} background=true>`);
    await untilMarked(marker, true);
    await agent.close();
    await untilMarked(marker, false);
  });
});

describe.runIf(type === 'namespace')('what tries to outlive its command', () => {
  it.each([
    ['a daemon', `setsid sh -c 'sleep 1000; :' MARK > /dev/null 2>&1 & sleep 0.1; echo done`],
    ['a daemon of a daemon', `setsid setsid sh -c 'sh -c "sleep 1000; :" MARK' MARK & sleep 0.1; echo done`],
    [
      'what ignores every signal',
      `nohup sh -c 'trap "" HUP INT TERM QUIT; while :; do sleep 0.1; done' MARK & echo done`,
    ],
    ['many processes', `for i in $(seq 200); do sh -c 'sleep 1000; :' MARK & done; echo done`],
    [
      'a copy that begins itself again',
      `echo 'sleep 0.01; setsid sh "$0" MARK &' > again.sh; sh again.sh MARK; echo done`,
    ],
  ])('ends with it: %s', async (_what, script) => {
    const { send } = open();
    const marker = randomUUID();
    expect(await send(`<sh:>\n${script.replaceAll('MARK', marker)}\n</sh>`)).toMatch(/^exit 0, .*\ndone/);
    await untilMarked(marker, false);
  });
});

it('does not use the terminal of bae', async () => {
  const { send } = open();
  expect(await send(`<sh:>\n(echo x > /dev/tty) 2>&1 || echo none\n</sh>`)).toContain('none');
});

it('names cmd.exe where that is the shell, and hands it the text in quotes', async () => {
  const folder = temporaryFolder();
  const machine = temporaryFolder({ 'System32/cmd.exe': '#!/bin/sh\necho "$@"\nexit 4\n' });
  chmodSync(join(machine, 'System32/cmd.exe'), 0o755);
  const platform = createWindows({ Path: '', SystemRoot: machine }, posix);
  const root = new WorkspaceRoot(folder);
  // The fake shell is neither in the workspace nor in the PATH of this process.
  limitCommands({ token: WORKSPACE_ROOT, value: root }, { limits: false });
  const { entered, send } = openPlace(new TerminalSpace(root, platform), folder);
  expect((await entered).calls[0]?.result.text).toContain('\nThe shell of sh is cmd.exe: one line, its own syntax.\n');
  expect(await send('<sh:dir "a b" & ver>')).toMatch(
    /^exit 4, \d\.\d s, run by cmd\.exe\n\/d \/e:on \/v:off \/s \/c "dir "a b" & ver"$/,
  );
  expect(await send('<sh:>\ndir\nver\n</sh>')).toContain('Try: <sh:dir && ver>');
});
