/** The five verbs that every space may support, in the order in which they are listed. */
export const VERBS = ['read', 'write', 'edit', 'glob', 'grep'] as const;

type Verb = (typeof VERBS)[number];

/** Names that move instead of calling a tool; no space and no tool may have them. */
export const NAVIGATION_NAMES = ['home', 'back', 'up', 'nav', 'where', 'help'] as const;

/** Names that other tools use for the text between the tags of a write. */
export const CONTENT_NAMES: readonly string[] = ['content', 'contents', 'file_text', 'text'];

/** Short tag of each verb, as shown to the model. */
export const SHORT_TAGS: Readonly<Record<Verb, string>> = {
  read: 'R',
  write: 'W',
  edit: 'E',
  glob: 'G',
  grep: 'Grep',
};

const VERBS_BY_TAG: ReadonlyMap<string, Verb> = new Map(
  VERBS.flatMap((verb) => [verb, SHORT_TAGS[verb].toLowerCase()].map((tag) => [tag, verb])),
);

/** Returns the verb for a short or long tag name, in upper or lower case; undefined for other names. */
export function findVerb(tag: string): Verb | undefined {
  return VERBS_BY_TAG.get(tag.toLowerCase());
}

/** Returns the name of a verb or tool in a tag: `R` for `read`. */
export function getTagName(tool: string): string {
  return Object.hasOwn(SHORT_TAGS, tool) ? SHORT_TAGS[tool as Verb] : tool;
}
