import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import ts from 'typescript-5';

/** What somebody says for a place in a repository, and a text that the answer has if it is that place. */
export interface SpokenAddress {
  readonly said: string;
  readonly expected: string;
}

/** A declaration, as a parser other than bae's found it. */
interface Declared {
  readonly file: string;
  readonly line: number;
  /** Names from the module inwards. */
  readonly names: readonly string[];
  /** The line on which it begins. */
  readonly text: string;
}

interface Titled {
  readonly file: string;
  readonly title: string;
}

const LEFT_OUT = /^(?:node_modules|dist|build|coverage|docs?|\..*)$/;
const CODE = /\.(?:[cm]?[jt]s|[jt]sx|vue|py)$/;
const TEST =
  /(?:^|\/)(?:tests?|__tests__|spec|test-d|fixtures?|examples?|playground|bench\w*|scripts)\/|\.(?:test|spec)[.-]|^(?:test|bench)\w*\./;

function listFiles(folder: string, from = folder): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.test(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path, from);
    return entry.isFile() && CODE.test(path) && !/\.d\.[cm]?ts$/.test(path) ? [relative(from, path)] : [];
  });
}

/** Lists the declarations of a file: classes, functions, types and constants of the module, and methods of classes. */
function listDeclared(file: string, text: string): readonly Declared[] {
  const lines = text.split('\n');
  const declare = (line: number, names: readonly string[]): Declared => ({
    file,
    line: line + 1,
    names,
    text: (lines[line] ?? '').trim(),
  });
  if (file.endsWith('.py')) return listPython(lines, declare);
  const script = file.endsWith('.vue')
    ? text.replace(/[^\n]*<script[^>]*>|<template[^]*?^<\/template>|<\/script>|<style[^]*?^<\/style>/gm, (part) =>
        part.replaceAll(/[^\n]/g, ' '),
      )
    : text;
  const source = ts.createSourceFile(file.replace(/\.vue$/, '.ts'), script, ts.ScriptTarget.Latest, true);
  const found: Declared[] = [];
  const add = (node: ts.Node, names: readonly string[]) =>
    found.push(declare(source.getLineAndCharacterOfPosition(node.getStart(source)).line, names));
  for (const node of source.statements) {
    if (
      (ts.isClassDeclaration(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node)) &&
      node.name
    ) {
      add(node, [node.name.text]);
      if (!ts.isClassDeclaration(node)) continue;
      for (const member of node.members)
        if (ts.isMethodDeclaration(member) && ts.isIdentifier(member.name) && member.body)
          add(member, [node.name.text, member.name.text]);
    } else if (ts.isVariableStatement(node)) {
      for (const { name, initializer } of node.declarationList.declarations) {
        const isImport = initializer !== undefined && initializer.getText(source).startsWith('require(');
        if (ts.isIdentifier(name) && name.text.length > 3 && !isImport) add(node, [name.text]);
      }
    }
  }
  return found;
}

function listPython(
  lines: readonly string[],
  declare: (line: number, names: readonly string[]) => Declared,
): readonly Declared[] {
  let owner = '';
  return lines.flatMap((line, index) => {
    const [, indent = '', keyword, name = ''] = /^( {4})?(?:async )?(class|def) (\w+)/.exec(line) ?? [];
    if (keyword === undefined) return [];
    if (indent === '') owner = keyword === 'class' ? name : '';
    if (name.startsWith('_') || owner.startsWith('_')) return [];
    if (indent !== '' && (owner === '' || keyword === 'class')) return [];
    return [declare(index, indent === '' ? [name] : [owner, name])];
  });
}

function listTitles(file: string, text: string): readonly Titled[] {
  const call = /^\s*(?:test|it)\(\s*(['"])((?:(?!\1)[^\\\n$])+)\1/gm;
  return Array.from(text.matchAll(call), ([, , title = '']) => ({ file, title })).filter(({ title }) =>
    /\w \w/.test(title),
  );
}

/** Picks some of a list, evenly. */
function pick<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, index) => all[Math.floor(((index + 0.5) * all.length) / count)]!);
}

/** Swaps two letters in the middle of a name. */
function misspell(name: string): string {
  const at = Math.floor(name.length / 2);
  return name.slice(0, at - 1) + name[at]! + name[at - 1]! + name.slice(at + 1);
}

/** Returns a path without its ending. */
function stem(file: string): string {
  return file.replace(/\.\w+$/, '');
}

/** Says thirty places of a repository as people do: paths, names, members, lines, titles of tests, misspelt ones. */
export function sayAddresses(folder: string): readonly SpokenAddress[] {
  const files = listFiles(folder);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const own = files.filter((file) => !TEST.test(file));
  const declared = own.flatMap((file) => listDeclared(file, read(file)));
  const once = declared.filter(
    ({ names, text }) =>
      text.length > 4 && declared.filter((other) => other.names.at(-1) === names.at(-1)).length === 1,
  );
  const names = once.filter((one) => one.names.length === 1);
  const members = once.filter((one) => one.names.length === 2);
  const titles = files.filter((file) => TEST.test(file)).flatMap((file) => listTitles(file, read(file)));
  const only = titles.filter(({ title }) => titles.filter((one) => one.title.includes(title)).length === 1);
  const long = names.filter((one) => one.names[0]!.length > 6);
  const say = <T extends Declared>(all: readonly T[], count: number, how: (one: T) => string) =>
    pick(all, count).map((one) => ({ said: how(one), expected: one.text }));
  const begin = (file: string) =>
    read(file)
      .split('\n')
      .find((line) => line.trim() !== '') ?? '';
  const groups = [
    say(names, 6, ({ names: [name = ''] }) => name),
    say(members, 3, ({ names: [owner, name] }) => `${owner}#${name}`),
    say(members.toReversed(), 3, ({ names: [owner, name] }) => `${owner}.${name}()`),
    say(names.toReversed(), 3, ({ file, names: [name] }) => `${file}#${name}`),
    say(names, 3, ({ file, line }) => `${file}:${line}`),
    say(names, 2, ({ file, names: [name] }) => `${stem(file).replaceAll('/', '.')}.${name}`),
    say(names.toReversed(), 2, ({ file, names: [name] }) => `${basename(file)} ${name}`),
    pick(names, 2).map(({ file }) => ({ said: `./${file}`, expected: begin(file) })),
    pick(names.toReversed(), 2).map(({ file }) => ({ said: stem(file), expected: basename(stem(file)) })),
    say(long, 3, ({ names: [name = ''] }) => misspell(name)),
    pick(long.toReversed(), 1).map(({ file }) => {
      return { said: `${stem(file).slice(0, -1)}${file.slice(stem(file).length)}`, expected: begin(file) };
    }),
    pick(only, 4).map(({ title }) => ({ said: title, expected: title })),
  ];
  const said = groups.flat();
  // Where there are no classes or tests, more names are said.
  const more = say(names, names.length, ({ names: [name = ''] }) => name).filter((one) =>
    said.every((other) => other.said !== one.said),
  );
  return [...said, ...more].slice(0, 30);
}
