import type { ToolContext, ToolOutput } from '@bae/core';
import { carryOut, counted } from '@bae/workspace';
import { writeTogether } from '../change/module-change.ts';
import type { NewSpace } from './new-space.ts';
import { planScaffold, type PlannedFile, type PlannedScaffold } from './plan-scaffold.ts';

/**
 * Makes a resourcespace: all its files, or none.
 *
 * @throws what planning it throws, and what writing a file fails with; then nothing is changed
 */
export async function scaffoldSpace(space: NewSpace, context: ToolContext): Promise<ToolOutput> {
  const { root, index } = space.base;
  return carryOut(
    () => planScaffold(space),
    async (planned) => {
      const files = planned.files.map(({ path, text }) => ({ path, text, expected: null, action: 'scaffold' }));
      await writeTogether(root, files, context);
      const catalog = await index.catalog();
      const [view] = planned.files;
      const address = view && catalog.moduleAt(view.path)?.name;
      const next = address === undefined ? [] : [`Go on with ${context.tag(`<R:${address}>`)}`];
      return {
        text: answer(planned, [...next, `Take all of it back with ${context.tag('<undo:>')}`]),
        format: 'plain',
        hint: counted(planned.files.length, 'file'),
      };
    },
  );
}

function answer({ name, folder, files, steps }: PlannedScaffold, next: readonly string[]): string {
  return [
    `Created space ${name}: ${counted(files.length, 'file')} in ${folder}`,
    ...files.map(row),
    'Not in use yet: that is up to the user, since no tool changes the settings of bae.',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    ...next,
  ].join('\n');
}

function row({ name, about }: PlannedFile): string {
  return about === '' ? `  ${name}` : `  ${name} -- ${about}`;
}
