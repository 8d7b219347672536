// @module-tag long

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runBae, runProgram } from './run-bae.ts';
import { IMPORTS, install, installPackage, markingModule } from './sample-plugin.ts';
import { put, scratchFolder } from './scratch-folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder().path;
});

const bae = (...args: readonly string[]) => runBae(args, { cwd });
const say = async (input: string, run = runBae) => {
  const { out, err } = await run(['do', '--config', 'named.json'], { cwd, input });
  return { out: out.replaceAll(/(?<=\[(?:Tool output|Output|end) |#\d+ )[0-9a-f]{6}\b/g, 'NONCE'), err };
};

/** Mounts packages, all of them trusted. */
async function mounted(spaces: readonly unknown[], more: object = {}): Promise<void> {
  put(cwd, 'named.json', { spaces, ...more });
  for (const use of spaces.map((one) => (typeof one === 'string' ? one : (one as { readonly use: string }).use)))
    await bae('trust', use, '--yes');
}

it('doctor says of each package where its code runs', async () => {
  await install(cwd, 'good');
  const code = `${IMPORTS}\nexport const quiet = defineResourcespace({ name: 'quiet', description: 'Q.', tools: { pid: tool('P.', {}, () => process.pid, { effect: 'read' }) } });`;
  await installPackage(cwd, { name: 'quiet', code });
  put(cwd, 'bae.config.json', { spaces: ['good', 'quiet', { use: 'quiet', as: 'near', isolate: false }] });
  await bae('trust', '--yes');
  const { out } = await bae('doctor');
  expect(out.split('\n').filter((line) => line.includes('package:'))).toEqual([
    '✓ package: bae-resourcespace-good runs in the process of bae: its author says that it needs this',
    '✓ package: bae-resourcespace-quiet runs in a process of its own: it is installed in node_modules',
    '✓ package: bae-resourcespace-quiet runs in the process of bae: isolate is false',
  ]);
});

describe('packages that do not do what they should', () => {
  it('are named, and everything else works', async () => {
    await install(cwd, 'good');
    const thrower = await install(cwd, 'thrower');
    const future = await install(cwd, 'future');
    const liar = await install(cwd, 'liar');
    await install(
      cwd,
      'sleeper',
      markingModule(
        cwd,
        'sleeper',
        "wait: tool('Nothing.', {}, () => new Promise(() => {}), { effect: 'read', timeoutMs: 100 })",
      ),
    );
    put(thrower, 'dist/index.js', 'throw new Error("no database");');
    put(
      liar,
      'dist/index.js',
      markingModule(cwd, 'liar', "read: tool('Other.', {}, () => 'x', { effect: 'external' })"),
    );
    await mounted(['good', 'thrower', 'future', 'liar', 'sleeper']);
    const manifest = JSON.parse(readFileSync(join(future, 'package.json'), 'utf8')) as { readonly bae: object };
    put(future, 'package.json', { ...manifest, bae: { ...manifest.bae, api: '^2' } });
    const { out, err } = await say('<thrower.R:>\n<liar.R:>\n<sleeper.wait:>\n<good.R:>\n');
    expect(out).toBe(`\
[Tool output NONCE]
#1 NONCE <thrower.R:> [thrower] PluginError
PluginError: bae-resourcespace-thrower cannot be loaded: Error: no database.
---
#2 NONCE <liar.R:> [liar] PluginError
PluginError: the manifest of bae-resourcespace-liar does not match its code: tool read of liar has the effect read in the manifest, external in the code. Nothing of it was called; its author updates the manifest.
Try: bae manifest ${liar}
---
#3 NONCE <sleeper.wait:> [sleeper] TimeoutError
TimeoutError: wait exceeded 0.1s. Ask for less in one call.
---
#4 NONCE <good.R:> [good] ok
read it
[end NONCE]
`);
    expect(err).toContain(
      'bae-resourcespace-future is made for plugin API ^2; this bae has 1.0.0. Install a version of bae-resourcespace-future for it, or another bae.\n',
    );
  });

  it('return what cannot be shown, and what is shown of it does no harm', async () => {
    await install(cwd, 'good');
    const tools = [
      "circle: tool('C.', {}, () => { const made = { n: 1 }; made.self = made; return made; }, { effect: 'read' })",
      "big: tool('B.', {}, () => ({ n: 10n }), { effect: 'read' })",
      "nothing: tool('N.', {}, () => undefined, { effect: 'read' })",
      "trap: tool('T.', {}, () => ({ get n() { throw new Error('gotcha'); } }), { effect: 'read' })",
      "boom: tool('X.', {}, () => { throw { toString() { throw 1; } }; }, { effect: 'read' })",
      "huge: tool('H.', {}, () => 'line\\n'.repeat(1e6), { effect: 'read' })",
    ];
    await install(cwd, 'garbage', markingModule(cwd, 'garbage', tools.join(', ')));
    await mounted(['good', 'garbage']);
    const calls = ['circle', 'big', 'nothing', 'trap', 'boom'].map((name) => `<garbage.${name}:>`);
    const { out, err } = await say([...calls, '<good.R:>'].join('\n'), runProgram);
    expect(out).toBe(`\
[Tool output NONCE]
#1 NONCE <garbage.circle:> [garbage] ok
{
  "n": 1,
  "self": "(circular)"
}
---
#2 NONCE <garbage.big:> [garbage] ok
{
  "n": "10"
}
---
#3 NONCE <garbage.nothing:> [garbage] ok
(no output)
---
#4 NONCE <garbage.trap:> [garbage] Error
Error: gotcha
---
#5 NONCE <garbage.boom:> [garbage] Error
Error: {}
---
#6 NONCE <good.R:> [good] ok
read it
[end NONCE]
`);
    expect(err).toBe('printed by garbage\nprinted by good\n');
    const huge = (await say('<garbage.huge:>\n<good.R:>')).out;
    expect(huge).toMatch(/\n\[pruned: 1000000 -> \d+ items; (?:rest: <[^>]+>; )?full: <R:result:1>\]\n[^]*\nread it\n/);
    expect(huge.length).toBeLessThan(20_000);
  });

  it('print, and nothing of that comes between what a program reads', async () => {
    const loud =
      "loud: tool('L.', {}, () => { console.log('by console'); process.stdout.write('by stream\\n'); return 'ok'; }, { effect: 'read' })";
    await install(cwd, 'loud', markingModule(cwd, 'loud', loud));
    await mounted(['loud']);
    const input = `${JSON.stringify({ text: '<loud.loud:>' })}\n`;
    const { out, err } = await runProgram(['do', '--json', '--config', 'named.json'], { cwd, input });
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ location: 'home' }]);
    expect(err).toBe('printed by loud\nby console\nby stream\n');
  });

  it('share the modules of bae that are installed beside it', async () => {
    mkdirSync(join(cwd, 'node_modules'));
    for (const name of ['@bae', 'zod'])
      symlinkSync(join(import.meta.dirname, '../node_modules', name), join(cwd, 'node_modules', name));
    const code = `
import { BaeError, defineResourcespace, tool } from '@bae/core';
import { WorkspaceRoot, getWorkspace } from '@bae/workspace';
export const spaces = (options, provided) => {
  const root = getWorkspace(provided);
  const read = async () => [root instanceof WorkspaceRoot, await root.readText('../x').catch((e) => e instanceof BaeError)];
  return defineResourcespace({ name: 'kin', description: 'Kin.', tools: { read: tool('Whose it is.', {}, read) } });
};`;
    put(cwd, 'node_modules/bae-resourcespace-kin/index.js', code);
    put(cwd, 'node_modules/bae-resourcespace-kin/package.json', {
      name: 'bae-resourcespace-kin',
      version: '1.0.0',
      type: 'module',
      keywords: ['bae-resourcespace'],
      bae: { api: '^1', spaces: './index.js', manifest: './bae.manifest.json' },
    });
    await runProgram(['manifest', 'kin'], { cwd });
    await mounted(['kin']);
    const { out } = await say('<kin.R:>\n', runProgram);
    expect(out).toContain('[kin] ok\n[\n  true,\n  true\n]\n');
  });

  it('fail when nobody waits for them, and the session continues', async () => {
    await install(cwd, 'good');
    const late =
      "late: tool('L.', {}, () => { setTimeout(() => { throw new Error('too late'); }, 1); void Promise.reject(new Error('lost')); return new Promise((resolve) => setTimeout(resolve, 50, 'done')); }, { effect: 'read' })";
    await install(cwd, 'late', markingModule(cwd, 'late', late));
    await mounted(['good', 'late']);
    const { out, err } = await say('<late.late:>\n<good.R:>\n', runProgram);
    expect(out).toMatch(/\ndone\n[^]*\nread it\n/);
    for (const message of ['too late', 'lost'])
      expect(err).toContain(
        `bae-resourcespace-late: an error that nothing in it waits for: Error: ${message}. Everything else goes on.\n`,
      );
  });

  it('have an empty manifest, and are left out', async () => {
    await install(cwd, 'good');
    const broken = await install(cwd, 'broken');
    await mounted(['good', 'broken']);
    put(broken, 'dist/bae.manifest.json', '{ "manifest": 1');
    const { out, err } = await say('<good.R:>\n');
    expect(out).toContain('\nread it\n');
    expect(err).toContain(`bae-resourcespace-broken: its manifest cannot be used: `);
    expect(err).toContain(`Try: bae manifest ${broken}\n`);
  });

  it('stop everything only where the configuration has to be changed', async () => {
    await install(cwd, 'good');
    await mounted(['good', { use: 'good', as: 'fine' }, { use: 'good', as: 'good' }, 'good2']);
    expect(await bae('spaces', '--config', 'named.json')).toEqual({
      code: 1,
      out: '',
      err: `\
bae: named.json: spaces[3].use: no package bae-resourcespace-good2 is installed. Did you mean "good"?
named.json: spaces[2]: two spaces are named good: bae-resourcespace-good and bae-resourcespace-good. Give one another name: {"use":"bae-resourcespace-good","as":"good2"}
Try: bae doctor
`,
    });
  });
});

describe('a configuration of spaces', () => {
  it('mounts packages with options, under names and places of its own', async () => {
    const code = `${IMPORTS}
      export const options = z.strictObject({ shop: z.string().describe('name of the shop') }).meta({ examples: [{ shop: 'x' }] });
      export const spaces = ({ shop }) => defineResourcespace({ name: 'tickets', description: 'Tickets.', enter: () => 'open in ' + shop,
        tools: { read: tool('One.', {}, () => 'a ticket of ' + shop) } });`;
    await install(cwd, 'tickets', code);
    await mounted([
      { use: 'tickets', as: 'support', options: { shop: 'acme' } },
      { use: 'tickets', under: 'work.old', options: { shop: 'oldco' } },
    ]);
    const { out } = await say('<support.R:>\n<work.old.tickets.R:>\n');
    expect(out).toMatch(/a ticket of acme[^]*a ticket of oldco/);
    put(cwd, 'named.json', { spaces: [{ use: 'tickets', options: { shp: 'acme' } }] });
    expect((await bae('spaces', '--config', 'named.json')).err).toBe(`\
bae: named.json: spaces[0].options.shop: expected string (name of the shop); got nothing.
named.json: spaces[0].options.shp: no such option of bae-resourcespace-tickets. Did you mean shop?
Try: bae doctor
`);
  });

  it('moves spaces of bae itself, and leaves them out', async () => {
    put(cwd, 'named.json', {
      spaces: [{ use: 'tasks', as: 'todo', under: 'work' }],
      disabled: ['source', 'memory', 'scripts', 'git', 'search'],
    });
    const { out } = await bae('spaces', '--config', 'named.json');
    expect(out.split('\n').filter((line) => line.includes('()'))).toEqual([
      '  work() -- A place for work.todo().',
      '    work.todo() -- Work items that you and the user share; they outlive the session.',
    ]);
    put(cwd, 'named.json', { disabled: ['source', 'memory', 'scripts', 'git', 'search', 'tasks', 'filesystem'] });
    expect((await bae('spaces', '--config', 'named.json')).out).toBe('home -- Where every session begins.\n');
  });
});

describe('bae manifest', () => {
  it('writes what a package has, and says whether that is new', async () => {
    const folder = await install(cwd, 'tickets');
    const written = 'node_modules/bae-resourcespace-tickets/dist/bae.manifest.json';
    expect((await bae('manifest', 'tickets')).out).toBe(`${written} is as it was: 1 space (tickets), 1 tool\n`);
    put(
      folder,
      'dist/index.js',
      markingModule(cwd, 'tickets', "read: tool('A.', {}, () => ''), mail: tool('B.', {}, () => '')"),
    );
    expect((await runProgram(['manifest'], { cwd: folder })).out).toBe(
      'dist/bae.manifest.json written: 1 space (tickets), 2 tools\n',
    );
    expect(JSON.parse((await runProgram(['manifest', folder, '--json'], { cwd })).out)).toMatchObject({
      changed: false,
      manifest: { manifest: 2 },
    });
  });

  it.each([
    [
      ['manifest'],
      1,
      'is not a package: it has no package.json. Name the folder of a package.\nTry: correct it, then: bae manifest\n',
    ],
    [['manifest', 'half'], 1, 'has no name or no version. Add both.\nTry: correct it, then: bae manifest half\n'],
    [
      ['manifest', 'nowhere'],
      1,
      'no package bae-resourcespace-nowhere is installed. Install it: npm install bae-resourcespace-nowhere',
    ],
    [['manifest', 'a', 'b'], 2, 'bae manifest takes one package or folder; got 2.'],
  ])('explains what is wrong with %j', async (args, code, message) => {
    put(cwd, 'half/package.json', '{}');
    expect(await bae(...args)).toMatchObject({ code, err: expect.stringContaining(message) as string });
  });
});
