import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryTerminal } from '../test/memory-terminal.ts';
import { main } from './main.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-main-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** Far from any Ollama. */
const env = { OLLAMA_HOST: 'http://127.0.0.1:9' };

async function run(
  argv: readonly string[],
  { input = '', signal = new AbortController().signal, interactive = false } = {},
) {
  const terminal = openMemoryTerminal({ cwd, env, interactive });
  terminal.input.end(input);
  const code = await main(argv, terminal, signal);
  return { code, out: terminal.out.text, err: terminal.err.text };
}

describe('main', () => {
  it('prints --help for bae as a whole', async () => {
    expect(await run(['--help'])).toEqual({
      code: 0,
      err: '',
      out: `\
bae: a language model that works by navigating resourcespaces.

Commands
  bae                      open the shell in this folder: tags, navigation, questions
  bae ask "prompt"         ask the model one thing; the answer is printed on standard output
  bae do [TAG…]            run tags or code, from arguments or standard input, and print what a model would see; no model needed
  bae tasks [WHAT]         list, change and finish the tasks that you share with agents in this folder
  bae memory forget TEXT   remove a text from everything that bae keeps about this folder, and check that it is gone
  bae undo [N]             undo the last change to files that bae made, or the last N, also after a crash
  bae sessions             list the sessions of this folder, newest first; bae ask --resume continues one
  bae approvals            list your answers and rules that still apply, and revoke them
  bae audit [SESSION]      show who allowed or refused what, and when, and whether the record was altered
  bae parse FILE|-         show what bae would execute in a text, without executing it
  bae prune FILE|-         shorten a text in the same way as tool results
  bae spaces               show the available spaces and their tools
  bae inspect [SPACE]      show exactly what the model sees on entering a space, and what that costs
  bae trust [WHAT]         review new settings in code, packages and servers, and changed tools of a server, and let them run
  bae untrust [WHAT]       revoke trust: for all of this folder, or for a file, folder or package
  bae mcp [WHAT]           use servers of the Model Context Protocol as places, or serve the places of this folder to another agent
  bae acp                  act as the agent of an editor that supports the Agent Client Protocol: Zed, JetBrains, Neovim, Emacs
  bae serve [WHAT]         provide agents over HTTP, and create the tokens for it
  bae worker               work on the sessions of servers that share a database, on this machine or any other
  bae create WHAT NAME     create a working, tested package with a space of your own or an agent
  bae dev [PACKAGE]        open a shell inside a space that you are working on, reloaded when its code changes; this runs the code
  bae manifest [PACKAGE]   write the manifest of a package, for its author; this runs the code of the package
  bae conformance PACKAGE  check the spaces of a package, and show what is missing; this runs the code of the package
  bae doctor               check that everything bae needs is available

Options
  --max N             maximum rounds of tool calls; 0 for no limit (25)
  --max-tokens N      maximum tokens of a turn, in and out; with token create, in total
  --max-cost USD      maximum dollars of a turn; with token create, in total; needs prices in the configuration
  --max-minutes N     maximum minutes of a turn; with token create, in total
  --first-token S     maximum wait for the model to begin, in seconds (600)
  --usage             show tokens and costs by turn, tool and place at the end
  --verbose           show everything that happens, unshortened
  --debug             the same as --verbose, and stacks of unexpected errors
  --resume [ID]       continue a session: the start of an id from bae sessions (the last one of this folder)
  --continue, -c      continue the last session of this folder: --resume last
  --db FILE           where sessions are kept (.bae/bae.db of the folder)
  --cwd DIR           folder to work in (the current one)
  --model NAME        provider/name, for example anthropic/claude-sonnet-5-5 or ollama/NAME
  --base-url URL      address of the API, with --model openai-compatible/NAME
  --protocol KIND     how the model calls tools: tags in its text, or function calls (auto, which is tags)
  --config FILE       settings: .ts, .js or .json (bae.config.* of the folder)
  --allow-commands    open terminal(): commands on this machine, each with consent
  --cap N             maximum size of a tool result, in tokens (500)
  --json              print JSON for programs
  --no-color          no colours; NO_COLOR=1 does the same
  --yes, -y           approve every call that writes, except what the configuration denies
  --help, -h          show help, also for a command
  --version, -v       show the version

Examples
  bae
  bae --model ollama/NAME
  printf '<R:package.json>\\n@nav()\\n' | bae
  bae ask "Where is the port set?"

Help for one command: bae COMMAND --help
Exit codes: 0 done, 1 error, 2 the command line was not understood, 130 interrupted
`,
    });
  });

  it('prints --help for one command, with its options', async () => {
    const { out } = await run(['prune', '-h']);
    expect(out).toMatch(
      /^bae prune FILE\|- \[options\]\n\nShorten a text in the same way as tool results\.\n\nOptions\n/,
    );
    expect(out).toContain('  --format KIND       format of the text (recognised)\n');
    expect(out).not.toContain('--max');
    expect(out).toMatch(/\nExamples\n {2}bae prune README\.md --cap 200\n {2}git log \| bae prune -\n$/);
  });

  it('prefers help and version to doing anything', async () => {
    expect((await run(['do', '--help', '--yes'], { input: '<W:a>x</W>' })).out).toMatch(/^bae do \[TAG…\] \[options\]/);
    expect((await run(['spaces', '--version', '--cwd', 'nope'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('ends with 2 for a command line it does not understand', async () => {
    expect(await run(['insect'])).toEqual({
      code: 2,
      out: '',
      err: "bae: no command 'insect'. Did you mean inspect?\nMore: bae --help\n",
    });
  });

  it('ends with 1 and a next step when something fails', async () => {
    expect(await run(['spaces', '--cwd', 'nope'])).toEqual({
      code: 1,
      out: '',
      err: 'bae: --cwd nope: there is no such folder.\nTry: --cwd DIR with a folder that exists\n',
    });
  });

  it('adds the stack with --debug only', async () => {
    expect((await run(['spaces', '--cwd', 'nope'])).err).not.toMatch(/\n +at /);
    expect((await run(['spaces', '--cwd', 'nope', '--debug'])).err).toMatch(/\n +at /);
  });

  it('ends with 130 and no further word when it is interrupted', async () => {
    const stop = new AbortController();
    const terminal = openMemoryTerminal({ cwd, env });
    const code = main(['do'], terminal, stop.signal);
    stop.abort();
    expect(await code).toBe(130);
    expect(terminal.err.text).toBe('');
  });

  it('lets nothing from outside act on the terminal, not even through a mistake', async () => {
    expect((await run(['\u001B[2J'])).err).not.toContain('\u001B');
    expect((await run(['ask', 'x', '--model', '\u001B[2J/x'])).err).not.toContain('\u001B');
    expect((await run(['--cwd', '\u001B[2J', 'spaces'])).err).not.toContain('\u001B');
  });

  it('shows at a terminal what a pipe gets to the byte', async () => {
    writeFileSync(join(cwd, 'evil.txt'), '\u001B[2J\u202E\n');
    const raw = await run(['do'], { input: '<R:evil.txt>' });
    expect(raw.out).toContain('\u001B[2J\u202E\n');
    const shown = await run(['do'], { input: '<R:evil.txt>', interactive: true });
    expect(shown.out).toContain('␛[2J<U+202E>\n');
    expect((await run(['prune', 'evil.txt'])).out).toBe('\u001B[2J\u202E\n');
    expect((await run(['prune', 'evil.txt'], { interactive: true })).out).toBe('␛[2J<U+202E>\n');
  });

  it('takes the words of a question together', async () => {
    expect((await run(['ask', 'who', 'are', 'you?'])).err).toContain('there is no model to ask');
  });

  it('does not wait for a keyboard when a question is missing', async () => {
    expect((await run(['ask'], { interactive: true })).code).toBe(2);
  });

  it('warns of settings that are not used, and goes on', async () => {
    writeFileSync(join(cwd, 'bae.config.json'), '{"approve": "all"}');
    const { code, out, err } = await run(['do'], { input: '<W:a.txt>x</W>' });
    expect(err).toBe(
      'bae.config.json: approve: "all" is not used, because the file was only found here. To use it: bae trust, or --config bae.config.json\n',
    );
    expect(out).toContain('ApprovalError');
    expect(code).toBe(1);
    expect((await run(['do', '--config', 'bae.config.json'], { input: '<W:a.txt>x</W>' })).code).toBe(0);
  });
});

describe('a configuration in code', () => {
  const CORE = JSON.stringify(import.meta.resolve('@bae/core'));

  it('adds spaces of its own', async () => {
    writeFileSync(
      join(cwd, 'mine.mjs'),
      `import { defineResourcespace, tool } from ${CORE};
       const inner = defineResourcespace({ name: 'inner', description: 'Below.', tools: { close: tool('Closed.', {}, () => 'closed') } });
       export default { spaces: [
         defineResourcespace({ name: 'tickets', description: 'Support tickets.', enter: () => '2 open', children: () => ({ inner }),
           tools: { read: tool('One ticket.', {}, () => 'ticket 1') } }),
       ] };`,
    );
    const config = ['--config', 'mine.mjs'];
    const { out } = await run(['spaces', ...config]);
    expect(out.split('\n').slice(-5)).toEqual([
      '  tickets() -- Support tickets.',
      '    read',
      '    tickets.inner() -- Below.',
      '      close',
      '',
    ]);
    expect((await run(['inspect', 'tickets', ...config])).out).toContain('2 open');
    expect(await run(['inspect', 'inner', ...config])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Did you mean tickets.inner?') as string,
    });
    expect((await run(['parse', '-', ...config], { input: '@tickets()\n<close:>\n<tickets.R:>\n' })).out).toBe(
      'call     line 1: go tickets\ncall     line 2: close\ncall     line 3: read (on tickets)\n',
    );
    const shell = await run(config, { input: 'tickets()\n/read\nback\n' });
    expect(shell.out).toContain('Entering tickets');
    expect(shell.out).toContain('ticket 1\n');
  });

  it('brings a model of its own', async () => {
    writeFileSync(
      join(cwd, 'mine.mjs'),
      `export default { model: { name: 'mine', async *respond() {
         yield { type: 'text-delta', text: 'I am yours.' };
         yield { type: 'end', reason: 'stop' };
       } } };`,
    );
    expect(await run(['ask', 'hi', '--config', 'mine.mjs'])).toEqual({
      code: 0,
      out: 'I am yours.\n',
      err: 'model: mine, from the configuration\n',
    });
  });
});
