import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, defineResourcespace, type Approver } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { onTestFinished } from 'vitest';
import {
  provideSource,
  type MetaHost,
  type ReloadableSpace,
  type SpaceRequest,
  type SpaceScaffold,
} from '../src/provide-source.ts';
import { SourceSpace } from '../src/source-space.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Loads `spaces/shop/shop.js` anew each time, and says what its function answers. */
export class ShopHost implements MetaHost {
  answer = '';
  timesPutBack = 0;
  readonly #folder: string;
  readonly #spaces: readonly ReloadableSpace[];

  constructor(folder: string, spaces: readonly ReloadableSpace[]) {
    this.#folder = folder;
    this.#spaces = spaces;
  }

  spaces(): readonly ReloadableSpace[] {
    return this.#spaces;
  }

  async reload(): Promise<void> {
    const code = readFileSync(join(this.#folder, 'spaces/shop/shop.js'), 'utf8');
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { answer } = (await import(/* @vite-ignore */ url)) as { readonly answer: () => string };
    this.answer = answer();
  }

  async putBack(): Promise<void> {
    this.timesPutBack++;
  }

  /** No more than needed to be told apart from a module. */
  async scaffold({ name, language }: SpaceRequest): Promise<SpaceScaffold> {
    if (!/^[a-z]+$/.test(name)) return { type: 'refused', reason: 'it has small letters', nearest: 'weather' };
    const file = `${name}-space.${language === 'typescript' ? 'ts' : 'js'}`;
    const files = new Map([
      [`src/${file}`, { text: `export const name = '${name}';\n`, about: 'the view' }],
      ['package.json', { text: `{ "name": "${name}" }\n`, about: '' }],
    ]);
    return { type: 'files', folder: `spaces/${name}`, files, steps: [`trust ${name}`, 'start anew'] };
  }
}

export const SHOP = "/** What it says. */\nexport function answer() {\n  return 'open';\n}\n";

/** A project with the code of a space, and an agent that stands in its source. */
export function openMeta({
  spaces = [{ name: 'shop', folder: 'spaces/shop', needsRestart: false }],
  approver = allowAll,
}: { readonly spaces?: readonly ReloadableSpace[]; readonly approver?: Approver } = {}) {
  const folder = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'spaces/shop/shop.js': SHOP,
    'lib/other.js': 'export const other = 1;\n',
  });
  const host = new ShopHost(folder, spaces);
  const home = defineResourcespace({ name: 'lobby', description: 'Before the source.', tools: {} });
  const provide = [provideWorkspace(folder), provideSource({ meta: host })];
  const agent = createAgent({ home, spaces: [SourceSpace], provide, approver });
  onTestFinished(() => agent.close());
  return {
    host,
    folder,
    agent,
    send: async (text: string): Promise<string> =>
      (await agent.run(asModelText(text))).calls.at(-1)?.result.text ?? '(no call)',
    content: (path: string): string => readFileSync(join(folder, path), 'utf8'),
    change: (path: string, text: string): void => writeFileSync(join(folder, path), text),
  };
}
