import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, defineResourcespace, type Approver, type CodeRunner } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { onTestFinished } from 'vitest';
import { provideSource, type SourceOptions } from '../src/provide-source.ts';
import { SourceSpace } from '../src/source-space.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

interface ProjectOptions {
  readonly approver?: Approver;
  readonly codeRunner?: CodeRunner;
  readonly source?: SourceOptions;
}

/** A project in a new folder, and an agent in front of its source. */
export function openProject(files: Files, { approver = allowAll, codeRunner, source = {} }: ProjectOptions = {}) {
  const folder = temporaryFolder(files);
  const home = defineResourcespace({ name: 'lobby', description: 'Before the source.', tools: {} });
  const provide = [provideWorkspace(folder), provideSource(source)];
  const agent = createAgent({ home, spaces: [SourceSpace], provide, approver, ...(codeRunner && { codeRunner }) });
  onTestFinished(() => agent.close());
  return {
    folder,
    agent,
    content: (path: string): string => readFileSync(join(folder, path), 'utf8'),
    /** Changes a file from outside. */
    change: (path: string, content: string): void => writeFileSync(join(folder, path), content),
    remove: (path: string): void => rmSync(join(folder, path)),
  };
}

/** The same with the agent in the source; it executes responses as if a model had sent them. */
export function openSource(files: Files, approver: Approver = allowAll, codeRunner?: CodeRunner) {
  const opened = openProject(files, { approver, ...(codeRunner && { codeRunner }) });
  const entered = opened.agent.run(asModelText('@source()'));
  const sendAll = async (text: string): Promise<readonly string[]> => {
    await entered;
    return (await opened.agent.run(asModelText(text))).calls.map(({ result }) => result.text);
  };
  const send = async (text: string): Promise<string> => (await sendAll(text))[0] ?? '(no call)';
  return {
    ...opened,
    entered,
    /** The results of the calls of one response. */
    sendAll,
    /** The result of one call. */
    send,
    edit: (address: string, body: string) => send(`<E:${address}>\n${body}\n</E>`),
    write: (address: string, body: string) => send(`<W:${address}>\n${body}\n</W>`),
  };
}
