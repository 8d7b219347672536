// @module-tag long

import { WorkspaceRoot } from '@bae/workspace';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SymbolTarget } from '../address/target.ts';
import { applyEdits, type LanguageReader, type SymbolOutline } from '../language/outline.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import type { SourceModule } from '../modules/code-catalog.ts';
import { getSymbolText } from '../read/read-symbol.ts';
import { refuseLoss } from './edit-symbol.ts';
import { replaceSymbol } from './place-symbol.ts';

const targets: SymbolTarget[] = [];
let language: LanguageReader;

/** Every symbol of this repository, members included. */
beforeAll(async () => {
  const index = new ModuleIndex(new WorkspaceRoot(new URL('../../../../..', import.meta.url).pathname));
  language = await index.languages.readerOf('a.ts');
  const { modules } = await index.catalog();
  for (const module of modules) {
    const source = await index.load(module);
    if (source.outline.problem === undefined) for (const symbol of source.outline.symbols) collect(source, [symbol]);
  }
});

function collect(source: SourceModule, path: readonly SymbolOutline[]): void {
  targets.push({ kind: 'symbol', source, path, passedOn: false });
  for (const member of path.at(-1)!.members) collect(source, [...path, member]);
}

const everyTenth = () => targets.filter((_target, index) => index % 10 === 0);
const completeText = ({ source, path }: SymbolTarget) => getSymbolText(source.text, path.at(-1)!);
const replaced = (target: SymbolTarget, text: string) =>
  applyEdits(target.source.text, replaceSymbol(target, text, language));

describe('every symbol of this repository', () => {
  const replaceByItself = (some: readonly SymbolTarget[]) => {
    expect(targets.length).toBeGreaterThan(5000);
    const changed = some.filter((target) => replaced(target, completeText(target)) !== target.source.text);
    expect(
      changed.map(({ source, path }) => `${source.module.name}.${path.map(({ name }) => name).join('.')}`),
    ).toEqual([]);
  };

  it('replaced by its own text leaves the file as it is, byte for byte: every tenth', () =>
    replaceByItself(everyTenth()));
  it('replaced by its own text leaves the file as it is, byte for byte: all', { tags: ['long'] }, () =>
    replaceByItself(targets),
  );

  const replaceAtLineStart = (some: readonly SymbolTarget[]) => {
    const plain = some.filter((target) => !completeText(target).includes('`'));
    const changed = plain.filter((target) => {
      const text = completeText(target);
      const indent = /^ */.exec(text)?.[0] ?? '';
      const moved = text.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
      return replaced(target, moved.join('\n')) !== target.source.text;
    });
    expect(
      changed.map(({ source, path }) => `${source.module.name}.${path.map(({ name }) => name).join('.')}`),
    ).toEqual([]);
  };

  it('replaced by its own text at the beginning of the line too: every tenth', () => replaceAtLineStart(everyTenth()));
  it('replaced by its own text at the beginning of the line too: all', { tags: ['long'] }, () =>
    replaceAtLineStart(targets),
  );

  const replaceByAnother = (numRuns: number) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...targets.filter(({ path }) => path.at(-1)!.declarations.length === 1)),
        (target) => {
          const { source, path } = target;
          const { start, end } = path.at(-1)!.declarations[0]!;
          const text = `/** Another. */\n${completeText(target).trimStart()}`;
          const after = replaced(target, path.at(-1)!.kind === 'imports' ? completeText(target) : text);
          expect(after.startsWith(source.text.slice(0, start))).toBe(true);
          expect(after.endsWith(source.text.slice(end))).toBe(true);
          const outline = language.outline({ text: after, path: source.module.path });
          refuseLoss(target, outline, { rename: false, delete: false });
        },
      ),
      { numRuns },
    );
  };

  it('replaced by another text changes nothing outside of it', () => replaceByAnother(60));
  it('replaced by another text changes nothing outside of it, 600 times', { tags: ['long'] }, () =>
    replaceByAnother(600),
  );
});
