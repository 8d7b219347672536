// @module-tag long

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasTerminal, PSEUDO_TERMINAL } from './open-terminal.ts';
import { LAUNCHER } from './run-bae.ts';
import { scratchFolder } from './scratch-folder.ts';
import { inPieces, openSharedScreen, type SharedScreen } from './shared-screen.ts';

const [CTRL_C, CTRL_G, CTRL_J, CTRL_O, CTRL_R, CTRL_U, CTRL_V] = [
  '\u0003',
  '\u0007',
  '\n',
  '\u000F',
  '\u0012',
  '\u0015',
  '\u0016',
];
const [SHIFT_ENTER, ALT_ENTER, SHIFT_TAB, ESCAPE, UNDO] = ['\u001B[13;2u', '\u001B\r', '\u001B[Z', '\u001B', '\u001F'];
const DOWN = '\u001B[B';

const ANSWER = [
  '# A title',
  'Words of 日本語, 👩‍👩‍👧, שלום and \u001B]0;evil\u0007\u001B[2Jmore of them, so that this line is longer than any screen here is wide.',
  '- one item',
  '| name | what it is, in more words than fit into a column |\n|---|---|\n| a.ts | one |',
  '```ts\nconst a: string = "x"; // why\n```',
].join('\n\n');
const CODE = "let n = 0;\nfor (const f of await glob('src/*.txt')) n += (await read(f)).length;\nn";

let cwd: string;
const file = (name: string): string => join(cwd, name);

/** What a person does at the prompt, and sees; each begins and ends with an empty one. */
const ITEMS: readonly (readonly [title: string, attempt: (bae: SharedScreen) => Promise<void>])[] = [
  [
    'a text appears as it is written, dim, above the toolbar and without its calls',
    async (bae) => {
      const { respond, next } = inPieces(['The first wor', 'ds of it.\n\n<W:c.txt>\nhid', 'den\n</W>\n']);
      bae.model.willSay(respond, 'Not written.');
      bae.type('write it\r');
      await bae.shows(/The first wor\n.*openai-compatible\/test/);
      expect(bae.cellOf('The first wor')?.isDim()).toBeTruthy();
      next();
      await bae.shows(/The first words of it\.\n.*openai-compatible\/test/);
      expect(bae.screen()).not.toMatch(/<W|hid/);
      next();
      await bae.shows('run it?');
      bae.type('n\r');
      await bae.shows('[ai:1] Not written.');
      expect(bae.screen()).not.toContain('The first words');
    },
  ],
  [
    'Markdown is rendered while it is written, and what was written stays when it is cancelled',
    async (bae) => {
      const { respond, next } = inPieces(['## A ti', 'tle\n\n- one **ite', 'm** of\n\n```ts\nlet a = "x', '";\n']);
      bae.model.willSay(respond);
      bae.type('tell me\r');
      await bae.shows(/^A ti\n/m);
      next();
      await bae.shows(/^A title\n\n• one ite\n/m);
      next();
      await bae.shows(/^• one item of\n\n {2}let a = "x\n/m);
      for (const text of ['A title', 'let a']) {
        expect(bae.cellOf(text)?.isDim()).toBeTruthy();
        expect(bae.cellOf(text)?.isFgRGB()).toBeTruthy();
      }
      bae.type(ESCAPE);
      await bae.shows(/\[ai:1\]\n {2}A title\n\n {2}• one item of\n\n {4}let a = "x\ncancelled ai:1\nhome>$/m);
      expect(bae.cellOf('one item')?.isDim()).toBeFalsy();
    },
  ],
  [
    'an answer is rendered, wrapped at words, and cannot act on the terminal',
    async (bae) => {
      bae.model.willSay(ANSWER);
      const from = bae.raw().length;
      bae.type('tell me\r');
      await bae.shows(/\[ai:1\]\s+A title[^]*const a: string[^]*home>$/m);
      const shown = bae.screen();
      for (const text of ['A title', '日本語', 'שלום', '• one item', 'a.ts']) expect(shown).toContain(text);
      expect(shown).not.toMatch(/^# A|\*\*|\|---|```/m);
      expect(shown).toMatch(/longer than any|than any screen|longer/);
      expect(bae.raw(from)).not.toContain('\u001B]0;');
      expect(bae.cellOf('const a')?.isFgRGB()).toBeTruthy();
    },
  ],
  [
    'a flood of 5,000 pieces holds up no key, and garbles nothing',
    async (bae) => {
      const { respond, next } = inPieces(Array.from({ length: 5000 }, (_, index) => `word${index} `));
      bae.model.willSay(respond);
      bae.type('flood\r');
      await bae.shows('word0');
      for (let count = 1; count < 2500; count++) next();
      bae.type('ahead');
      await bae.shows(/^home> ahead\n.*the model is writing/m);
      for (let count = 2500; count < 5000; count++) next();
      await bae.shows(/word4999\s+home> ahead\n(?!.*the model is writing)/);
      const words = bae.screen().match(/\bword\d+/g)!;
      expect(words.at(-1)).toBe('word4999');
      expect(words).toEqual(words.map((_, index) => `word${5000 - words.length + index}`));
    },
  ],
  [
    'equal calls are one line, and a run block is a panel as wide as the screen',
    async (bae) => {
      bae.model.willSay(`I count.\n<run>\n${CODE}\n</run>`, 'Counted.');
      bae.type('count\r');
      await bae.shows(/\[ai:1\] Counted\.\s+home>/);
      expect(bae.screen()).toContain('◆ read ×48 -> string (1,200 lines)');
      const panel = bae.lines().filter((line) => /^[╭│├╰]/u.test(line));
      expect(panel.length).toBeGreaterThan(5);
      if (bae.isResized) return;
      expect(panel.map((line) => line.length)).toEqual(panel.map(() => bae.terminal.cols));
      expect(bae.cellOf('let n')?.isFgRGB()).toBeTruthy();
      bae.type(CTRL_O);
      await bae.shows(/^ {2}a line\n[^]*8400/m);
      bae.type(CTRL_O);
      await bae.until(() => !/^ {2}a line$/m.test(bae.screen()));
    },
  ],
  [
    'Ctrl-V shows what is on the screen in the next view',
    async (bae) => {
      bae.model.willSay('<R:a.ts>', 'It has **one**.');
      bae.type('look\r');
      await bae.shows(/\[ai:1\] It has one\.\s+home>/);
      bae.type(CTRL_V);
      // A window that shrinks meanwhile may take the first line away.
      await bae.shows(/type=turn-end[^]*view debug ·/);
      bae.type(CTRL_V);
      await bae.shows(/\[ai-output:1\]\nIt has \*\*one\*\*\.[^]*view ai ·/);
      bae.type(CTRL_V);
      await bae.shows(/\[ai:1\] It has one\.\s+home>\n(?!view)/);
    },
  ],
  [
    'a place shows its tools as calls, within the width',
    async (bae) => {
      bae.type('source()\r');
      await bae.shows('home > source>');
      expect(bae.everything()).toMatch(/\bread\(/);
      expect(bae.screen()).not.toContain('↩');
      bae.type('home()\r');
      await bae.shows(/^home>$/m);
    },
  ],
  [
    'calls by hand are calls, and a misspelt one is explained',
    async (bae) => {
      bae.type('read("a.ts")\r');
      await bae.shows('export const a = 1;');
      bae.type('home.read("a.ts:1")\r');
      await bae.shows('1|export const a');
      bae.type('read(5)\r');
      await bae.shows(/5.*(not|no |text|string)/);
      bae.type('raed("a.ts")\r');
      await bae.shows('Did you mean read(…)?');
      expect(bae.model.prompts.join('\n')).not.toContain('raed');
    },
  ],
  [
    'a text has several lines with Shift-Enter, Alt-Enter, Ctrl-J and \\',
    async (bae) => {
      bae.model.willSay('Four lines.');
      for (const key of ['one', SHIFT_ENTER, 'two', ALT_ENTER, 'three', CTRL_J]) {
        bae.type(key);
        await bae.shows(key === 'one' ? 'home> one' : /home> one/);
      }
      bae.type('four\\\r');
      await bae.shows(/… four\n…$/m);
      bae.type('five\r');
      await bae.shows('[ai:1] Four lines.');
      expect(bae.model.prompts.at(-1)).toContain('one\ntwo\nthree\nfour\nfive');
    },
  ],
  [
    'a paste runs nothing by itself',
    async (bae) => {
      bae.type('\u001B[200~<W:pasted.txt>\nx\n</W>\n\u001B[201~');
      await bae.shows('… </W>');
      expect(existsSync(file('pasted.txt'))).toBe(false);
      bae.type(CTRL_C);
      await bae.until(() => bae.screen().replace(/\n.*$/, '').endsWith('home>'));
    },
  ],
  [
    'earlier lines come back with Up and Ctrl-R, undo takes back, and the own editor changes the text',
    async (bae) => {
      bae.type('/context\r');
      await bae.shows(/of the context: [^]*home>$/m);
      bae.type('\u001B[A');
      await bae.shows(/home> \/context/);
      bae.type(CTRL_U);
      bae.type(`${CTRL_R}raed`);
      await bae.shows('search raed: raed("a.ts")');
      bae.type(ESCAPE);
      await bae.shows(/^home>$/m);
      bae.type('lost words');
      bae.type(CTRL_U);
      bae.type(UNDO);
      await bae.shows('home> lost words');
      bae.type(`${CTRL_U}a wrong word`);
      await bae.shows('a wrong word');
      bae.type(CTRL_G);
      await bae.shows('a right word');
    },
  ],
  [
    'Tab completes places, tools, parameters, paths and commands; a slash opens a menu',
    async (bae) => {
      for (const [typed, whole] of [
        ['sour', 'home> source'],
        ['<Gre', '<Grep:'],
        ['<Grep:x ign', 'ignored='],
        ['<R:a.', '<R:a.ts'],
        ['look at @a.', '@a.ts'],
        ['/resu', '/resume'],
      ] as const) {
        bae.type(typed);
        await bae.shows(typed);
        bae.type('\t');
        await bae.shows(whole);
        bae.type(CTRL_U);
        await bae.until(() => !bae.lines().some((line) => /^home> \S/.test(line)));
      }
      bae.type('/vi');
      await bae.shows(/\/view +how the session/);
    },
  ],
  [
    'Shift-Tab goes through the modes, which the prompt and the toolbar show',
    async (bae) => {
      bae.type(SHIFT_TAB);
      await bae.shows(/edit home>[^]*accept edits/);
      bae.type(SHIFT_TAB);
      await bae.shows(/plan home>[^]*plan ·/);
      bae.model.willSay('<W:p.txt>\np\n</W>', '# Plan\n\n1. Write p.txt', '<W:p.txt>\np\n</W>', 'Done.');
      bae.type('write p\r');
      await bae.shows('follow it?');
      expect(existsSync(file('p.txt'))).toBe(false);
      bae.type('e\r');
      await bae.shows('[ai:1] Done.');
      expect(readFileSync(file('p.txt'), 'utf8')).toBe('p\n');
      bae.type('/mode ask\r');
      await bae.shows('mode ask:');
    },
  ],
  [
    'a change is shown in colours, and a rule for it is kept in a file that is named',
    async (bae) => {
      bae.model.willSay('<W:d.txt>\nnew line\n</W>', 'Written.', '<W:e.txt>\nx\n</W>', 'Written again.');
      bae.type('write d\r');
      await bae.shows('run it?');
      expect(bae.screen()).toContain('rules.json');
      expect(bae.cellOf('+ new line')?.isFgDefault() ?? bae.cellOf('+new line')?.isFgDefault()).toBeFalsy();
      bae.type('r\r');
      await bae.shows('[ai:1] Written.');
      expect(readFileSync(file('.config/bae/rules.json'), 'utf8')).toContain('write');
      bae.type('write e\r');
      await bae.shows('[ai:1] Written again.');
    },
  ],
  [
    'a line of the shell of the machine runs',
    async (bae) => {
      bae.type('!echo one | tr a-z A-Z\r');
      await bae.shows(/run it\?|\nONE/);
      if (bae.screen().includes('run it?')) bae.type('y\r');
      await bae.shows('\nONE');
    },
  ],
  [
    'sessions are beside one another, forked, listed and resumed',
    async (bae) => {
      bae.model.willSay('I keep the word melon.', 'It is melon.', 'There is none.', 'Back.');
      bae.type('/new\r');
      await bae.shows('a new session');
      bae.type('the word is melon\r');
      await bae.shows('I keep the word');
      bae.type('/fork idea\r');
      await bae.shows('@idea home>');
      bae.type('which word?\r');
      await bae.shows('[ai:idea] It is melon.');
      expect(bae.model.requests.at(-1)).toContain('the word is melon');
      bae.type('@2 which word?\r');
      await bae.shows('[ai:2] There is none.');
      expect(bae.model.requests.at(-1)).not.toContain('melon');
      bae.type('@idea\r');
      await bae.shows('@idea home>');
      bae.type('@1\r');
      await bae.shows(/^home>$/m);
      bae.type('/sessions\r');
      await bae.shows(/^[0-9a-f-]{13} .*which word\?$/m);
      bae.type('/resume\r');
      await bae.shows('so far.');
      bae.type('@1\r');
      await bae.shows(/session 1\.[^]*^home>$/m);
    },
  ],
  [
    'Escape cancels a turn, and an idle Ctrl-C asks before it leaves',
    async (bae) => {
      bae.model.willSay(inPieces(['I think', 'never']).respond, 'Here.');
      bae.type('think\r');
      await bae.shows('I think');
      bae.type(ESCAPE);
      await bae.shows(/cancelled ai:1\s+home>/);
      bae.type(CTRL_C);
      await bae.shows('Ctrl-C again, or Ctrl-D, leaves.');
      bae.type('still here?\r');
      await bae.shows('[ai:1] Here.');
    },
  ],
  [
    '/tasks shows what runs while a model writes, and cancels one of it by arrow or number, and not the others',
    async (bae) => {
      bae.type('<terminal.exec:sleep 1000 background=true>\r');
      await bae.until(() => /run it\?|1: sleep 1000 \(running\)/.test(bae.screen()));
      if (bae.screen().includes('run it?')) bae.type('y\r');
      await bae.shows('1: sleep 1000 (running)');
      const { respond, next } = inPieces(['I think', ' on', ' and on', 'never']);
      bae.model.willSay(respond, 'Next.');
      bae.type('think\r');
      await bae.shows('I think');
      bae.type('and then?\r');
      await bae.shows('queued: and then?');
      bae.type('/tasks\r');
      await bae.shows('esc=back');
      bae.type(ESCAPE);
      await bae.until(() => !bae.screen().includes('esc=back'));
      bae.type('\u0004');
      await bae.shows('leaving when this has ended');
      bae.type('x\u007F');
      await bae.until(() => !bae.screen().includes('leaving when'));
      bae.type('/tasks\r');
      await bae.shows(/^› 1 +\d+ s +home +ai:1 think$/m);
      await bae.shows(/^ {2}2 +\d+ s +terminal +sleep 1000$/m);
      await bae.shows(/^ {2}3 +\d+ s +queued: and then\?$/m);
      next();
      await bae.shows('I think on');
      bae.type(DOWN);
      await bae.shows(/^› 2 .*sleep 1000$/m);
      bae.type('\r');
      await bae.shows('cancelled sleep 1000');
      await bae.until(() => !/^. 2 .*sleep/m.test(bae.screen()));
      next();
      await bae.shows('I think on and on');
      bae.type('1');
      await bae.shows(/cancelled ai:1[^]*\[ai:1\] Next\.[^]*home>$/m);
      await bae.until(() => !bae.screen().includes('esc=back'));
    },
  ],
  [
    '/tasks at the prompt shows a command in the background, until Escape or its end',
    async (bae) => {
      bae.type('<terminal.exec:sleep 2000 background=true>\r');
      await bae.until(() => /run it\?|sleep 2000 \(running\)/.test(bae.screen()));
      if (bae.screen().includes('run it?')) bae.type('y\r');
      await bae.shows('sleep 2000 (running)');
      bae.type('/tasks\r');
      await bae.shows(/home>\n› 1 +\d+ s +terminal +sleep 2000\n#=cancel/);
      bae.type(ESCAPE);
      await bae.until(() => !bae.screen().includes('esc=back'));
      bae.type('/tasks\r');
      await bae.shows('#=cancel');
      bae.type(CTRL_C);
      await bae.shows(/cancelled sleep 2000\nhome>/);
      bae.type('/tasks\r');
      await bae.shows(/nothing runs now\.\n\(no tasks\)/);
    },
  ],
  [
    'a mentioned file is attached, and paths are links to the editor',
    async (bae) => {
      bae.model.willSay('See a.ts:1 for it.');
      const from = bae.raw().length;
      bae.type('what is in @a.ts\r');
      await bae.shows('See a.ts:1 for it.');
      expect(bae.model.prompts.at(-1)).toContain('[Attached: a.ts]\nexport const a = 1;');
      // While it is written, the answer has no links.
      await bae.until(() => bae.raw(from).includes(`\u001B]8;;vscode://file${file('a.ts')}:1\u001B`));
    },
  ],
  [
    'a long step is named on the last line, and gone afterwards',
    async (bae) => {
      bae.type('/code while (await read("stop").then(() => false, () => true)); "over"\r');
      await bae.shows('the code is running… ');
      writeFileSync(file('stop'), '');
      await bae.shows('[code] over');
      await bae.until(() => !bae.screen().includes('the code is running'));
    },
  ],
  [
    '? lists what can be typed, by group',
    async (bae) => {
      bae.type('?\r');
      await bae.until(() => /Commands about this folder[^]*\/doctor/.test(bae.everything()));
      const all = bae.everything();
      for (const name of ['model', 'view', 'context', 'cost', 'sessions', 'resume', 'new', 'compact', 'undo', 'init'])
        expect(all).toMatch(new RegExp(`/${name} `));
      for (const name of ['tasks', 'spaces', 'approvals', 'mcp', 'export', 'fork'])
        expect(all).toMatch(new RegExp(`/${name} `));
    },
  ],
];

describe.skipIf(!hasTerminal).each([
  ['80 columns and 24 rows', [[80, 24]]],
  ['120 columns and 40 rows', [[120, 40]]],
  [
    'another size for each key',
    [
      [100, 30],
      [80, 24],
      [120, 40],
    ],
  ],
] as const)('on a screen of %s', (_name, sizes) => {
  let bae: SharedScreen;
  beforeAll(async () => {
    bae = await openSharedScreen(sizes);
    ({ cwd } = bae);
    await bae.shows('home>');
  });
  beforeEach(() => bae.clear());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') throw new Error(`the screen was:\n${bae.screen()}`);
    // A row that was wrapped by a smaller screen may be left above the prompt, until it is cleared.
    await bae.clear();
    await bae.until(() => !bae.screen().includes('queued: '));
  });
  afterAll(async () => {
    bae.type(`${CTRL_U}\u0004`);
    expect(await bae.ended).toBe(0);
    await bae.close();
  });

  it.each(ITEMS)('%s', (_title, attempt) => attempt(bae));
});

it.skipIf(!hasTerminal).each([
  ['NO_COLOR=1', ''],
  ['TERM=dumb', ''],
  ['', '--no-color'],
  ['', ''],
])('there is no colour and no link with %j %j, but otherwise there are', (setting, option) => {
  const { path } = scratchFolder();
  writeFileSync(join(path, 'a.ts'), 'export const a = 1;\n');
  const run = `${setting} '${process.execPath}' '${LAUNCHER}' do ${option} '<G:*.ts>\n@nav()\n<R:nope>'`;
  const env = { ...process.env, HOME: path, TERM: 'xterm', NO_COLOR: '' };
  const { stdout } = spawnSync(PSEUDO_TERMINAL, ['-qec', run, '/dev/null'], {
    cwd: path,
    encoding: 'utf8',
    input: '',
    env,
  });
  expect(stdout).toContain('a.ts');
  const isPlain = setting !== '' || option !== '';
  for (const link of ['\u001B]8;;vscode:', '\u001B]8;;bae:tasks']) expect(stdout.includes(link), link).toBe(!isPlain);
  if (isPlain) expect(stdout).not.toContain('\u001B[3');
});
