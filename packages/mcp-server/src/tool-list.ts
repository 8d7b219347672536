import type { Tool } from '@modelcontextprotocol/server';

const text = (description: string) => ({ type: 'string', description }) as const;

const PLACE = text('Dotted name of the place, such as tasks or source.tests; default home');
const CALL = {
  type: 'object',
  properties: {
    place: PLACE,
    tool: text('Name of the tool, as the place lists it: read (R), write (W), edit (E), glob (G), grep, or its own'),
    arguments: { type: 'object', description: 'Arguments by name' },
  },
  required: ['tool'],
} satisfies Tool['inputSchema'];

const answer = (properties: Record<string, object>, ...required: readonly string[]) =>
  ({ type: 'object', properties, ...(required.length > 0 && { required }) }) as NonNullable<Tool['outputSchema']>;

/** Text, or data if it is JSON, and the handle of the whole if it was cut. */
const OUTPUT = answer({ text: { type: 'string' }, data: {}, result: { type: 'string' } });
const FOUND = answer({ place: { type: 'string' }, tool: { type: 'string' }, description: { type: 'string' } });

/** Instructions for clients of the server. */
export const INSTRUCTIONS = `Tools are in places. Begin with see(); then see a place, and call what it lists.
Places show calls as tags: <Grep:pattern> [path] in the place source is look_up {"place":"source","tool":"grep","arguments":{"pattern":"…","path":"…"}}. <R:result:3> is read_result {"result":"result:3"}.`;

/** The tools of the server, which are the same for any set of places. */
export const TOOL_LIST: readonly Tool[] = [
  {
    name: 'see',
    description: 'What is in a place, and the tools that it has. Without a place: home, which names all places.',
    inputSchema: { type: 'object', properties: { place: PLACE, tool: text('Explain only this tool') } },
    outputSchema: answer({ text: { type: 'string' } }),
    annotations: { title: 'See a place', readOnlyHint: true },
  },
  {
    name: 'look_up',
    description: 'Calls a tool that only reads. Refuses tools that change something.',
    inputSchema: CALL,
    outputSchema: OUTPUT,
    annotations: { title: 'Read', readOnlyHint: true },
  },
  {
    name: 'call',
    description: 'Calls any tool. The user is asked before something changes.',
    inputSchema: { ...CALL, properties: { ...CALL.properties, session: { type: 'string' } } },
    outputSchema: OUTPUT,
    annotations: { title: 'Call a tool', readOnlyHint: false, destructiveHint: true },
  },
  {
    name: 'run',
    description:
      'Runs TypeScript with the tools as functions, await read("a.ts"), await tasks.read(7), and returns what it prints and its last value.',
    inputSchema: {
      type: 'object',
      properties: { code: text('The code; variables stay'), session: text('As named by an answer, if one was') },
      required: ['code'],
    },
    outputSchema: OUTPUT,
    annotations: { title: 'Run code', readOnlyHint: false, destructiveHint: true },
  },
  {
    name: 'read_result',
    description: 'More of a result that was cut.',
    inputSchema: {
      type: 'object',
      properties: {
        result: text('Its handle, such as result:3'),
        lines: text('Such as 100-140, or -50 for the last'),
      },
      required: ['result'],
    },
    outputSchema: OUTPUT,
    annotations: { title: 'Read more', readOnlyHint: true },
  },
  {
    name: 'find',
    description: 'The places and tools that fit a question, best first: create an issue.',
    inputSchema: { type: 'object', properties: { query: text('Words') }, required: ['query'] },
    outputSchema: answer({ tools: { type: 'array', items: FOUND } }, 'tools'),
    annotations: { title: 'Find a tool', readOnlyHint: true },
  },
];
