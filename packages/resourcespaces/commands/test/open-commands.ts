import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allowAll, asModelText, createAgent, type Approver, type SpaceSource } from '@bae/core';
import { limitCommands, type LimitOptions } from '@bae/project';
import { provideWorkspace, type WorkspaceOptions } from '@bae/workspace';
import { onTestFinished } from 'vitest';

export type Files = Readonly<Record<string, string>>;

/** A new folder with these files, by path; it is removed when the test is over. */
export function temporaryFolder(files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-commands-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

interface PlaceOptions extends WorkspaceOptions {
  readonly approver?: Approver;
  readonly limits?: LimitOptions;
}

/** An agent in a place over a folder, that runs tags as if a model had sent them. */
export function openPlace(
  space: SpaceSource | readonly SpaceSource[],
  folder: string,
  { approver = allowAll, limits = {}, ...options }: PlaceOptions = {},
) {
  const provide = [limitCommands(provideWorkspace(folder, options), limits)];
  const agent = createAgent({ spaces: [space].flat(), provide, approver });
  onTestFinished(() => agent.close());
  const place = agent.tree.below([])[0]!;
  const entered = agent.run(asModelText(`@${place.name}()`));
  const sendAll = async (text: string) => {
    await entered;
    return (await agent.run(asModelText(text))).calls.map(({ result }) => result);
  };
  return {
    agent,
    folder,
    entered,
    sendAll,
    /** The text of the result of one call. */
    send: async (tag: string): Promise<string> => (await sendAll(tag))[0]?.text ?? '(no call)',
  };
}
