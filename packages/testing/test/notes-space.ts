import {
  defineResourcespace,
  findNearestName,
  ResourceError,
  tool,
  type SearchHit,
  type SpaceDefinition,
  type SpaceSource,
  type ToolContext,
} from '@bae/core';
import { z } from 'zod';
import type { SpaceSamples } from '../src/space-contract/space-samples.ts';

type Args = Readonly<Record<string, unknown>>;

/** One tool of the space, taken apart. */
export interface ToolParts {
  description: string;
  params: Record<string, z.ZodType>;
  run: (args: Args, context: ToolContext) => unknown;
  settings: {
    effect?: 'read' | 'write' | 'external';
    body?: string;
    output?: z.ZodType;
    idempotent?: boolean;
    destructive?: boolean;
    openWorld?: boolean;
    cost?: string;
    plan?: boolean;
    preview?: (args: Args, context: ToolContext) => string | Promise<string>;
    target?: (args: Args, context: ToolContext) => string | Promise<string>;
  };
}

/** A space taken apart, so that a part of it can be exchanged for a broken one. */
export interface SpaceParts {
  name: string;
  description: string;
  group: string;
  readonly notes: Map<string, string>;
  readonly tools: Record<string, ToolParts>;
  enter: () => string | Promise<string>;
  status: () => Record<string, number>;
  search: (query: string, limit: number) => readonly SearchHit[];
  children: () => Readonly<Record<string, SpaceSource>>;
  onOpen: NonNullable<SpaceDefinition['onOpen']>;
  dispose: () => void | Promise<void>;
}

const LONG = Array.from({ length: 300 }, (_, line) => `entry ${line + 1} of the diary`).join('\n');
const target = z.string().meta({ description: 'Name of the note', examples: ['plan'] });
const pattern = z.string().describe('Words to look for; * for any');

/** The parts of a space that keeps the whole contract: notes by name, in memory. */
export function notesParts(): SpaceParts {
  const notes = new Map([
    ['plan', 'Plan of the week\nBuy apples'],
    ['diary', LONG],
  ]);
  return {
    name: 'notes',
    description: 'Notes by name: read, write, find them.',
    group: 'Memory',
    notes,
    enter: () => `${notes.size} notes`,
    status: () => ({ notes: notes.size }),
    search: (query, limit) => hits(notes, query).slice(0, limit),
    children: () => ({ archive }),
    onOpen: ({ background }) => background(async (signal) => pause(60_000, signal)),
    dispose: () => notes.clear(),
    tools: { ...lookingTools(notes), ...changingTools(notes), ...otherTools(notes) },
  };
}

/** What the notes are sent with, and nobody may see. */
export const SECRET = 'k3y-of-the-postman';

/** Puts the parts together. */
export function spaceOf({ notes: _notes, tools, ...parts }: SpaceParts): SpaceDefinition {
  const made = Object.entries(tools).map(([name, { description, params, run, settings }]) => {
    const invoke = run as (args: Args, context: ToolContext) => string;
    return [name, tool(description, params, invoke, settings as object)] as const;
  });
  return defineResourcespace({ ...parts, tools: Object.fromEntries(made) });
}

const archive = defineResourcespace({
  name: 'archive',
  description: 'Notes of other years.',
  tools: { read: tool('The years there are.', { year: z.int().default(0).describe('0 for all') }, () => '2024, 2025') },
});

function lookingTools(notes: Map<string, string>): Record<string, ToolParts> {
  return {
    read: {
      description: 'A note, or the names of all.',
      params: { target: z.string().default('').describe('Name of the note; empty for all') },
      run: ({ target: name }) => (name === '' ? [...notes.keys()].toSorted().join('\n') : noteOf(notes, name)),
      settings: {},
    },
    glob: {
      description: 'Names that match.',
      params: { pattern },
      run: ({ pattern: words }) =>
        listed(
          [...notes.keys()].filter((name) => matches(name, words)),
          words,
        ),
      settings: {},
    },
    grep: {
      description: 'Lines that match, as name: line.',
      params: { pattern },
      run: async ({ pattern: words }, { signal }) => {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        return listed(
          hits(notes, words).map((hit) => `${hit.target}: ${hit.text}`),
          words,
        );
      },
      settings: {},
    },
  };
}

function changingTools(notes: Map<string, string>): Record<string, ToolParts> {
  return {
    write: {
      description: 'How much was written.',
      params: { target, content: z.string().describe('The whole note') },
      run: ({ target: name, content }) => {
        notes.set(String(name), String(content));
        return `Wrote ${String(content).split('\n').length} lines to ${String(name)}.`;
      },
      settings: {
        body: 'content',
        idempotent: true,
        preview: ({ content }) => `+ ${String(content)}`,
        target: (args) => String(args['target']),
      },
    },
    edit: {
      description: 'What was replaced.',
      params: { target, old: z.string().describe('Text to replace'), new: z.string().describe('What takes its place') },
      run: ({ target: name, old, new: replacement }) => {
        notes.set(String(name), noteOf(notes, name).replace(String(old), String(replacement)));
        return `Replaced ${String(old)} in ${String(name)}.`;
      },
      settings: {},
    },
  };
}

function otherTools(notes: Map<string, string>): Record<string, ToolParts> {
  return {
    wait: {
      description: 'How long it took.',
      params: { ms: z.int().min(0).describe('Milliseconds to wait') },
      run: async ({ ms }, { signal }) => {
        await pause(ms as number, signal);
        return { waited: ms };
      },
      settings: { effect: 'read', output: z.object({ waited: z.int() }) },
    },
    forget: {
      description: 'The name of the note that is gone.',
      params: { target, sure: z.enum(['yes', 'no']).default('yes').describe('no keeps it') },
      run: ({ target: name, sure }) => {
        noteOf(notes, name);
        if (sure === 'yes') notes.delete(String(name));
        return { forgotten: name };
      },
      settings: {},
    },
    send: {
      description: 'To whom the note went.',
      params: { target, to: z.string().describe('Address') },
      run: async ({ target: name, to }, context) => {
        noteOf(notes, name);
        const answers = await context.ask({
          text: `May ${String(name)} be read by ${String(to)}?`,
          fields: { sure: { type: 'boolean', default: true } },
        });
        if (answers?.['sure'] !== true) return 'Not sent.';
        const subject = await context.model(`A subject for the note ${String(name)}`);
        context.progress(1, 2, 'sealed');
        context.output('A stamp is on it.\n');
        context.progress(2, 2, 'sent');
        return `Sent to ${String(to)}: ${subject}`;
      },
      settings: { effect: 'external', openWorld: true, cost: 'a stamp' },
    },
  };
}

function noteOf(notes: ReadonlyMap<string, string>, name: unknown): string {
  const found = notes.get(String(name));
  if (found !== undefined) return found;
  const near = findNearestName(String(name), notes.keys());
  throw new ResourceError(`no note '${String(name)}'.`, [near === undefined ? '<R:>' : `<R:${near}>`]);
}

function hits(notes: ReadonlyMap<string, string>, words: unknown): readonly SearchHit[] {
  return [...notes].flatMap(([name, text]) => {
    const lines = text.split('\n').filter((line) => matches(line, words));
    return lines.map((line) => ({ target: name, text: line }));
  });
}

function matches(text: string, words: unknown): boolean {
  return String(words)
    .split('*')
    .every((word) => text.includes(word));
}

function listed(lines: readonly string[], words: unknown): object {
  if (lines.length === 0) return { text: `Nothing matches '${String(words)}'.`, rows: 0 };
  return { text: lines.join('\n'), rows: lines.length };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** What the notes can be tried with. */
export const NOTES_SAMPLES: SpaceSamples = {
  existing: 'plan',
  missing: 'plans-of-others',
  glob: { matches: 'pl*', misses: 'zzz' },
  grep: { matches: 'apples', misses: 'zzz' },
  write: { args: { target: 'new', content: 'One\n\n  two <b>' }, shows: 'One\n\n  two <b>' },
  edit: { args: { target: 'plan', old: 'apples', new: 'pears' }, shows: 'Buy pears' },
  calls: { forget: { target: 'diary' }, wait: { ms: 1 }, send: { target: 'plan', to: 'a@b.c' } },
  slow: { tool: 'wait', args: { ms: 5000 } },
};
