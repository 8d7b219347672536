import { homedir } from 'node:os';
import type { SpaceTree } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { WAYS_TO_A_MODEL } from '../commands/no-model.ts';
import { spaceOutline } from '../space-outline.ts';
import { visibleLine } from '../terminal/make-visible.ts';
import type { Painter } from '../terminal/paint.ts';

/** What a shell begins with. */
export interface ShellStart {
  /** Folder to work in, absolute. */
  readonly root: string;
  readonly choice: ModelChoice;
}

/** The first line: where one is, and which model answers, or how to get one. */
export function openingLine({ root, choice }: ShellStart, paint: Painter): string {
  const model = choice.model === undefined ? `no model (${WAYS_TO_A_MODEL})` : `model: ${choice.reason}`;
  return `${paint('strong', 'bae')} in ${visibleLine(shortened(root))} · ${visibleLine(model)}`;
}

/** What there is at home, and what can be typed: for people who have just arrived. */
export function orientation(tree: SpaceTree, paint: Painter): string {
  const { description, tools, children } = spaceOutline(tree);
  const row = (name: string, about: string) => `  ${paint('strong', name)} -- ${visibleLine(about)}`;
  return [
    row('home', description),
    `    ${tools.join(', ')}`,
    ...children.map((space) => row(`${space.path}()`, space.description)),
    paint('debug', 'Type <R:> or /read to list, help, nav(), a question for the model, or exit.'),
  ].join('\n');
}

function shortened(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
