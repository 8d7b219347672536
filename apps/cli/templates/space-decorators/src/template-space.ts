import {
  inject,
  findNearestName,
  ResourceError,
  resourcespace,
  tool,
  type Change,
  type Resourcespace,
  type ToolContext,
} from '@bae/core';
import { WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { NoteStore } from './note-store.ts';

/** The folder of the notes, in the workspace. */
const FOLDER = 'template';

const name = z
  .string()
  .regex(/^[\w-]+$/)
  .meta({ description: 'Name of the note', examples: ['oslo'] });
const text = z.string().describe('The whole note');
const wanted = z.string().min(1).describe('Text to look for');

/** Notes by name: what a model sees of them. The store does the work. */
@resourcespace({ name: 'template', description: 'Notes by name, kept as files.' })
export class TemplateSpace implements Resourcespace {
  readonly #notes: NoteStore;

  constructor(@inject(WORKSPACE_ROOT) files: WorkspaceRoot) {
    this.#notes = new NoteStore(files, FOLDER);
  }

  async enter(): Promise<string> {
    const { length } = await this.#notes.names();
    return `${length} ${length === 1 ? 'note' : 'notes'}`;
  }

  @tool({ description: 'A note, or the names of all.', params: { name: name.optional() } })
  async read({ name }: { name?: string | undefined }, { tag }: ToolContext): Promise<string> {
    const names = await this.#notes.names();
    if (name === undefined) return names.join('\n') || `There are no notes. To write one: ${tag('<W:NAME>text</W>')}`;
    if (names.includes(name)) return this.#notes.read(name);
    throw new ResourceError(`no note '${name}'.`, [`<R:${findNearestName(name, names) ?? ''}>`]);
  }

  @tool({ description: 'Which note was written.', params: { name, text }, body: 'text', plan: true })
  async write({ name, text }: { name: string; text: string }): Promise<Change> {
    return (await this.#notes.planWrite(name, text)).map(() => `Wrote ${name}.`);
  }

  @tool({ description: 'Lines with a text, as name: line.', params: { text: wanted } })
  async grep({ text }: { text: string }, { signal }: ToolContext) {
    const lines = await this.#notes.find(text, signal);
    const whole = () => lines.join('\n');
    return { text: whole() || `No note says '${text}'.`, rows: lines.length, whole };
  }
}
