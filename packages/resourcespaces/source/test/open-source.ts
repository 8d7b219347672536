import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, defineResourcespace, type Approver, type CodeRunner } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { onTestFinished } from 'vitest';
import { SourceSpace } from '../src/source-space.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A project in a new folder, and an agent that stands in its source; it executes responses as if a model had sent them. */
export function openSource(files: Files, approver: Approver = allowAll, codeRunner?: CodeRunner) {
  const folder = temporaryFolder(files);
  const home = defineResourcespace({ name: 'lobby', description: 'Before the source.', tools: {} });
  const provide = [provideWorkspace(folder)];
  const runs = codeRunner && { codeRunner };
  const agent = createAgent({ home, spaces: [SourceSpace], provide, approver, ...runs });
  onTestFinished(() => agent.close());
  const entered = agent.run(asModelText('@source()'));
  const sendAll = async (text: string): Promise<readonly string[]> => {
    await entered;
    return (await agent.run(asModelText(text))).calls.map(({ result }) => result.text);
  };
  return {
    folder,
    agent,
    entered,
    /** The answers to the calls of one response. */
    sendAll,
    /** The answer to one call. */
    send: async (text: string): Promise<string> => (await sendAll(text))[0] ?? '(no call)',
    edit: async (address: string, body: string): Promise<string> =>
      (await sendAll(`<E:${address}>\n${body}\n</E>`))[0] ?? '(no call)',
    write: async (address: string, body: string): Promise<string> =>
      (await sendAll(`<W:${address}>\n${body}\n</W>`))[0] ?? '(no call)',
    content: (path: string): string => readFileSync(join(folder, path), 'utf8'),
    /** Changes a file from outside. */
    change: (path: string, content: string): void => writeFileSync(join(folder, path), content),
    remove: (path: string): void => rmSync(join(folder, path)),
  };
}
