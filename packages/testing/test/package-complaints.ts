/** What the contract of a package says of each defect, by the name of the defect. */
export const PACKAGE_COMPLAINTS: Readonly<Record<string, readonly string[]>> = {
  'options that are no schema': ['options: expected a schema of zod: z.strictObject({ … }).'],
  'options that are a text': ['options: expected an object; got "string". Write z.strictObject({ … }).'],
  'options that JSON cannot express': [
    'options: JSON cannot express them: Date cannot be represented in JSON Schema. Use texts, numbers, lists and objects.',
  ],
  'options that accept misspelt ones': [
    'options: one that does not exist is accepted, so a misspelt one is not noticed. Write z.strictObject({ … }).',
  ],
  'an option without a description': [
    "options.color is not described. Say what it is for: .describe('name of the shop').",
  ],
  'a description of blanks': ["options.color is not described. Say what it is for: .describe('name of the shop')."],
  'a description of two lines': ['options.color: describe it in one line of at most 120 characters.'],
  'a description of a paragraph': ['options.color: describe it in one line of at most 120 characters.'],
  'a description that repeats the name': ['options.color: its description only repeats its name. Say what it is for.'],
  'required options without an example': [
    'options: without any the package does not work, and there is no example. Add .meta({ examples: [{ … }] }).',
  ],
  'an example that is refused': [
    'options: its example 1 is refused: shop: Invalid input: expected string, received number.',
  ],
  'a second example that is refused': [
    'options: its example 2 is refused: shop: Invalid input: expected string, received undefined.',
  ],
  'spaces that cannot be made with the example': [
    'its spaces and hooks cannot be made with options that it accepts: no connection.',
  ],
  'hooks that cannot be made with the example': [
    'its spaces and hooks cannot be made with options that it accepts: no connection.',
  ],
  'a default of another type': [
    'options.limit: its default "20" is refused: Invalid input: expected number, received string.',
  ],
  'a default below the minimum': ['options.limit: its default 0 is refused: Too small: expected number to be >=1.'],
  'a default that is no choice': ['options.size: its default "l" is refused: Invalid option: expected one of "s"|"m".'],
  'a default of a list with a wrong part': [
    'options.days: its default [1.5] is refused: Invalid input: expected int, received number.',
  ],
  'a default that a rule of its own refuses': ['options.day: its default "Monday" is refused: no day off.'],
  'a default whose description is outside': [
    'options.limit: its default 10 is refused: Too big: expected number to be <=9.',
  ],
  'a token that is not marked': [
    'options.token seems to be a secret. Mark it: .meta({ secret: true }), and bae keeps it out of all texts.',
  ],
  'a password that is not marked': [
    'options.shopPassword seems to be a secret. Mark it: .meta({ secret: true }), and bae keeps it out of all texts.',
  ],
  'a key that is not marked': [
    'options.apiKey seems to be a secret. Mark it: .meta({ secret: true }), and bae keeps it out of all texts.',
  ],
  'a secret with a default': ['options.key: a secret has no default. Make it optional, or require it.'],
  'a secret that is a number': ['options.pin: a secret is a text, because a variable or file has it.'],
  'a secret in a state': ['orders() shows options.key, which is a secret. Leave it out.'],
  'a secret in a description': ['orders() shows options.key, which is a secret. Leave it out.'],
  'a secret in the help of a tool': [
    'orders() shows options.key, which is a secret. Leave it out.',
    'the help of orders.read shows options.key, which is a secret. Leave it out.',
  ],
  'a secret in a default': ['the help of orders.read shows options.key, which is a secret. Leave it out.'],
  'a secret in a child': ['orders.older() shows options.key, which is a secret. Leave it out.'],
  'a secret in a refusal': ['closed.beforeCall shows options.key, which is a secret. Leave it out.'],
  'a secret in a message': ['note.beforeSend shows options.key, which is a secret. Leave it out.'],
  'a secret in a result': ['note.afterCall shows options.key, which is a secret. Leave it out.'],
  'a secret in the name of a hook': ['the name of a hook shows options.key, which is a secret. Leave it out.'],
  'a secret in an error': ['closed.beforeCall shows options.key, which is a secret. Leave it out.'],
  'a hook without a name': ["hooks[1].name: expected one line like 'audit'; got undefined."],
  'a hook with a name of blanks': ['hooks[1].name: expected one line like \'audit\'; got " ".'],
  'a hook with a name of two lines': ['hooks[1].name: expected one line like \'audit\'; got "a\\nb".'],
  'two hooks of one name': ['two hooks are named closed. Give each a name of its own: people read it in messages.'],
  'a hook without functions': ['empty: expected one of beforeCall, afterCall, beforeSend, onEvent.'],
  'a hook that is a function': ['hooks[0].name: expected one line like \'audit\'; got "".'],
  'a part that is no function': ['cards.beforeCall: expected a function.'],
  'no time at all': ['cards.timeoutMs: expected milliseconds above 0; got 0.'],
  'a time that is a text': ['cards.timeoutMs: expected milliseconds above 0; got 5 s.'],
  'hooks in another order each time': [
    'its hooks differ when they are made again: closed (beforeCall); cards (afterCall, beforeSend, onEvent, 500 ms), and then cards (afterCall, beforeSend, onEvent, 500 ms); closed (beforeCall). They must match the manifest.',
  ],
  'a hook that is only made once': [
    'its hooks differ when they are made again: closed (beforeCall); cards (afterCall, beforeSend, onEvent, 500 ms), and then cards (afterCall, beforeSend, onEvent, 500 ms). They must match the manifest.',
  ],
  'a name that counts': [
    'its hooks differ when they are made again: closed 1 (beforeCall), and then closed 2 (beforeCall). They must match the manifest.',
  ],
  'functions that come and go': [
    'its hooks differ when they are made again: cards (afterCall, beforeSend, onEvent, 500 ms), and then cards (afterCall, beforeSend, 500 ms). They must match the manifest.',
  ],
  'a hook that allows': [
    "cards: beforeCall of home read gave 'allow'. A hook can refuse, or change arg, kwargs and body; it cannot allow.",
  ],
  'a hook that changes the tool': [
    "cards: beforeCall of home read gave 'tool'. A hook can refuse, or change arg, kwargs and body; it cannot allow.",
  ],
  'a hook that changes the place': [
    "cards: beforeCall of home read gave 'space'. A hook can refuse, or change arg, kwargs and body; it cannot allow.",
  ],
  'a verdict that is a text': [
    'cards: beforeCall of home read gave "no". Return nothing, { refuse: \'why\' } or { arg, kwargs, body }.',
  ],
  'a verdict that is true': [
    "cards: beforeCall of home read gave true. Return nothing, { refuse: 'why' } or { arg, kwargs, body }.",
  ],
  'a refusal without a reason': [
    'cards: beforeCall of home read refuses with "". Say why in one line: the model reads it.',
  ],
  'a refusal that is true': [
    'cards: beforeCall of home read refuses with true. Say why in one line: the model reads it.',
  ],
  'a refusal of many lines': [
    'cards: beforeCall of home read refuses with "no\\nno". Say why in one line: the model reads it.',
  ],
  'an argument that is no text': ['cards: beforeCall of home read gave an arg or body that is no text.'],
  'arguments as a list': [
    'cards: beforeCall of home read gave kwargs that are no object. Return them by name: { kwargs: { limit: 5 } }.',
  ],
  'a body for a call that has none': [
    'cards: beforeCall of home read adds a body to a call without one. That widens it.',
  ],
  'a call that is changed in place': [
    'cards: beforeCall of home read changes the call that it was given. Return what differs: { arg, kwargs, body }.',
  ],
  'a hook that fails without arguments by name': [
    'cards: beforeCall of home read fails: Cannot convert undefined or null to object. The call would be refused.',
  ],
  'a hook that never ends': [
    'cards: beforeCall of home read fails: it took longer than 0.5 s. The call would be refused.',
  ],
  'a result that is an object': [
    'cards: afterCall of home read gave {"text":"x"}. Return the text that replaces the result, or nothing.',
  ],
  'a result that is no longer there': [
    'cards: afterCall of home read gave null. Return the text that replaces the result, or nothing.',
  ],
  'a result that is changed in place': [
    'cards: afterCall of home read changes the result that it was given. Return the text instead.',
  ],
  'a hook that fails for an empty result': [
    'cards: afterCall of home read fails: no connection. The result would not be shown.',
  ],
  'a message that is given back with more': [
    'cards: beforeSend gave the message itself. Return only what is to be appended to it.',
  ],
  'a message that is given back after something': [
    'cards: beforeSend gave the message itself. Return only what is to be appended to it.',
  ],
  'an addition that is a list': ['cards: beforeSend gave ["Sunday"]. Return a text, or nothing.'],
  'a hook that fails for a message': ['cards: beforeSend fails: no connection. Nothing would be appended.'],
  'a hook that never ends with a message': [
    'cards: beforeSend fails: it took longer than 0.5 s. Nothing would be appended.',
  ],
  'a listener that expects a text everywhere': [
    "cards: onEvent of turn-start fails: Cannot read properties of undefined (reading 'trim'). It would hear no more.",
  ],
  'a listener that changes events': [
    'cards: onEvent changes the event that it was given. Other listeners get the same one.',
  ],
  'a listener that fails later': ['cards: onEvent of turn-start fails: no connection. It would hear no more.'],
  'a hook that logs': ["a hook prints 'sending'. Leave it out: it would be in the middle of the screen."],
  'a hook that writes to the screen': ["a hook prints 'event'. Leave it out: it would be in the middle of the screen."],
};
