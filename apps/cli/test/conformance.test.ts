// @module-tag long

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scaffoldProjectSpace } from '../src/create/new-space.ts';
import { writeScaffold } from '../src/create/scaffold.ts';
import { runBae, runProgram } from './run-bae.ts';

const CORE = join(import.meta.dirname, '../node_modules/@bae/core');
const ZOD = join(import.meta.dirname, '../node_modules/zod');

const GOOD = `
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { z } from 'zod';

const cities = { berlin: 'rain', rome: 'sun' };
process.stdout.write('a greeting');

export const weather = defineResourcespace({
  name: 'weather',
  description: 'How the weather is in some cities.',
  tools: {
    read: tool(
      'The weather of a city, or the names of all.',
      { city: z.string().default('').describe('Name of the city; empty for all') },
      ({ city }) => {
        if (city === '') return Object.keys(cities).join('\\n');
        if (!Object.hasOwn(cities, city)) throw new ResourceError('no city ' + city + '.', ['<R:>']);
        return cities[city];
      },
    ),
  },
});
`;
const BAD = GOOD.replace(".describe('Name of the city; empty for all')", '').replace("['<R:>']", '[]');

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bae-conformance-')));
  mkdirSync(join(cwd, 'node_modules/@bae'), { recursive: true });
  symlinkSync(CORE, join(cwd, 'node_modules/@bae/core'));
  symlinkSync(ZOD, join(cwd, 'node_modules/zod'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function put(path: string, text: string | object): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), typeof text === 'string' ? text : JSON.stringify(text));
}

describe('bae conformance', () => {
  it('tells what is wrong with options and hooks', async () => {
    const more = `
      export const options = z.strictObject({ shop: z.string().default('acme') });
      export const hooks = [{ name: 'door', beforeCall: () => ({ allow: true }) }];`;
    put('weather/index.js', `${GOOD}${more}`);
    put('weather/package.json', { type: 'module', bae: { spaces: './index.js' } });
    const { code, out } = await runBae(['conformance', './weather'], { cwd });
    expect(code).toBe(1);
    expect(out.slice(0, out.indexOf('\n\n'))).toMatchInlineSnapshot(`
      "options and hooks
      ✓ has options that a configuration can hold
      ✗ describes every option
          options.shop is not described. Say what it is for: .describe('name of the shop').
      ✓ works without options, or has an example that does
      ✓ has defaults that its options accept
      ✓ marks the options that are secrets
      ✓ declares its hooks, each with a name and functions
      ✓ makes the same hooks each time, in the same order
      ✗ only refuses or narrows a call
          door: beforeCall of home read gave 'allow'. A hook can refuse, or change arg, kwargs and body; it cannot allow.
      ✓ prints nothing in its hooks
      7 of 9 (77 %); 2 failed"
    `);
  });

  it('tells what a good space does, and ends with 0', async () => {
    put('weather/index.js', GOOD);
    put('weather/package.json', { type: 'module', bae: { spaces: './index.js' } });
    const { code, out, err } = await runBae(['conformance', './weather'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "weather
      ✓ can be made, registered and entered
      ✓ has a name, and a description of one line
      ✓ shows its state in a line or two
      ✓ describes what every tool returns
      ✓ documents every parameter
      ✓ keeps its table and its entry within the budget
      ✓ honours the verbs
      ✓ declares what its tools change
      ✓ changes nothing by reading
      ✓ refuses bad arguments without running, with a complete error
      ✓ shows examples that work
      ✓ has parameters that JSON Schema can express
      ✓ suggests what to try when a target is missing
      ✓ keeps its results within the cap, and loses nothing
      ✓ returns the same result for the same call
      ✓ returns what JSON can hold
      ✓ stops when a call is cancelled
      ✓ runs nothing that was cancelled before
      ✓ prints nothing
      ✓ shares nothing between two instances
      20 of 20 (100 %)

      "
    `);
  });

  it('shows what a bad one lacks and how to fix it, and ends with 1', async () => {
    put('weather.mjs', BAD);
    const { code, out } = await runBae(['conformance', 'weather.mjs'], { cwd });
    expect(code).toBe(1);
    const lines = out.split('\n').filter((line) => !line.startsWith('✓'));
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "weather
      ✗ documents every parameter
          weather.read: nothing explains city (string). Add .describe('…') to city, a few words on one line: what it is, which values.
      ✗ suggests what to try when a target is missing
          read(zqx-nothing-is-called-this-zqx): the error has no hint to go on with. Throw new ResourceError('no … zqx-nothing-is-called-this-zqx.', ['<R:>']).
      18 of 20 (90 %); 2 failed

      "
    `);
  });

  it('finds an installed package by its name, also by the short one', async () => {
    put('node_modules/bae-resourcespace-weather/index.js', GOOD);
    put('node_modules/bae-resourcespace-weather/package.json', {
      type: 'module',
      exports: { '.': { import: './index.js' } },
    });
    for (const name of ['bae-resourcespace-weather', 'weather']) {
      expect(await runBae(['conformance', name], { cwd })).toMatchObject({ code: 0, err: '' });
    }
  });

  it('prints nothing but JSON for programs, whatever the space prints', async () => {
    put('weather.mjs', GOOD.replace('return cities[city];', "console.log('read', city); return cities[city];"));
    const { code, out, err } = await runProgram(['conformance', 'weather.mjs', '--json'], { cwd });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const [report] = JSON.parse(out) as { space: string; score: object; checks: { status: string }[] }[];
    expect(report).toMatchObject({ space: 'weather', score: { passed: 19, of: 20 } });
    expect(report?.checks.filter(({ status }) => status === 'failed')).toEqual([
      {
        name: 'prints nothing',
        status: 'failed',
        complaints: [
          'it prints "read berlin". Return what a tool has to report; log elsewhere what a developer wants to see.',
        ],
      },
    ]);
  });

  it('tries it with what its author gives', async () => {
    put('weather/index.js', BAD);
    put('weather/package.json', { type: 'module', main: 'index.js', bae: { samples: './samples.js' } });
    const skip = { test: 'documents every parameter', reason: 'there is only one' };
    const given = { samples: { existing: 'rome', missing: null }, skip: [skip] };
    put('weather/samples.js', `export const weather = ${JSON.stringify(given)};`);
    const { code, out } = await runBae(['conformance', 'weather'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('- documents every parameter\n    left out: there is only one\n');
    expect(out).toMatch(/\n18 of 18 \(100 %\); 1 left out\n/);
  });

  it('gives every instance a workspace of its own, and leaves no folder behind', async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => /^bae-.{6}$/.test(name));
    const before = new Set(folders());
    const filesystem = join(import.meta.dirname, '../node_modules/@bae/filesystem');
    expect(await runBae(['conformance', filesystem], { cwd })).toMatchObject({ code: 0, err: '' });
    expect(folders().filter((name) => !before.has(name))).toEqual([]);
  });

  it.each([
    [
      [],
      2,
      'bae: bae conformance needs one package: bae conformance PACKAGE, or ./FOLDER.\nMore: bae conformance --help\n',
    ],
    [
      ['nowhere'],
      1,
      'bae: nowhere: there is no such folder or module; no package bae-resourcespace-nowhere is installed. Install it: npm install bae-resourcespace-nowhere\nTry: bae create space NAME\n',
    ],
    [
      ['./node_modules'],
      1,
      'bae: ./node_modules: there is no package.json in it.\nTry: bae conformance ./node_modules/index.js\n',
    ],
  ])('answers %j with exit code %i and what to do', async (args, code, err) => {
    expect(await runBae(['conformance', ...args], { cwd })).toEqual({ code, out: '', err });
  });

  it('tries what a function makes, anew each time', async () => {
    const made = GOOD.replace('export const weather = ', 'export const spaces = () => ');
    put('weather.mjs', made);
    const { code, out } = await runBae(['conformance', 'weather.mjs'], { cwd });
    expect({ code, first: out.split('\n', 1)[0] }).toEqual({ code: 0, first: 'weather' });
  });

  it('gives also what a function makes a workspace of its own each time, and leaves no folder behind', async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => /^bae-.{6}$/.test(name));
    const before = new Set(folders());
    symlinkSync(join(import.meta.dirname, '../node_modules/@bae/workspace'), join(cwd, 'node_modules/@bae/workspace'));
    const files = scaffoldProjectSpace({ name: 'diary', language: 'javascript' });
    writeScaffold(join(cwd, 'diary'), new Map([...files].map(([path, { text }]) => [path, text])));
    const write = { args: { name: 'monday', text: 'Snow.' }, readAs: 'monday', shows: 'Snow.' };
    put('diary/src/samples.js', `export const diary = ${JSON.stringify({ samples: { write } })};`);
    const { code, out } = await runBae(['conformance', './diary'], { cwd });
    expect(out).toContain('✓ shares nothing between two instances\n');
    expect({ code, failures: out.match(/^✗.*(?:\n {4}.*)*/gm) }).toEqual({ code: 0, failures: null });
    expect(folders().filter((name) => !before.has(name))).toEqual([]);
    expect(readdirSync(cwd).toSorted()).toEqual(['diary', 'node_modules']);
  });

  it.each([
    [
      "import { z } from 'zod'; export const options = z.object({ key: z.string() }); export const spaces = () => [];",
      'its spaces need options: key: Invalid input: expected string, received undefined.',
    ],
    ['export const answer = 42;', 'space.mjs exports no spaces, but answer. Export a class'],
    ["throw new Error('no licence');", 'space.mjs cannot be loaded: Error: no licence.'],
    ["import 'nothing-like-this';", "space.mjs cannot be loaded: Error: Cannot find package 'nothing-like-this'"],
  ])('shows what is wrong with the module %j', async (text, message) => {
    put('space.mjs', text);
    const { code, out, err } = await runBae(['conformance', 'space.mjs'], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });

  it('survives what a space breaks', async () => {
    const failing = GOOD.replace("description: 'How", "enter() { throw new Error('no key'); },\n  description: 'How");
    put('space.mjs', failing);
    const { code, out } = await runBae(['conformance', 'space.mjs'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('✗ shows its state in a line or two\n    enter() throws Error: no key. It must not.\n');
  });
});
