import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasTerminal, PSEUDO_TERMINAL } from './open-terminal.ts';
import { event, serveModel, type ServedResponse } from './model-server.ts';
import { LAUNCHER } from './run-bae.ts';
import { scratchFolder } from './scratch-folder.ts';

/** The built bae at a real terminal of a size, and what its screen looks like. */
async function open(size: { readonly cols: number; readonly rows: number }, script: readonly ServedResponse[]) {
  const { path: cwd } = scratchFolder();
  mkdirSync(join(cwd, 'src'));
  for (let count = 1; count <= 48; count++) writeFileSync(join(cwd, `src/f${count}.txt`), 'a line\n'.repeat(25));
  writeFileSync(join(cwd, 'a.ts'), 'export const a = 1;\n');
  const model = await serveModel(script);
  const run = `stty cols ${size.cols} rows ${size.rows}; tty > tty; exec '${process.execPath}' '${LAUNCHER}' ${model.args.join(' ')}`;
  const child = spawn(PSEUDO_TERMINAL, ['-qec', run, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm-256color', OLLAMA_HOST: 'http://127.0.0.1:9' },
  });
  const terminal = new xterm.Terminal({ ...size, scrollback: 1000, allowProposedApi: true });
  let raw = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (bytes: Buffer) => {
    raw += String(bytes);
    terminal.write(bytes, () => {
      for (const check of waiting) check();
    });
  });
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  onTestFinished(async () => {
    child.kill();
    await ended;
    await model.close();
  });
  const screen = (): string => {
    const { active } = terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, index) => {
      const line = active.getLine(index)!;
      return (line.isWrapped ? '↩' : '') + line.translateToString(true);
    });
    return lines.join('\n').trimEnd();
  };
  /** Resolves as soon as the screen looks so. */
  const shows = (wanted: string | RegExp): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        const isShown = typeof wanted === 'string' ? screen().includes(wanted) : wanted.test(screen());
        if (!isShown) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const resize = (cols: number, rows: number): void => {
    terminal.resize(cols, rows);
    spawnSync('sh', ['-c', `stty -F "$(cat '${join(cwd, 'tty')}')" cols ${cols} rows ${rows}`]);
  };
  return {
    terminal,
    screen,
    shows,
    resize,
    ended,
    raw: () => raw,
    type: (keys: string) => void child.stdin.write(keys),
  };
}

const ANSWER = [
  '# A title',
  'Words of 日本語, 👩‍👩‍👧, שלום and \u001B]0;evil\u0007\u001B[2Jmore of them, so that this line is longer than any screen here is wide.',
  '| name | what it is, in more words than fit into a column |\n|---|---|\n| a.ts | one |',
  '```ts\nconst a: string = "x"; // why\n```',
].join('\n\n');
const CODE = "let n = 0;\nfor (const f of await glob('src/*.txt')) n += (await read(f)).length;\nn";

describe.skipIf(!hasTerminal).each([
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
])('the screen of $cols columns and $rows rows', ({ cols, rows }) => {
  it('shows a session as it happens, from the first key to the last', async () => {
    const { promise: seen, resolve: goOn } = Promise.withResolvers<void>();
    const slowly: ServedResponse = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ delta: { content: 'The first words of' } }));
      const end = (): void => {
        response.write(event({ delta: { content: ` it.\n\n${ANSWER}` } }));
        response.write(event({ delta: {}, finish_reason: 'stop' }));
        response.end('data: [DONE]\n\n');
      };
      void seen.then(end);
    };
    const bae = await open({ cols, rows }, [`I count.\n<run>\n${CODE}\n</run>`, slowly]);
    await bae.shows('home>');
    bae.type('/vi');
    await bae.shows(/\/view +how the session is shown/);
    bae.type('\u0015how many characters?');
    await bae.shows('home> how many characters?');
    expect(bae.screen()).not.toContain('/view');
    bae.type('\r');
    await bae.shows('The first words of');
    expect(bae.screen()).toContain('◆ read ×48 -> string (1,200 lines)');
    const panel = bae
      .screen()
      .split('\n')
      .filter((line) => /^[╭│├╰]/u.test(line));
    expect(panel.map((line) => line.length)).toEqual(panel.map(() => cols));
    bae.type('typed ahead');
    await bae.shows('typed: typed ahead');
    goOn();
    await bae.shows('const a: string');
    await bae.shows('home> typed ahead');
    // Nothing of the live area, of the status line or of what the model wrote to the terminal itself is left.
    const shown = bae.screen();
    expect(shown.match(/The first words of/g)).toHaveLength(1);
    expect(shown).not.toContain('typed: ');
    expect(shown).not.toContain('↩');
    expect(bae.raw()).not.toContain('\u001B]0;');
    expect(shown).toContain('日本語');
    expect(shown).toContain('שלום');
    expect(bae.raw()).toContain('\u001B]8;;vscode://file');
    bae.type('\u0015');
    bae.resize(cols - 20, rows);
    bae.type('\u001B[200~first\nsecond\u001B[201~');
    await bae.shows('… second');
    bae.type('\u0003');
    bae.type('\u0016');
    await bae.shows('view: debug');
    bae.type('\u0016');
    await bae.shows('view: ai');
    bae.type('\u0016');
    await bae.shows('view: user');
    bae.type('raed("a.ts")');
    bae.type('\r');
    await bae.shows('Did you mean read(…)?');
    bae.type('\u0003');
    await bae.shows('Ctrl-C again');
    bae.type('\u0004');
    await bae.ended;
  });
});

it.skipIf(!hasTerminal).each(['NO_COLOR=1', 'TERM=dumb'])('has no colour and no link with %s', async (setting) => {
  const { path: cwd } = scratchFolder();
  writeFileSync(join(cwd, 'a.ts'), 'export const a = 1;\n');
  const run = `${setting} '${process.execPath}' '${LAUNCHER}' do '<G:*.ts>'`;
  const { stdout } = spawnSync(PSEUDO_TERMINAL, ['-qec', run, '/dev/null'], { cwd, encoding: 'utf8', input: '' });
  expect(stdout).toContain('a.ts');
  expect(stdout).not.toContain('\u001B]8');
  expect(stdout).not.toContain('\u001B[3');
});
