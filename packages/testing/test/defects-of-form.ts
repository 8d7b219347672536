import { defineResourcespace } from '@bae/core';
import { z } from 'zod';
import { broken, defect, type Defect } from './defect.ts';

const BEING = [
  defect('a name that is a verb', 'can be made, registered and entered', (parts) => (parts.name = 'read')),
  defect('enter() throws', 'shows its state in a line or two', (parts) => {
    parts.enter = () => {
      throw new Error('no database');
    };
  }),
  defect('a name that no tag can say', 'can be made, registered and entered', (parts) => (parts.name = 'my notes')),
  defect('an enter() that never ends', 'can be made, registered and entered', (parts) => {
    parts.enter = () => new Promise<string>(() => undefined);
  }),
  defect('a description of two lines', 'can be made, registered and entered', (parts) => {
    parts.description = 'Notes by name.\nRead them.';
  }),
  defect('a tool that would hide another', 'can be made, registered and entered', ({ tools }) => {
    tools['help'] = tools['wait']!;
  }),
  defect('a space with nothing to do', 'has a name, and a description of one line', (parts) => {
    for (const name of Object.keys(parts.tools)) delete parts.tools[name];
    parts.children = () => ({});
  }),
  defect('a description still to be written', 'has a name, and a description of one line', (parts) => {
    parts.description = 'TODO describe the notes';
  }),
  defect('a child with a description of a paragraph', 'has a name, and a description of one line', (parts) => {
    const description = 'All that was written down in other years. '.repeat(3);
    parts.children = () => ({ archive: defineResourcespace({ name: 'archive', description, tools: {} }) });
  }),
  defect('a state that is not a text', 'shows its state in a line or two', (parts) => {
    parts.enter = () => 2 as unknown as string;
  }),
  defect('a state that lists the tools', 'shows its state in a line or two', (parts) => {
    parts.enter = () => '2 notes\n| Tool |';
  }),
  defect('counts that are a list', 'shows its state in a line or two', (parts) => {
    parts.status = () => [2] as unknown as Record<string, number>;
  }),
  defect('status() throws', 'shows its state in a line or two', (parts) => {
    parts.status = () => {
      throw new Error('no database');
    };
  }),
  defect('a description that repeats the name', 'has a name, and a description of one line', (parts) => {
    parts.description = 'Notes.';
  }),
  defect('a description of a paragraph', 'has a name, and a description of one line', (parts) => {
    parts.description = 'Everything you ever wanted to keep. '.repeat(4);
  }),
  defect('a group of two lines', 'has a name, and a description of one line', (parts) => (parts.group = 'a\nb')),
  defect('a state of many lines', 'shows its state in a line or two', (parts) => (parts.enter = () => 'x\n'.repeat(9))),
  defect('counts that are no numbers', 'shows its state in a line or two', (parts) => {
    parts.status = () => ({ notes: Number.NaN });
  }),
  defect('a child whose name cannot be said', 'lists spaces below it that can be entered', (parts) => {
    const { archive } = parts.children();
    parts.children = () => ({ 'the archive': archive! });
  }),
  defect('a child that lacks its name', 'lists spaces below it that can be entered', (parts) => {
    parts.children = () => ({ archive: {} as never });
  }),
  defect('other children each time', 'lists spaces below it that can be entered', (parts) => {
    let count = 0;
    const child = defineResourcespace({ name: 'x', description: 'A child.', tools: {} });
    parts.children = () => (count++ % 2 === 0 ? { one: child } : { two: child });
  }),
];

const DESCRIBING = [
  broken('a tool without a description', 'describes what every tool returns', ({ read }) => (read!.description = '')),
  broken('a description of what the tool does', 'describes what every tool returns', ({ grep }) => {
    grep!.description = 'Searches the notes.';
  }),
  broken('a description that commands', 'describes what every tool returns', ({ read }) => {
    read!.description = 'Read a note by its name';
  }),
  broken('a description that breaks off', 'describes what every tool returns', ({ read }) => {
    read!.description = 'A note, or the names\nof all that there are.';
  }),
  broken('a description of one word', 'describes what every tool returns', ({ read }) => {
    read!.description = 'Notes';
  }),
  broken('a first line that does not end', 'describes what every tool returns', ({ read }) => {
    read!.description = `A note, ${'or another one, '.repeat(10)}or the names of all.`;
  }),
  broken('a parameter without explanation', 'documents every parameter', ({ forget }) => {
    forget!.params['sure'] = z.enum(['yes', 'no']).default('yes');
  }),
  broken('a parameter explained by its name', 'documents every parameter', ({ send }) => {
    send!.params['to'] = z.string().describe('To');
  }),
  broken('a parameter with too much to say', 'documents every parameter', ({ send }) => {
    send!.params['to'] = z.string().describe('Address of whoever is to get the note. '.repeat(4));
  }),
  broken('far too many parameters', 'keeps its table and its entry within the budget', ({ send }) => {
    for (let index = 0; index < 110; index++)
      send!.params[`recipient_${index}`] = z.string().default('').describe('Who');
  }),
  defect('a state that fills the entry', 'keeps its table and its entry within the budget', (parts) => {
    parts.enter = () => 'much to tell '.repeat(150);
  }),
];

const CONTRACTS = [
  broken('a read with a body', 'honours the verbs', ({ read }) => {
    read!.params['content'] = z.string().default('').describe('What to compare with');
    read!.settings = { body: 'content' };
  }),
  broken('a grep that counts as a change', 'honours the verbs', ({ grep }) => (grep!.settings = { effect: 'write' })),
  broken('a glob without a pattern', 'honours the verbs', ({ glob }) => {
    glob!.params = { limit: z.int().default(10).describe('Names at most') };
  }),
  broken('a read that is told an object first', 'honours the verbs', ({ wait }) => {
    wait!.params = { which: z.object({ ms: z.int() }).describe('Milliseconds, and whose') };
  }),
  broken('a write without a target', 'honours the verbs', ({ write }) => {
    write!.params = { content: z.string().describe('The whole note') };
  }),
  broken('a write without a body', 'honours the verbs', ({ write }) => (write!.settings = {})),
  broken('an edit whose default destroys', 'honours the verbs', ({ edit }) => {
    edit!.params['new'] = z.string().default('').describe('What takes its place');
  }),
  broken('an edit without a read', 'honours the verbs', (tools) => delete tools['read']),
  broken('a read without argument that fails', 'honours the verbs', ({ read }) => {
    const { run } = read!;
    read!.run = (args, context) => run({ target: args['target'] === '' ? 'nothing' : args['target'] }, context);
  }),
  broken('a change that counts as reading', 'declares what its tools change', (tools) => {
    tools['delete_note'] = { ...tools['forget']!, settings: { effect: 'read' } };
  }),
  broken('a mail that counts as a local change', 'declares what its tools change', ({ send }) => (send!.settings = {})),
  broken('an effect that nobody knows', 'declares what its tools change', ({ wait }) => {
    wait!.settings = { effect: 'none' as 'read' };
  }),
  broken('a change in camel case that counts as reading', 'declares what its tools change', (tools) => {
    tools['closeNote'] = { ...tools['forget']!, settings: { effect: 'read' } };
  }),
  broken('a read that changes the state', 'changes nothing by reading', ({ read }, { notes }) => {
    const { run } = read!;
    read!.run = (args, context) => {
      notes.set(`log ${notes.size}`, 'somebody read');
      return run(args, context);
    };
  }),
  broken('a look that forgets', 'changes nothing by reading', ({ wait }, { notes }) => {
    wait!.run = () => {
      notes.delete('diary');
      return 'waited';
    };
  }),
  broken('a preview that writes', 'changes nothing by showing what it would change', ({ write }, { notes }) => {
    write!.settings.preview = ({ target, content }) => {
      notes.set(String(target), String(content));
      return '+ content';
    };
  }),
  broken('a plan that writes', 'changes nothing by showing what it would change', ({ write }, { notes }) => {
    write!.settings.plan = true;
    write!.run = ({ target, content }) => {
      notes.set(String(target), String(content));
      return { touches: [], preview: () => '+ content', apply: () => 'Wrote it.' };
    };
  }),
  broken('a plan that shows nothing', 'changes nothing by showing what it would change', ({ write }, { notes }) => {
    write!.settings.plan = true;
    write!.run = ({ target, content }) => ({
      touches: [],
      preview: () => '',
      apply: () => {
        notes.set(String(target), String(content));
        return 'Wrote it.';
      },
    });
  }),
  broken('a target that is not a text', 'changes nothing by showing what it would change', ({ write }) => {
    write!.settings.target = () => 7 as unknown as string;
  }),
  broken('a preview that fails', 'changes nothing by showing what it would change', ({ write }) => {
    write!.settings.preview = () => Promise.reject(new Error('nothing to compare with'));
  }),
  broken('a preview that shows nothing', 'changes nothing by showing what it would change', ({ write }) => {
    write!.settings.preview = () => '';
  }),
];

/** What can be seen of a space without calling it, and what it promises. */
export const DEFECTS_OF_FORM: readonly Defect[] = [...BEING, ...DESCRIBING, ...CONTRACTS];
