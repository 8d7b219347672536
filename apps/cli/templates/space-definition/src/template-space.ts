import { defineResourcespace, findNearestName, ResourceError, tool, type SpaceDefinition } from '@bae/core';
import { getWorkspace, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { NoteStore } from './note-store.ts';

const name = z
  .string()
  .regex(/^[\w-]+$/)
  .meta({ description: 'Name of the note', examples: ['oslo'] });
const text = z.string().describe('The whole note');
const wanted = z.string().min(1).describe('Text to look for');

/**
 * Notes by name: what a model sees of them. The store does the work.
 *
 * @param folder of the notes, a path in the workspace
 */
export function templateSpace(files: WorkspaceRoot, folder: string): SpaceDefinition {
  const notes = new NoteStore(files, folder);
  return defineResourcespace({
    name: 'template',
    description: 'Notes by name, kept as files.',

    async enter() {
      const { length } = await notes.names();
      return `${length} ${length === 1 ? 'note' : 'notes'}`;
    },

    tools: {
      read: tool('A note, or the names of all.', { name: name.optional() }, async ({ name }, { tag }) => {
        const names = await notes.names();
        if (name === undefined)
          return names.join('\n') || `There are no notes. To write one: ${tag('<W:NAME>text</W>')}`;
        if (names.includes(name)) return notes.read(name);
        throw new ResourceError(`no note '${name}'.`, [`<R:${findNearestName(name, names) ?? ''}>`]);
      }),

      write: tool(
        'Which note was written.',
        { name, text },
        async ({ name, text }) => (await notes.planWrite(name, text)).map(() => `Wrote ${name}.`),
        { body: 'text', plan: true },
      ),

      grep: tool('Lines with a text, as name: line.', { text: wanted }, async ({ text }, { signal }) => {
        const lines = await notes.find(text, signal);
        const whole = () => lines.join('\n');
        return { text: whole() || `No note says '${text}'.`, rows: lines.length, whole };
      }),
    },
  });
}

/** The options in a configuration: `{ "use": "bae-resourcespace-template", "options": { "folder": "docs" } }`. */
export const options = z.strictObject({
  folder: z.string().min(1).default('template').describe('Folder of the notes, in the workspace'),
});

/** Makes the space for a session, from what the application provides. */
export function spaces(
  { folder }: z.output<typeof options>,
  provided: ReadonlyMap<symbol | string, unknown>,
): SpaceDefinition {
  return templateSpace(getWorkspace(provided), folder);
}
