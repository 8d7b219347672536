/** What the contract says of each defect, by the name of the defect. */
export const COMPLAINTS: Readonly<Record<string, readonly string[]>> = {
  'a name that is a verb': [
    "InvalidSpaceError: 'read' already has another meaning in bae. Give the space another name.",
  ],
  'enter() throws': ['enter() throws Error: no database. It must not.'],
  'a name that no tag can say': [
    "InvalidSpaceError: a space's name is an identifier (letters, digits, _ and -); got \"my notes\". Example: 'tickets'.",
  ],
  'an enter() that never ends': ['@notes() did not end within 1.5 s.'],
  'a description of two lines': [
    "InvalidSpaceError: space 'notes' needs a one-line description. Example: 'Support tickets of the shop.'.",
  ],
  'a tool that would hide another': [
    "InvalidSpaceError: tool 'help' of space 'notes' would hide bae's own help. Give the tool another name, for example 'notes_help'.",
  ],
  'a space with nothing to do': ['notes has no tools, and no spaces below it. Give it a read.'],
  'a description still to be written': ['the description of notes is still to be written.'],
  'a child with a description of a paragraph': [
    'the description of notes.archive has 126 characters, at most 100 are recommended. Keep what a newcomer needs to choose it.',
    'notes.archive has no tools, and no spaces below it. Give it a read.',
  ],
  'a state that is not a text': ["enter() gave 2. Return a text: '3 open tickets'."],
  'a state that lists the tools': ['enter() lists the tools. Leave them out: bae adds their table.'],
  'counts that are a list': ['status() gave [2]. Return counts by label: { open: 3 }.'],
  'status() throws': ['status() throws Error: no database. It must not.'],
  'a description that repeats the name': [
    'the description of notes only repeats its name. Say what is in it, and for whom.',
  ],
  'a description of a paragraph': [
    'the description of notes has 144 characters, at most 100 are recommended. Keep what a newcomer needs to choose it.',
  ],
  'a group of two lines': ['group: expected a heading of one line; got "a\\nb".'],
  'a state of many lines': [
    'enter() gives 10 lines; at most 3 are allowed. Show what matters now; the rest belongs in read.',
  ],
  'counts that are no numbers': ['status() gave null for notes. Return counts by label: { open: 3 }.'],
  'a child whose name cannot be said': [
    'the archive is listed by children() but cannot be entered. Name it with letters, digits, _ and -, and not like a verb.',
  ],
  'a child that lacks its name': [
    "archive below it is unavailable: InvalidSpaceError: a space lacks the required member 'name' (expected string, got undefined). Add name: 'tickets'. Fix that space.",
  ],
  'other children each time': ['children() lists different spaces each time. List them in a fixed order.'],
  'a tool without a description': [
    "notes.read has no description. Say what comes back, for example 'The open tickets, one a line.'",
  ],
  'a description of what the tool does': [
    "the description of notes.grep says what the tool does: 'Searches the notes.'. Say what comes back, for example 'The open tickets, one a line.'",
  ],
  'a description that commands': [
    "the description of notes.read says what the tool does: 'Read a note by its name'. Say what comes back, for example 'The open tickets, one a line.'",
  ],
  'a description that breaks off': [
    "the description of notes.read breaks off at 'A note, or the names': tables show its first line. End a sentence there.",
  ],
  'a description of one word': [
    "the description of notes.read is one word. Say what comes back, for example 'The open tickets, one a line.'",
  ],
  'a first line that does not end': [
    'the description of notes.read has 188 characters on its first line, at most 120 are recommended. Put the rest on further lines.',
  ],
  'a parameter without explanation': [
    "notes.forget: nothing explains sure (yes|no). Add .describe('…') to sure, a few words on one line: what it is, which values.",
  ],
  'a parameter explained by its name': [
    "notes.send: the explanation of to only repeats its name. Add .describe('…') to to, a few words on one line: what it is, which values.",
  ],
  'a parameter with too much to say': ['notes.send: the explanation of to is longer than one line of 100 characters.'],
  'far too many parameters': [
    'the tool table of notes has 1805 units, at most 1380 are recommended. Shorten the state and the descriptions, leave out parameters nobody needs, or put tools into a space below it.',
    'entering notes shows 1943 units, at most 1680 are recommended. Shorten the state and the descriptions, leave out parameters nobody needs, or put tools into a space below it.',
  ],
  'a state that fills the entry': [
    'entering notes shows 2453 units, at most 1680 are recommended. Shorten the state and the descriptions, leave out parameters nobody needs, or put tools into a space below it.',
  ],
  'a read with a body': ['notes.read takes a body, content, which a tag of this verb cannot have. Remove body.'],
  'a grep that counts as a change': [
    'notes.grep has the effect write, but looking changes nothing. Remove effect, or rename the tool.',
  ],
  'a glob without a pattern': [
    "notes.glob takes no pattern as its argument. Put the pattern first: { pattern: z.string().describe('…') }.",
  ],
  'a read that is told an object first': [
    'notes.wait: which comes first, and its values cannot be written into a tag. Put a text or number first.',
  ],
  'a write without a target': ['notes.write does not name what it writes to. Put a target first.'],
  'a write without a body': ["notes.write takes no body. Name the parameter that takes the text: body: 'content'."],
  'an edit whose default destroys': [
    'notes.edit: without new it would write "" over what is there. Make new .optional() or required, without a default.',
  ],
  'an edit without a read': ['notes.edit: an edit that changes nothing becomes a read, and there is none. Add read.'],
  'a read without argument that fails': [
    "read without an argument is refused: ResourceError: no note 'nothing'. List there what can be read.",
  ],
  'a change that counts as reading': [
    "delete_note sounds like a change and has the effect read, so nobody is asked. Remove effect: 'read', or name it for what it returns.",
  ],
  'a mail that counts as a local change': [
    "send sounds as if something left the machine, and has the effect write. Say effect: 'external'.",
  ],
  'an effect that nobody knows': ['wait has the effect none. There are read, write, external.'],
  'a change in camel case that counts as reading': [
    "closeNote sounds like a change and has the effect read, so nobody is asked. Remove effect: 'read', or name it for what it returns.",
  ],
  'a read that changes the state': [
    'read has the effect read and changes what others read (before: "2 notes", after: "5 notes"). Give read the effect write, or let it change nothing.',
  ],
  'a look that forgets': [
    'wait has the effect read and changes what others read (before: "2 notes", after: "1 notes"). Give wait the effect write, or let it change nothing.',
  ],
  'a preview that writes': [
    'the plan, preview or target of write changes something (before: "2 notes", after: "3 notes"). Leave that to the call.',
  ],
  'a plan that writes': [
    'the plan, preview or target of write changes something (before: "2 notes", after: "3 notes"). Leave that to the call.',
  ],
  'a plan that shows nothing': [
    'the preview of write shows nothing. Show what would change, as a difference or in words.',
  ],
  'a target that is not a text': ['the target of write is not a text.'],
  'a preview that fails': ['the preview of write throws Error: nothing to compare with. It must not.'],
  'a preview that shows nothing': [
    'the preview of write shows nothing. Show what would change, as a difference or in words.',
  ],
  'a text that is refused without saying why': [
    'notes.send: the error for {"target":"plan","to":"x-no-such-value-x"} does not say what was expected. Describe to by a plain zod schema.',
  ],
  'a number that is refused without saying why': [
    'notes.wait: the error for {"ms":-987654321} does not say what was expected. Describe ms by a plain zod schema.',
  ],
  'an example that is refused': [
    'notes.send: the example of its help, <send:plan to=text>, does not work. - to: expected text matching /^\\+\\d{9}$/, got "text" Give to one: .meta({ examples: [\'…\'] }).',
  ],
  'a parameter that is a date': [
    'notes.wait: until cannot be expressed in JSON Schema: Date cannot be represented in JSON Schema. Use texts, numbers, booleans, enums, lists and objects of them; convert inside the tool.',
  ],
  'a parameter that is a function': [
    'notes.wait: done cannot be expressed in JSON Schema: Custom types cannot be represented in JSON Schema. Use texts, numbers, booleans, enums, lists and objects of them; convert inside the tool.',
  ],
  'a missing note that is an empty answer': [
    "read(plans-of-others): a missing target is returned as a result, not thrown as an error. Throw new ResourceError('no … plans-of-others.', ['<R:>']).",
  ],
  'a schema that takes anything': ['notes.send: to takes anything. Say what it is: z.string(), z.object({ … }).'],
  'a schema that says something else as JSON': [
    'notes.wait: its JSON Schema refuses {"ms":"10"}, which the tool takes.',
  ],
  'a schema that cannot be read back': [
    'notes.send: its JSON Schema cannot be read back: Conditional schemas (if/then/else) are not supported.',
  ],
  'two parameters that JSON cannot say': [
    'notes.wait: ms cannot be expressed in JSON Schema: BigInt cannot be represented in JSON Schema. Use texts, numbers, booleans, enums, lists and objects of them; convert inside the tool.',
    'notes.wait: of cannot be expressed in JSON Schema: Map cannot be represented in JSON Schema. Use texts, numbers, booleans, enums, lists and objects of them; convert inside the tool.',
  ],
  'a note found in every object': [
    'read(__proto__) finds what every object has. Keep things in a Map, or use Object.hasOwn().',
  ],
  'a hint that does not work': [
    `read(plans-of-others): its hint {"name":"notes.read","arguments":{"target":"plans"}} fails, too: ResourceError: no note 'plans'. Hint at something that works.`,
  ],
  'an error that does not name what was asked for': [
    "forget(plans-of-others): the error does not name what was asked for. Throw new ResourceError('no … plans-of-others.', ['<R:>']).",
  ],
  'a missing note that breaks the tool': [
    "read(plans-of-others) fails by accident: TypeError: Cannot read properties of undefined (reading 'trim'). Check first whether it exists. Throw new ResourceError('no … plans-of-others.', ['<R:>']).",
  ],
  'a missing note without a hint': [
    "forget(plans-of-others): the error has no hint to go on with. Throw new ResourceError('no … plans-of-others.', ['<R:>']).",
  ],
  'a write that trims': ['read(new) after the write does not show "  two <b>". Keep the body exactly as it came.'],
  'a write that forgets': ["read(new) after the write fails: ResourceError: no note 'new'."],
  'a write that fails': ['write fails with the sample: Error: disk is full. Fix it, or the sample.'],
  'a write that confirms nothing': ['write confirms nothing. Say what was changed.'],
  'an edit that fails': ['edit fails with the sample: Error: note is locked. Fix it, or the sample.'],
  'an edit that loses the rest': [
    'read(plan) after the edit does not show "Buy pears". Keep the body exactly as it came.',
  ],
  'an edit that only says so': [
    'read(plan) after the edit shows the same as before, although the edit reports success.',
    'read(plan) after the edit does not show "Buy pears". Keep the body exactly as it came.',
  ],
  'no match as an error': [
    "glob without a match is an error: Error: nothing found. Return a sentence: 'No ticket matches …'.",
    'glob for "([{" fails by accident: Error: nothing found. Search for it as a text, or throw a ResourceError with a hint.',
  ],
  'no match as a list of everything': ['glob without a match reports 2 rows. Return rows: 0.'],
  'no match as a lecture': ["grep without a match returns 424 characters. Return a sentence: 'No ticket matches …'."],
  'a search that fails where it should find': ['grep for "apples" fails: Error: index is broken.'],
  'no match as an empty list': ['grep without a match returns "[]". Return a sentence: \'No ticket matches …\'.'],
  'a pattern that breaks the search': [
    'grep for "([{" fails by accident: SyntaxError: Invalid regular expression: /([{/: Unterminated character class. Search for it as a text, or throw a ResourceError with a hint.',
  ],
  'a search that finds nothing, ever': ['grep for "apples" finds nothing, although it matches something.'],
  'a search over all spaces that always finds': [
    'search() finds something for a query that nothing matches. Return no hits.',
  ],
  'hits that lead nowhere': ['search() gives hits that are not { target, text }.'],
  'a search over all spaces that throws': ['search() throws Error: index is broken. It must not.'],
  'a search over all spaces without a limit': ['search() gives 5 hits, 2 were asked for. Obey its limit.'],
  'hits that cannot be read': ['search() finds "plan:2", and read fails for it: ResourceError: no note \'plan:2\'.'],
  'a page without an end': [
    'read() sets paged: true and returns 8000 characters. A page has at most 4000; remove paged and bae cuts it.',
    'read("plan") sets paged: true and returns 8000 characters. A page has at most 4000; remove paged and bae cuts it.',
  ],
  'a tool that fails': ['forget("diary") fails: Error: note is locked.'],
  'an empty text': ['wait(1) returns an empty text. Say that there is nothing.'],
  'a format that nobody knows': [
    'wait(1) returns format: "pdf". There are markdown, plain, code, json, log, diff, csv, html, rows, printed.',
  ],
  'a function in an answer': [
    'wait(1) fails: ResultError: notes.wait ran, and returned a function in again, which cannot be shown. A tool returns text, plain objects and lists, or attachments.',
  ],
  'answers at random': [
    'read() returns a different result the second time. Sort lists; leave out times and random names.',
    'read("plan") returns a different result the second time. Sort lists; leave out times and random names.',
  ],
  'the time in an answer': [
    'wait(1) returns a different result the second time. Sort lists; leave out times and random names.',
  ],
  'a whole that is no function': [
    'wait(1) returns whole as something other than a function. It is called when code makes the call, and returns the whole text.',
  ],
  'a whole that is not a text': ['wait(1) returns whole as a function that gives neither text nor data.'],
  'a connection': [
    'forget("diary") fails: ResultError: notes.forget ran, and returned an object of the class WeakRef without fields in over, which cannot be shown. A tool returns text, plain objects and lists, or attachments.',
  ],
  'an instance of a class': [
    'forget("diary") returns a Note, which JSON cannot hold. Return a text, or plain objects and lists.',
  ],
  'pieces that cannot be shown': [
    'forget("diary") fails: ResultError: notes.forget ran, and returned a function, which cannot be shown. A tool returns text, plain objects and lists, or attachments.',
  ],
  'data of another shape': [
    'wait(1) returns something that does not match its output schema: waited: Invalid input: expected number, received string. Change one of them.',
  ],
  'a text in place of data': [
    'wait(1) returns something that does not match its output schema: the data: Invalid input: expected object, received string. Change one of them.',
  ],
  'a whole of another shape': [
    'wait(1) returns something that does not match its output schema: waited: Invalid input: expected number, received undefined. Change one of them.',
  ],
  'a generator of another shape': [
    'wait(1) returns something that does not match its output schema: the data: Invalid input: expected object, received array. Change one of them.',
  ],
  'an attachment of a kind that there is not': [
    'forget("diary") fails: ResultError: attachments[0].type: expected image, audio, file, link, table; got "picture".',
  ],
  'an image without a type': [
    'forget("diary") fails: ResultError: attachments[0].mediaType: expected one such as image/png; got nothing.',
  ],
  'an image as a path': [
    'forget("diary") fails: ResultError: attachments[0].data: expected bytes (a Uint8Array), or base64; got "./shot.png".',
  ],
  'a link that leads nowhere': [
    'forget("diary") fails: ResultError: attachments[0].url: expected a whole URL; got "notes/plan".',
  ],
  'a table of lists': [
    'forget("diary") fails: ResultError: attachments[0].rows: expected a list of objects; got Array.',
  ],
  'attachments that are no list': ['forget("diary") fails: ResultError: attachments: expected a list; got Object.'],
  'a circle': [
    'wait(1) returns an object that contains itself (in self), which JSON cannot hold. Return a text, or plain objects and lists.',
  ],
  'no number': ['wait(1) returns NaN (in waited), which JSON cannot hold. Return a text, or plain objects and lists.'],
  nothing: ['forget("diary") returns nothing, which reads (no output). Say what was done or found.'],
  'an answer with a field too many': [
    'wait(1) returns a text with the field row, so that all of it is shown as JSON. A result has text, format, paged, whole, rows, hint, where, attachments, errors, failed.',
  ],
  'rows that are no count': ['wait(1) returns rows: -1. It is how many rows the whole result has.'],
  'a read that is destructive': [
    "wait has the effect read and is declared destructive. Say effect: 'write', or remove destructive.",
  ],
  'a read that is idempotent': ['wait only reads, so that calling it twice changes nothing anyway. Remove idempotent.'],
  'a change here that costs something': ["forget costs something, and has the effect write. Say effect: 'external'."],
  'a cost that is a number': ["send: cost is not a text. Say what one call costs in a few words: '$0.02'."],
  'a write that adds, declared idempotent': [
    'write is declared idempotent, and a second call changes something more (before: "  two <b>", after: "  two <b>One"). Remove idempotent.',
  ],
  'a note for every call, declared idempotent': [
    'write is declared idempotent, and a second call changes something more (before: "4 notes", after: "5 notes"). Remove idempotent.',
  ],
  'deaf to cancellation': [
    'wait goes on for more than a second after it was cancelled. Pass context.signal on to what it waits for, and call context.signal.throwIfAborted() in loops.',
  ],
  'holds up the process': ['wait blocks the whole process for some ms. Wait now and then: await setImmediate().'],
  'prints to the console': [
    'it prints "reading". Return what a tool has to report; log elsewhere what a developer wants to see.',
  ],
  'prints to standard error': [
    'it prints "". Return what a tool has to report; log elsewhere what a developer wants to see.',
  ],
  'notes of the whole process': [
    'what one instance did shows in another (before: "", after: "new"). Keep state in the instance, and give create() a new one each time.',
  ],
  'a counter of the whole process': [
    'what one instance did shows in another (before: "0 waits", after: "1 waits"). Keep state in the instance, and give create() a new one each time.',
  ],
  'a second dispose that throws': ['dispose(), called a second time, throws Error: already closed. It must not.'],
  'a dispose that never ends': ['dispose() did not end within 1.5 s.'],
  'a call that never ends': ['read() did not end within 1.5 s.'],
  'progress that is no number': ['forget("diary") calls context.progress(NaN, undefined). Give it numbers from 0.'],
  'progress as a part of one': ['forget("diary") calls context.progress("50 %", undefined). Give it numbers from 0.'],
  'progress from below nothing': ['forget("diary") calls context.progress(-1, undefined). Give it numbers from 0.'],
  'progress of no total': ['forget("diary") calls context.progress(1, Infinity). Give it numbers from 0.'],
  'progress beyond its total': ['forget("diary") reports 3 of 2. Leave out the total when it is not known.'],
  'progress that goes back': [
    'forget("diary") reports 1 after 5. Progress only grows: add up what is done in all steps.',
  ],
  'a step of many lines': [
    'forget("diary") describes a step by "reading\\nand writing". Say it in a few words on one line; what is printed goes to context.output().',
  ],
  'output that is not a text': ['forget("diary") calls context.output() with 7. Give it a text.'],
  'output that comes too late': [
    'forget("diary") reports output when it is over, which nobody sees. Await all work before you return.',
  ],
  'output after the pieces of a generator': [
    'forget("diary") reports output when it is over, which nobody sees. Await all work before you return.',
  ],
  'progress that comes too late': [
    'wait(1) reports progress when it is over, which nobody sees. Await all work before you return.',
  ],
  'a question without words': [
    'forget("diary") asks without saying what for. Put it into text: { text: \'Which account?\', fields: { … } }.',
  ],
  'a question for nothing': [
    'forget("diary") asks for nothing. Name what is to be answered: fields: { account: { type: \'string\' } }.',
  ],
  'a question without fields': [
    'forget("diary") asks for nothing. Name what is to be answered: fields: { account: { type: \'string\' } }.',
  ],
  'a field of a type that there is not': [
    'forget("diary") asks for day with the type "date". There are string, number, integer, boolean.',
  ],
  'a choice of nothing': ['forget("diary") asks for account with an empty oneOf. List the answers, or leave it out.'],
  'a default of another type': ['forget("diary") asks for count with the default "two", which is no integer.'],
  'half a thing as a default': ['forget("diary") asks for count with the default 0.5, which is no integer.'],
  'a default that is no choice': [
    'forget("diary") asks for account with the default "both", which oneOf does not allow.',
  ],
  'an empty question to the model': [
    'forget("diary") asks the model " ". Give context.model() a text with all that it has to know.',
  ],
  'an object as a question to the model': [
    'forget("diary") asks the model [object Object]. Give context.model() a text with all that it has to know.',
  ],
  'an answer that is taken for granted': [
    'forget("diary") breaks when its question is refused: TypeError: Cannot read properties of undefined (reading \'account\'). context.ask() returns undefined when the user does not answer, context.model() throws.',
  ],
  'a model that is taken for granted': [
    'forget("diary") breaks when its question is refused: TypeError: Cannot read properties of undefined (reading \'trim\'). context.ask() returns undefined when the user does not answer, context.model() throws.',
  ],
  'an onOpen() that throws': [
    'enter() throws ResourceError: notes could not be opened: Error: no database. It must not.',
  ],
  'an onOpen() that rejects': ['enter() throws ResourceError: no database. It must not.'],
  'an onOpen() that never ends': ['@notes() did not end within 1.5 s.'],
  'an onOpen() that prints': [
    'it prints "connected". Return what a tool has to report; log elsewhere what a developer wants to see.',
  ],
  'a connection that is opened once': [
    'enter() after dispose() throws ResourceError: notes could not be opened: Error: already connected. It must not.',
  ],
  'work in the background that fails': [
    'its work in the background fails. Stopped in the background: Error: no network. Catch what can go wrong, and try again.',
  ],
  'work in the background that throws': [
    'its work in the background fails. Stopped in the background: TypeError: x is undefined. Catch what can go wrong, and try again.',
  ],
  'a secret in its state': ['enter() shows a secret that the space was given. Leave it out.'],
  'a secret in a result': ['wait(1) shows a secret that the space was given. Leave it out.'],
  'a secret in an error': [
    'the error of read(zqx-nothing-is-called-this-zqx) shows a secret that the space was given. Leave it out.',
  ],
  'data in a folder of the whole machine': [
    'what one instance did shows in another (before: "plan", after: "new"). Keep state in the instance, and give create() a new one each time.',
  ],
  'a symbol as a result, which no other process gets': [
    'forget("diary") fails: ResultError: notes.forget ran, and returned a symbol in gone, which cannot be shown. A tool returns text, plain objects and lists, or attachments.',
  ],
};
