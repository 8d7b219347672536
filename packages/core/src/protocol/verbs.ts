/** The five verbs every space may support, in the order they are always listed. */
export const VERBS = ['read', 'write', 'edit', 'glob', 'grep'] as const;

type Verb = (typeof VERBS)[number];

/** Names that move instead of calling a tool; no space and no tool may take them. */
export const NAVIGATION_NAMES = ['home', 'back', 'up', 'nav', 'help'] as const;

/** What other tools call the text that a write takes between its tags. */
export const CONTENT_NAMES: readonly string[] = ['content', 'contents', 'file_text', 'text'];

/** Short and long tag names, lower case, and the verb each stands for. */
export const TAG_NAMES: Readonly<Record<string, Verb>> = {
  r: 'read',
  read: 'read',
  w: 'write',
  write: 'write',
  e: 'edit',
  edit: 'edit',
  g: 'glob',
  glob: 'glob',
  grep: 'grep',
};

/** The short tag of each verb, as shown to the model. */
export const SHORT_TAGS: Readonly<Record<Verb, string>> = {
  read: 'R',
  write: 'W',
  edit: 'E',
  glob: 'G',
  grep: 'Grep',
};
