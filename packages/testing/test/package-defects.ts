import { defineResourcespace, tool, type Hook, type SpaceSource } from '@bae/core';
import { z } from 'zod';

/** What a package of orders exports, in a form that defects can change. */
export interface PackageParts {
  options: z.ZodType;
  spaces: (options: Options) => unknown;
  hooks: (options: Options) => Hook[];
}

interface Options {
  readonly shop: string;
  readonly limit: number;
  readonly key?: string | undefined;
}

const SHOP = z.string().describe('name of the shop');
const LIMIT = z.int().min(1).default(20).describe('most orders that are shown');
const KEY = z.string().optional().describe('key of the shop').meta({ secret: true });
const EXAMPLES = { examples: [{ shop: 'acme' }] };

/** A package without a defect. */
export function packageParts(): PackageParts {
  return {
    options: z.strictObject({ shop: SHOP, limit: LIMIT, key: KEY }).meta(EXAMPLES),
    spaces: ({ shop, limit }) => orders(`Orders of ${shop}.`, `at most ${limit} are shown`),
    hooks: ({ shop }) => [
      {
        name: 'closed',
        beforeCall: ({ space, tool: name, arg, kwargs }) => {
          if (space.startsWith('shop.') && name === 'pay') return { refuse: `${shop} is closed on Sundays` };
          return name === 'grep' ? { arg: arg.trim(), kwargs: { ...kwargs, limit: 5 } } : undefined;
        },
      },
      {
        name: 'cards',
        timeoutMs: 500,
        afterCall: (_call, { text }) => text.replaceAll(/\b\d{16}\b/g, '(card number)'),
        beforeSend: (message) => (message.length > 10 ? 'It is Sunday.' : undefined),
        onEvent: () => undefined,
      },
    ],
  };
}

function orders(
  description: string,
  state = '',
  {
    help = 'One order.',
    of = 'acme',
    below = {},
  }: { help?: string; of?: string; below?: Record<string, SpaceSource> } = {},
) {
  const params = { id: z.int().describe('Number of the order'), of: z.string().default(of).describe('Name of a shop') };
  const tools = { read: tool(help, params, ({ id }) => `Order ${id}`) };
  return defineResourcespace({ name: 'orders', description, enter: () => state, tools, children: () => below });
}

/** One thing wrong with the package, and what the contract says of it. */
export interface PackageDefect {
  readonly name: string;
  readonly check: string;
  readonly breaks: (parts: PackageParts) => void;
}

const schemaOf = (shape: Readonly<Record<string, z.ZodType>>, examples: object = EXAMPLES): z.ZodType =>
  z.strictObject({ shop: SHOP, limit: LIMIT, key: KEY, ...shape }).meta({ ...examples });

const withOptions = (check: string, name: string, options: unknown): PackageDefect => ({
  name,
  check,
  breaks: (parts) => void (parts.options = options as z.ZodType),
});
const withSpaces = (name: string, spaces: PackageParts['spaces']): PackageDefect => ({
  name,
  check: SHOWN,
  breaks: (parts) => void (parts.spaces = spaces),
});
/** @param time number of times that the hooks of a package were made before */
type MakeHooks = (options: Options, own: readonly Hook[], time: number) => unknown;
const withHooks = (check: string, name: string, hooks: MakeHooks) => ({
  name,
  check,
  breaks: (parts: PackageParts): void => {
    const made = parts.hooks;
    let time = 0;
    parts.hooks = (options) => hooks(options, made(options), time++) as Hook[];
  },
});
/** Changes the second of the two hooks. */
const withHook = (check: string, name: string, hook: object): PackageDefect =>
  withHooks(check, name, (_, [first, second]) => [first, { ...second, ...hook }]);
const withVerdict = (name: string, beforeCall: unknown): PackageDefect => withHook(VERDICT, name, { beforeCall });

const SCHEMA = 'has options that a configuration can hold';
const DESCRIBED = 'describes every option';
const EXAMPLE = 'works without options, or has an example that does';
const DEFAULTS = 'has defaults that its options accept';
const MARKED = 'marks the options that are secrets';
const SHOWN = 'shows no secret option in its places, their help and its hooks';
const DECLARED = 'declares its hooks, each with a name and functions';
const REPEATED = 'makes the same hooks each time, in the same order';
const VERDICT = 'only refuses or narrows a call';
const RESULT = 'returns a text for a result, or nothing';
const MESSAGE = 'only appends to a message';
const LISTENS = 'listens to events without failing';
const PRINTS = 'prints nothing in its hooks';

const never = (): Promise<never> => new Promise(() => undefined);
const fail = (): never => {
  throw new Error('no connection');
};

export const PACKAGE_DEFECTS: readonly PackageDefect[] = [
  withOptions(SCHEMA, 'options that are no schema', { shop: 'acme' }),
  withOptions(SCHEMA, 'options that are a text', z.string().default('acme')),
  withOptions(
    SCHEMA,
    'options that JSON cannot express',
    schemaOf({ since: z.date().optional().describe('first day') }),
  ),
  withOptions(SCHEMA, 'options that accept misspelt ones', z.object({ shop: SHOP }).meta(EXAMPLES)),
  withOptions(DESCRIBED, 'an option without a description', schemaOf({ color: z.string().optional() })),
  withOptions(DESCRIBED, 'a description of blanks', schemaOf({ color: z.string().optional().describe(' ') })),
  withOptions(DESCRIBED, 'a description of two lines', schemaOf({ color: z.string().optional().describe('a\nb') })),
  withOptions(
    DESCRIBED,
    'a description of a paragraph',
    schemaOf({ color: z.string().optional().describe('ab '.repeat(50)) }),
  ),
  withOptions(
    DESCRIBED,
    'a description that repeats the name',
    schemaOf({ color: z.string().optional().describe('Color') }),
  ),
  withOptions(EXAMPLE, 'required options without an example', schemaOf({}, {})),
  withOptions(EXAMPLE, 'an example that is refused', schemaOf({}, { examples: [{ shop: 7 }] })),
  withOptions(EXAMPLE, 'a second example that is refused', schemaOf({}, { examples: [{ shop: 'a' }, { shp: 'b' }] })),
  {
    name: 'spaces that cannot be made with the example',
    check: EXAMPLE,
    breaks: (parts) => void (parts.spaces = fail),
  },
  withHooks(EXAMPLE, 'hooks that cannot be made with the example', fail),
  withOptions(
    DEFAULTS,
    'a default of another type',
    schemaOf({
      limit: z
        .int()
        .describe('most')
        .default('20' as never),
    }),
  ),
  withOptions(DEFAULTS, 'a default below the minimum', schemaOf({ limit: z.int().min(1).default(0).describe('most') })),
  withOptions(
    DEFAULTS,
    'a default that is no choice',
    schemaOf({
      size: z
        .enum(['s', 'm'])
        .default('l' as never)
        .describe('of boxes'),
    }),
  ),
  withOptions(
    DEFAULTS,
    'a default of a list with a wrong part',
    schemaOf({ days: z.array(z.int()).default([1.5]).describe('open ones') }),
  ),
  withOptions(
    DEFAULTS,
    'a default that a rule of its own refuses',
    schemaOf({
      day: z
        .string()
        .refine((day) => day.startsWith('S'), 'no day off')
        .default('Monday')
        .describe('day off'),
    }),
  ),
  withOptions(
    DEFAULTS,
    'a default whose description is outside',
    schemaOf({ limit: z.int().max(9).default(10).describe('most') }),
  ),
  withOptions(MARKED, 'a token that is not marked', schemaOf({ token: z.string().optional().describe('to log in') })),
  withOptions(
    MARKED,
    'a password that is not marked',
    schemaOf({ shopPassword: z.string().optional().describe('to log in') }),
  ),
  withOptions(MARKED, 'a key that is not marked', schemaOf({ apiKey: z.string().optional().describe('to log in') })),
  withOptions(
    MARKED,
    'a secret with a default',
    schemaOf({ key: z.string().default('1234').describe('key').meta({ secret: true }) }),
  ),
  withOptions(
    MARKED,
    'a secret that is a number',
    schemaOf({ pin: z.int().optional().describe('of the door').meta({ secret: true }) }),
  ),
  withSpaces('a secret in a state', ({ key }) => orders('Orders of a shop.', `logged in as ${key}`)),
  withSpaces('a secret in a description', ({ key }) => orders(`Orders of the shop ${key}.`)),
  withSpaces('a secret in the help of a tool', ({ key }) =>
    orders('Orders of a shop.', '', { help: `One order, with ${key}.` }),
  ),
  withSpaces('a secret in a default', ({ key = '' }) => orders('Orders of a shop.', '', { of: key })),
  withSpaces('a secret in a child', ({ key }) => {
    const older = { name: 'older', description: 'Older orders.', enter: () => `of ${key}`, tools: {} };
    const below = { older: defineResourcespace(older) };
    return orders('Orders of a shop.', '', { below });
  }),
  withHooks(SHOWN, 'a secret in a refusal', ({ key }) => [
    { name: 'closed', beforeCall: () => ({ refuse: `no ${key}` }) },
  ]),
  withHooks(SHOWN, 'a secret in a message', ({ key }) => [{ name: 'note', beforeSend: () => `The key is ${key}.` }]),
  withHooks(SHOWN, 'a secret in a result', ({ key }) => [{ name: 'note', afterCall: () => `with ${key}` }]),
  withHooks(SHOWN, 'a secret in the name of a hook', ({ key }) => [{ name: `of ${key}`, onEvent: () => undefined }]),
  withHooks(SHOWN, 'a secret in an error', ({ key }) => [
    {
      name: 'closed',
      beforeCall: () => {
        throw new Error(`cannot log in as ${key}`);
      },
    },
  ]),
  withHook(DECLARED, 'a hook without a name', { name: undefined }),
  withHook(DECLARED, 'a hook with a name of blanks', { name: ' ' }),
  withHook(DECLARED, 'a hook with a name of two lines', { name: 'a\nb' }),
  withHook(DECLARED, 'two hooks of one name', { name: 'closed' }),
  withHooks(DECLARED, 'a hook without functions', () => [{ name: 'empty' }]),
  withHooks(DECLARED, 'a hook that is a function', () => [() => undefined]),
  withHook(DECLARED, 'a part that is no function', { beforeCall: 'refuse' }),
  withHook(DECLARED, 'no time at all', { timeoutMs: 0 }),
  withHook(DECLARED, 'a time that is a text', { timeoutMs: '5 s' }),
  withHooks(REPEATED, 'hooks in another order each time', (_, own, time) => (time % 2 ? own : own.toReversed())),
  withHooks(REPEATED, 'a hook that is only made once', (_, own, time) => (time % 2 ? own : own.slice(1))),
  withHooks(REPEATED, 'a name that counts', (_, [first], time) => [{ ...first, name: `closed ${time}` }]),
  withHooks(REPEATED, 'functions that come and go', (_, [, second], time) => [
    time % 2 ? second : { ...second, onEvent: undefined },
  ]),
  withVerdict('a hook that allows', () => ({ allow: true })),
  withVerdict('a hook that changes the tool', () => ({ tool: 'read' })),
  withVerdict('a hook that changes the place', () => ({ space: 'home' })),
  withVerdict('a verdict that is a text', () => 'no'),
  withVerdict('a verdict that is true', () => true),
  withVerdict('a refusal without a reason', () => ({ refuse: '' })),
  withVerdict('a refusal that is true', () => ({ refuse: true })),
  withVerdict('a refusal of many lines', () => ({ refuse: 'no\nno' })),
  withVerdict('an argument that is no text', () => ({ arg: 7 })),
  withVerdict('arguments as a list', () => ({ kwargs: ['limit'] })),
  withVerdict('a body for a call that has none', () => ({ body: 'x' })),
  withVerdict('a call that is changed in place', (call: { arg: string }) => void (call.arg = 'x')),
  withVerdict(
    'a hook that fails without arguments by name',
    ({ kwargs }: { kwargs: object }) => void Object.keys(kwargs),
  ),
  withVerdict('a hook that never ends', never),
  withHook(RESULT, 'a result that is an object', { afterCall: () => ({ text: 'x' }) }),
  withHook(RESULT, 'a result that is no longer there', { afterCall: () => null }),
  withHook(RESULT, 'a result that is changed in place', {
    afterCall: (_call: unknown, result: { text: string }) => void (result.text = 'x'),
  }),
  withHook(RESULT, 'a hook that fails for an empty result', {
    afterCall: (_call: unknown, { text }: { text: string }) => (text === '' ? fail() : text),
  }),
  withHook(MESSAGE, 'a message that is given back with more', {
    beforeSend: (message: string) => `${message}\nSunday`,
  }),
  withHook(MESSAGE, 'a message that is given back after something', {
    beforeSend: (message: string) => `Now: ${message}`,
  }),
  withHook(MESSAGE, 'an addition that is a list', { beforeSend: () => ['Sunday'] }),
  withHook(MESSAGE, 'a hook that fails for a message', { beforeSend: fail }),
  withHook(MESSAGE, 'a hook that never ends with a message', { beforeSend: never }),
  withHook(LISTENS, 'a listener that expects a text everywhere', {
    onEvent: ({ text }: { text: string }) => void text.trim(),
  }),
  withHook(LISTENS, 'a listener that changes events', {
    onEvent: (event: { label: string }) => void (event.label = 'mine'),
  }),
  withHook(LISTENS, 'a listener that fails later', { onEvent: async () => fail() }),
  withHook(PRINTS, 'a hook that logs', { beforeSend: () => void process.stdout.write('sending\n') }),
  withHook(PRINTS, 'a hook that writes to the screen', { onEvent: () => void process.stderr.write('event\n') }),
];
