// @module-tag long

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveModel, type ModelServer, type ServedResponse } from './model-server.ts';
import { openBae } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

/** Sets the title, hides text in two ways, rings, and turns the direction of writing. */
const CODES = 'seen\u001B]0;owned\u0007\u001B[8m\u009B8m\u202E';
const RAW = /\u001B\]0;owned|\u001B\[8m|[\u0007\u009B\u202E]/; // oxlint-disable-line no-control-regex
/** A line of text with the codes. */
const TEXT = `before ${CODES} after`;

let cwd: string;
let server: ModelServer | undefined;
beforeEach(() => {
  cwd = scratchFolder().path;
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Runs a command at a terminal, and returns everything that is on the screen. */
async function show(args: readonly string[], input = ''): Promise<string> {
  const bae = openBae(args, { cwd, interactive: true });
  bae.terminal.input.end(input);
  await bae.end;
  return bae.screen();
}

async function ask(script: readonly ServedResponse[], ...args: readonly string[]): Promise<string> {
  await server?.close();
  server = await serveModel(script);
  return show(['ask', 'Go.', ...args, ...server.args]);
}

/** Types lines in the shell, each after a text was shown. */
async function type(steps: readonly (readonly [after: string, line: string, times?: number])[], ...args: string[]) {
  const bae = openBae(args, { cwd, interactive: true });
  for (const [after, line, times] of steps) {
    await bae.shows(after, times);
    bae.type(`${line}\r`);
  }
  await bae.end;
  return bae.screen();
}

const fail =
  (status: number, body: string): ServedResponse =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  };

const json = (text: string) => JSON.stringify(text);

/** Everything that prints text of others, or of a file, to a terminal. */
const CHANNELS: Readonly<Record<string, () => Promise<string>>> = {
  'a file that is read': async () => {
    put(cwd, 'a.txt', TEXT);
    return show(['do', '<R:a.txt>']);
  },
  'the name of a file in a list': async () => {
    put(cwd, `x${CODES}.txt`, 'x');
    return show(['do', '<R:.>']);
  },
  'a line that is found': async () => {
    put(cwd, 'a.txt', TEXT);
    return show(['do', '<Grep:before>']);
  },
  'the name of a file that is found': async () => {
    put(cwd, `x${CODES}.txt`, 'needle');
    return show(['do', '<Grep:needle>']);
  },
  'an argument that names nothing': () => show(['do', `<R:${TEXT}>`]),
  'what code prints': () => show(['do', `<run>\nprint(${json(TEXT)});\n</run>`]),
  'an error of code': () => show(['do', `<run>\nthrow new Error(${json(TEXT)});\n</run>`]),
  'a change that is refused': () => show(['do', `<W:x${CODES}.txt>${TEXT}</W>`]),
  'a command that does not exist': () => show([`no${CODES}owned`]),
  'an option that does not exist': () => show(['do', `--no${CODES}owned`]),
  'a folder that does not exist': () => show(['do', '--cwd', TEXT, '<R:.>']),
  'an answer': () => ask([TEXT]),
  'an answer, in debug view': () => ask([TEXT], '--debug'),
  'an answer, with all messages': () => ask([TEXT], '--verbose'),
  'a heading and a link of an answer': () => ask([`# ${TEXT}\n\n[${TEXT}](https://example.org/${CODES})\n`]),
  'a block of code of an answer': () => ask([`\`\`\`ts\n${TEXT}\n\`\`\`\n`]),
  'what a model thinks': () => ask([`<think>\n${TEXT}\n</think>\nDone.`], '--debug'),
  'a call of a model': () => ask([`<R:${TEXT}>`, 'Done.']),
  'a result, in debug view': async () => {
    put(cwd, 'a.txt', TEXT);
    return ask(['<R:a.txt>', 'Done.'], '--debug');
  },
  'a tag that is none': () => ask([`<R:a ${CODES}owned`, `<zzz:${TEXT}>`, 'Done.'], '--debug'),
  'an error of a provider': () => ask([fail(400, JSON.stringify({ error: { message: TEXT } }))]),
  'an error of a provider that is no JSON': () => ask([fail(400, TEXT)]),
  'a question about a change': async () => {
    server = await serveModel([`<W:b.txt>\n${TEXT}\n</W>`, 'Done.']);
    return type(
      [
        ['home>', 'Go.'],
        ['n = no: ', 'n'],
        ['Done.', 'exit'],
      ],
      ...server.args,
    );
  },
  'the whole change at a question': async () => {
    server = await serveModel([`<W:b.txt>\n${`${TEXT}\n`.repeat(60)}</W>`, 'Done.']);
    return type(
      [
        ['home>', 'Go.'],
        ['change: ', 'd'],
        ['change: ', 'n', 2],
        ['Done.', 'exit'],
      ],
      ...server.args,
    );
  },
  'the name of a file in a question': async () => {
    server = await serveModel([`<W:x${CODES}.txt>\nx\n</W>`, 'Done.']);
    return type(
      [
        ['home>', 'Go.'],
        ['n = no: ', 'n'],
        ['Done.', 'exit'],
      ],
      ...server.args,
    );
  },
  'the prompt of an earlier session': async () => {
    server = await serveModel(['Done.']);
    await show(['ask', TEXT, ...server.args]);
    return show(['sessions']);
  },
  'a session that is not there': async () => {
    await show(['do', '<W:b.txt>x</W>']);
    return show(['audit', `0${CODES}owned`]);
  },
  'a decision in the audit': async () => {
    await show(['do', `<W:x${CODES}.txt>x</W>`]);
    return show(['audit']);
  },
  'a change in the audit': async () => {
    server = await serveModel([`<W:b.txt>\n${TEXT}\n</W>`, 'Done.']);
    await type(
      [
        ['home>', 'Go.'],
        ['n = no: ', 'n'],
        ['Done.', 'exit'],
      ],
      ...server.args,
    );
    return show(['audit', '--changes']);
  },
  'a rule of the user': async () => {
    const rules = { [cwd]: [{ space: 'home', tool: 'write', target: TEXT, decision: 'allow' }] };
    put(cwd, '.config/bae/rules.json', rules);
    return show(['approvals']);
  },
  'an undone change': async () => {
    await show(['do', '--yes', `<W:x${CODES}.txt>${TEXT}</W>`]);
    return show(['undo', '--yes']);
  },
  'a task': async () => {
    return (await show(['tasks', 'add', TEXT])) + (await show(['tasks', 'list']));
  },
  'tags in a file': async () => {
    put(cwd, 'a.md', `<R:${TEXT}>\n`);
    return show(['parse', 'a.md']);
  },
  'a text that is shortened': async () => {
    put(cwd, 'a.md', TEXT);
    return show(['prune', 'a.md']);
  },
  'a space that is not there': () => show(['inspect', `x${CODES}owned`]),
  'the name of a package': async () => {
    put(cwd, 'p/package.json', {
      name: TEXT,
      version: '1.0.0',
      bae: { api: '^1', spaces: './i.js', manifest: './m.json' },
    });
    return show(['trust', './p']);
  },
  'a file that is to be trusted': () => show(['trust', `./x${CODES}owned`]),
  'a package without a manifest': () => show(['conformance', `./x${CODES}owned`]),
  'a setting that does not exist': async () => {
    put(cwd, 'bae.config.json', { [TEXT]: 1 });
    return show(['do', '<R:.>']);
  },
  'the value of a setting': async () => {
    put(cwd, 'bae.config.json', { cap: TEXT });
    return show(['do', '<R:.>']);
  },
  'settings that are not JSON': async () => {
    put(cwd, 'bae.config.json', CODES);
    return show(['do', '<R:.>']);
  },
  'the state of the machine': async () => {
    put(cwd, 'bae.config.json', { model: TEXT });
    return show(['doctor']);
  },
  'a server that was found': async () => {
    put(cwd, '.mcp.json', { mcpServers: { [`x${CODES}owned`]: { command: TEXT } } });
    return show(['mcp']);
  },
  'a server that is trusted': async () => {
    put(cwd, '.mcp.json', { mcpServers: { owned: { command: TEXT, args: [TEXT] } } });
    return show(['trust']);
  },
  'the name of a new package': () => show(['create', 'space', `x${CODES}owned`]),
};

describe('text of others at a terminal', () => {
  it('has at least 28 channels', () => {
    expect(Object.keys(CHANNELS).length).toBeGreaterThanOrEqual(28);
  });

  it.each(Object.entries(CHANNELS))('is shown without its control codes: %s', async (_, channel) => {
    const screen = await channel();
    // Otherwise nothing was shown, and the channel proves nothing.
    expect(screen).toContain('seen');
    expect(RAW.exec(screen)).toBeNull();
  });
});
