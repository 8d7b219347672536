import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, type Approver } from '@bae/core';
import type { MetaHost, ReloadableSpace, SpaceRequest, SpaceScaffold } from '../src/provide-source.ts';
import { openProject } from './open-source.ts';

/** Loads `spaces/shop/shop.js` anew each time; `answer` is what its function returns. */
export class ShopHost implements MetaHost {
  answer = '';
  timesRebuilt = 0;
  folder = '';
  readonly #spaces: readonly ReloadableSpace[];

  constructor(spaces: readonly ReloadableSpace[]) {
    this.#spaces = spaces;
  }

  spaces(): readonly ReloadableSpace[] {
    return this.#spaces;
  }

  async reload(): Promise<void> {
    const code = readFileSync(join(this.folder, 'spaces/shop/shop.js'), 'utf8');
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { answer } = (await import(/* @vite-ignore */ url)) as { readonly answer: () => string };
    this.answer = answer();
  }

  async rebuild(): Promise<void> {
    this.timesRebuilt++;
  }

  /** As little as a test needs. */
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

/** A project with the code of a space, and an agent in front of its source. */
export function openMeta({
  spaces = [{ name: 'shop', folder: 'spaces/shop', needsRestart: false }],
  approver = allowAll,
}: { readonly spaces?: readonly ReloadableSpace[]; readonly approver?: Approver } = {}) {
  const files = {
    'package.json': '{ "type": "module" }',
    'spaces/shop/shop.js': SHOP,
    'lib/other.js': 'export const other = 1;\n',
  };
  const host = new ShopHost(spaces);
  const opened = openProject(files, { approver, source: { meta: host } });
  host.folder = opened.folder;
  return {
    ...opened,
    host,
    send: async (text: string): Promise<string> =>
      (await opened.agent.run(asModelText(text))).calls.at(-1)?.result.text ?? '(no call)',
  };
}
