import { asModelText, createAgent, defineResourcespace, tool } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { collectNames } from '../space-outline.ts';
import { COMMANDS } from '../command-line/command-list.ts';
import { interpret, isCode, OTHER_COMMANDS } from './interpret.ts';

const agent = createAgent({ home: sampleHome, spaces: sampleSpaces });
const atHome = { tree: agent.tree, location: [] };
const inSource = { tree: agent.tree, location: ['source'] };
const inDeps = { tree: agent.tree, location: ['source', 'deps'] };

describe('interpret', () => {
  it.each(['', '   ', '\t'])('does nothing for %j', (line) => {
    expect(interpret(line, atHome)).toEqual({ kind: 'nothing' });
  });

  it.each(['exit', 'quit', 'exit()', '/exit', ' exit '])('ends with %j', (line) => {
    expect(interpret(line, atHome)).toEqual({ kind: 'exit' });
  });

  it.each([
    ['@2', { kind: 'session', label: '2', text: '' }],
    ['@2 hello you', { kind: 'session', label: '2', text: 'hello you' }],
    ['@idea hello', { kind: 'question', text: '@idea hello' }],
    ['@2.5 is a number', { kind: 'question', text: '@2.5 is a number' }],
    ['/', { kind: 'mistake', text: 'type a command behind /, such as /read src; ? lists them all.' }],
    ['@', { kind: 'mistake', text: 'type a file behind @ to attach it to a question, or a session, such as @2.' }],
    ['let x = read("a.ts")', { kind: 'mistake', text: 'this is code. To run it: /code let x = read("a.ts")' }],
    ['let x = read of a', { kind: 'question', text: 'let x = read of a' }],
    [
      'read("a.ts")\n\nwrite("b.txt", "x y")',
      {
        kind: 'several',
        inputs: [
          { kind: 'tags', text: '<read:a.ts>' },
          { kind: 'code', text: '<run>\nwrite("b.txt", "x y")\n</run>' },
        ],
      },
    ],
    ['!ls', { kind: 'mistake', text: 'commands do not run here. Start bae with --allow-commands.' }],
  ])('takes %j for what it is', (line, input) => {
    expect(interpret(line, atHome)).toEqual(input);
  });

  it.each([
    ['nav', '@nav()'],
    ['nav()', '@nav()'],
    ['@nav()', '@nav()'],
    ['/nav', '@nav()'],
    ['where', '@where()'],
    ['where()', '@where()'],
    ['/where', '@where()'],
    ['back', '@back()'],
    ['up()', '@up()'],
    ['home', '@home()'],
    ['source()', '@source()'],
    ['@source.meta()', '@source.meta()'],
    ['help', '<help:>'],
    ['help()', '<help:>'],
    ['help grep', '<help:grep>'],
    ['/help grep', '<help:grep>'],
    ['/read src/a.ts', '<read:src/a.ts>'],
    ['/read', '<read:>'],
    ['read("src/a.ts")', '<read:src/a.ts>'],
    ["read('a.ts')", '<read:a.ts>'],
    ['source.read("core")', '<source.read:core>'],
    ['<R:a.ts>', '<R:a.ts>'],
    ['<R:a.ts> <R:b.ts>', '<R:a.ts> <R:b.ts>'],
    ['<sorce.R:core>', '<sorce.R:core>'],
    ['<W:a.txt>hello</W>', '<W:a.txt>hello</W>'],
  ])('executes %s', (line, text) => {
    expect(interpret(line, atHome)).toMatchObject({ kind: 'tags', text });
  });

  it.each([
    ['read(a.ts)', '<read:a.ts>'],
    ['read()', '<read:>'],
    ['await read("a.ts");', '<read:a.ts>'],
    ['read( "a.ts" )', '<read:a.ts>'],
    ['home.read("a.ts")', '<home.read:a.ts>'],
  ])('executes the call %s as a tag', (line, text) => {
    expect(interpret(line, inSource)).toEqual({ kind: 'tags', text });
  });

  it.each([
    ['write("a.txt", "hello (you")', 'write("a.txt", "hello (you")'],
    ['read(5)', 'read(5)'],
    ['read(`a.ts`)', 'read(`a.ts`)'],
    ['read("a.ts", { lines: [1, 2] })', 'read("a.ts", { lines: [1, 2] })'],
    ['read("a\\n<b>")', 'read("a\\n<b>")'],
    ['read("a.ts").length', 'read("a.ts").length'],
    ['await read("a.ts").then((text) => text.length)', 'await read("a.ts").then((text) => text.length)'],
    ['grep("a", path: "src", ignored: true)', 'grep("a", { path: "src", ignored: true })'],
    ['source().grep("a", "b")', 'source.grep("a", "b")'],
    ['write("a.txt",\n  "hello")', 'write("a.txt",\n  "hello")'],
  ])('executes the call %s as code', (line, code) => {
    expect(interpret(line, atHome)).toEqual({ kind: 'code', text: `<run>\n${code}\n</run>` });
  });

  it.each([
    ['1 + 1', '<run>\n1 + 1\n</run>'],
    ['read("a.ts")', '<run>\nread("a.ts")\n</run>'],
    ['help', '<run>\nhelp\n</run>'],
    ['const a = 1\na', '<run>\nconst a = 1\na\n</run>'],
    ['/read a.ts', '<read:a.ts>'],
    ['<R:a.ts>', '<R:a.ts>'],
    ['/a/.test("a")', '<run>\n/a/.test("a")\n</run>'],
    ['/read/i.test(x)', '<run>\n/read/i.test(x)\n</run>'],
    ['// a comment', '<run>\n// a comment\n</run>'],
    ['/* one */ 1', '<run>\n/* one */ 1\n</run>'],
    ['@source()', '@source()'],
    ['<any>files', '<run>\n<any>files\n</run>'],
  ])('executes %j in code mode', (line, text) => {
    const kind = text.startsWith('<run>') ? 'code' : 'tags';
    expect(interpret(line, { ...atHome, inCode: true })).toMatchObject({ kind, text });
  });

  it.each(['', '  ', 'exit', ' quit() ', '/exit'])('takes %j for no code, so that nothing is read after it', (line) => {
    expect(isCode(line, { ...atHome, inCode: true })).toBe(false);
  });

  it.each([
    ['help', 'lines are code here. For the help of bae type /help'],
    ['help()', 'lines are code here. For the help of bae type /help'],
    ['help grep', 'lines are code here. For the help of bae type /help grep'],
    ['help[0]', undefined],
  ])('has a hint in code mode for a failing %j', (line, hint) => {
    const input = interpret(line, { ...atHome, inCode: true });
    expect(input.kind === 'code' && input.hint).toBe(hint);
  });

  it('reports an unknown command in code mode too', () => {
    expect(interpret('/raed a.ts', { ...atHome, inCode: true })).toMatchObject({ kind: 'mistake' });
  });

  it('takes calls of commands for them, where there are such commands', () => {
    const place = { ...atHome, commands: ['ns', 'store'] };
    expect(interpret('ns()', place)).toEqual({ kind: 'command', name: 'ns', words: [] });
    expect(interpret('store("the port")', place)).toEqual({ kind: 'command', name: 'store', words: ['the', 'port'] });
    expect(interpret('ns()', atHome)).toMatchObject({ kind: 'mistake' });
  });

  it('takes several lines for calls and commands if each of them is one', () => {
    const place = { ...atHome, commands: ['cost', 'review'] };
    const cost = { kind: 'command', name: 'cost', words: [] };
    const read = { kind: 'tags', text: '<read:a.ts>' };
    expect(interpret('/cost\n/read a.ts', place)).toEqual({ kind: 'several', inputs: [cost, read] });
    expect(interpret('read("a.ts")\n/cost', place)).toEqual({ kind: 'several', inputs: [read, cost] });
    expect(interpret('/review src\nand more', place)).toEqual({
      kind: 'command',
      name: 'review',
      words: ['src', 'and', 'more'],
    });
  });

  it('takes a line for the command line of the machine as the same command here', () => {
    const place = { ...atHome, commands: ['sessions', 'cost'], sharedCommands: ['sessions'] };
    expect(interpret('bae sessions --json', place)).toEqual({ kind: 'command', name: 'sessions', words: ['--json'] });
    const others = Object.keys(COMMANDS).filter((name) => !['shell', 'ask', 'do', 'create'].includes(name));
    expect([...OTHER_COMMANDS]).toEqual(others);
    for (const line of ['bae trust', 'bae trust --yes', 'bae parse a.md'])
      expect(interpret(line, place)).toEqual({
        kind: 'mistake',
        text: `bae ${line.split(' ')[1]} is a command of its own: type it in another terminal. A question about it begins otherwise.`,
      });
    for (const line of [
      'bae trust is what?',
      'bae cost',
      'bae do you know why',
      'bae sessions are what?',
      'bae is good',
    ])
      expect(interpret(line, place)).toEqual({ kind: 'question', text: line });
  });

  it('changes to code mode, or executes one line of code', () => {
    expect(interpret('/code', atHome)).toEqual({ kind: 'switch' });
    expect(interpret('/code 1 + 1', atHome)).toEqual({ kind: 'code', text: '<run>\n1 + 1\n</run>' });
    expect(interpret('/code a </run>', atHome)).toMatchObject({ kind: 'mistake' });
    expect(interpret('exit', { ...atHome, inCode: true })).toEqual({ kind: 'exit' });
  });

  it('finds spaces below the location, and below the places above it', () => {
    expect(interpret('meta()', inSource)).toEqual({ kind: 'tags', text: '@source.meta()' });
    expect(interpret('meta()', inDeps)).toEqual({ kind: 'tags', text: '@source.meta()' });
    expect(interpret('tasks()', inDeps)).toEqual({ kind: 'tags', text: '@tasks()' });
  });

  it('takes the tools of the place where it was typed', () => {
    expect(interpret('/done 7', { tree: agent.tree, location: ['tasks'] })).toEqual({ kind: 'tags', text: '<done:7>' });
    expect(interpret('/done 7', atHome)).toMatchObject({ kind: 'mistake' });
  });

  it.each([
    ['sourc()', "no tool or space 'sourc' here. Did you mean source()?"],
    ['zzzzzz()', "no tool or space 'zzzzzz' here. See what there is: nav()"],
    ['raed("a.ts")', `no tool 'raed'. Did you mean read(…)? To run it as code: /code raed("a.ts")`],
    [
      'source.raed("x")',
      `no tool 'source.raed'. Did you mean source.read(…)? To run it as code: /code source.raed("x")`,
    ],
    [
      'sorce.read("x")',
      `no tool or space 'sorce.read' here. Did you mean source()? To run it as code: /code sorce.read("x")`,
    ],
    ['print(1 + 1)', "no tool or space 'print' here. See what there is: nav(). To run it as code: /code print(1 + 1)"],
    ['source("core")', 'source() takes no arguments: it goes to the place source.'],
    ['read("a.ts"', 'the call is not closed: close its brackets and quotes, read(…).'],
    ['read("a.ts)', 'the call is not closed: close its brackets and quotes, read(…).'],
    ['/raed a', 'no command /raed here. Did you mean /read?'],
    [
      '/zzzzzz',
      'no command /zzzzzz here. There are /help /read /write /edit /grep /home /back /up /nav /where /code /exit',
    ],
    ['/write a.txt "hello" you', String.raw`/write cannot give a text. Type a call: write("a.txt", "\"hello\" you")`],
    ['/write', '/write cannot give a text. Type a call: write("a.txt", "…")'],
    [
      'read("a.ts")\nwhat is this',
      'nothing ran: line 1 is a call, and line 2 is none. Send them one by one, or all as code: /code …',
    ],
    ['read("a.ts")\n/raed a', 'no command /raed here. Did you mean /read?'],
    ['/read a>b', '<read:a>b> is not a tag: an argument cannot contain < or >. Put it between <read:…> and </read>.'],
  ])('explains what is wrong with %s', (line, message) => {
    expect(interpret(line, atHome)).toEqual({ kind: 'mistake', text: message });
  });

  it.each([
    'what is in <R:a.ts>?',
    'help me with this',
    'who are you()?',
    'use @source() please',
    '/tmp/x is full, why?',
    'read the manual',
    'read() is slow, why?',
    'foo(1) is undefined',
    'why (and how) does it work?',
    'foo(',
  ])('asks the model: %s', (line) => {
    expect(interpret(line, atHome)).toEqual({ kind: 'question', text: line });
  });

  it('shows a problem with a tag instead of sending it to the model', () => {
    expect(interpret('<W:a.txt>', atHome)).toMatchObject({ kind: 'tags' });
    expect(interpret('<Grep:>', atHome)).toMatchObject({ kind: 'tags' });
  });

  const interpretLines = (numRuns: number): void => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<R:a>',
        '<W:',
        '/read ',
        'source',
        '()',
        '@',
        '.meta',
        'help',
        ' ',
        '"',
        '<run>',
        '\n',
        '>',
        'done',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const line = pieces.join('');
        const input = interpret(line, inSource);
        if (input.kind === 'question') expect(input.text).toBe(line.trim());
        if (input.kind !== 'tags') return;
        const { calls, runs, problems } = parse(asModelText(input.text), collectNames(agent.tree));
        expect(calls.length + runs.length + problems.length).toBeGreaterThan(0);
      }),
      { numRuns },
    );
  };
  it('makes something of every line, and tags only of what the parser takes for some', { tags: ['long'] }, () =>
    interpretLines(30),
  );
  it(
    'makes something of every line, and tags only of what the parser takes for some, 300 times',
    { tags: ['long'] },
    () => interpretLines(300),
  );

  it('takes commands of bae with a slash, after the tools of the place', () => {
    const undo = tool('Undone.', { steps: z.string() }, () => '');
    const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { undo } });
    const place = { tree: createAgent({ home }).tree, location: [], commands: ['cost', 'audit', 'undo'] };
    expect(interpret('/cost', place)).toEqual({ kind: 'command', name: 'cost', words: [] });
    expect(interpret('/audit last  --changes', place)).toEqual({
      kind: 'command',
      name: 'audit',
      words: ['last', '--changes'],
    });
    expect(interpret('/undo 2', place)).toEqual({ kind: 'tags', text: '<undo:2>' });
    expect(interpret('?', place)).toEqual({ kind: 'command', name: '?', words: [] });
    expect(interpret('/cst', place)).toMatchObject({
      kind: 'mistake',
      text: expect.stringContaining('Did you mean /cost?') as string,
    });
    expect(interpret('/cost', { ...place, inCode: true })).toMatchObject({ kind: 'command' });
  });

  it('takes the label of a session that there is', () => {
    const place = { ...atHome, labels: ['1', 'idea'] };
    expect(interpret('@idea hello', place)).toEqual({ kind: 'session', label: 'idea', text: 'hello' });
    expect(interpret('@ideas hello', place)).toEqual({ kind: 'question', text: '@ideas hello' });
    expect(interpret('@idea@example.com hello', place)).toMatchObject({ kind: 'question' });
  });

  it('knows spaces that come and go', () => {
    let there = false;
    const child = defineResourcespace({ name: 'draft', description: 'A draft.', tools: {} });
    const notes = defineResourcespace({
      name: 'notes',
      description: 'Notes.',
      tools: {},
      children: () => (there ? { draft: child } : {}),
    });
    const { tree } = createAgent({ spaces: [notes] });
    expect(interpret('notes.draft()', { tree, location: [] })).toMatchObject({ kind: 'mistake' });
    there = true;
    expect(interpret('notes.draft()', { tree, location: [] })).toEqual({ kind: 'tags', text: '@notes.draft()' });
  });
});
