import { listWords, toStem } from './list-stems.ts';

/** What an action does to things: most servers name their tools by one of these and a thing. */
export type ActionKind = 'read' | 'create' | 'delete' | 'change';

const VERBS: Readonly<Record<ActionKind, string>> = {
  read: 'get fetch retrieve obtain read list show view describe search find query look lookup check download',
  create: 'create make generate add build new insert post write',
  delete: 'delete remove erase drop clear uninstall',
  change: 'update edit modify change set rename move replace',
};

let kindsByStem: ReadonlyMap<string, ActionKind> | undefined;

/** Finds the kind of the first action that a text or a name mentions: `listIssues` reads, "add an issue" creates. */
export function findActionKind(text: string): ActionKind | undefined {
  kindsByStem ??= new Map(
    (Object.entries(VERBS) as [ActionKind, string][]).flatMap(([kind, verbs]) =>
      verbs.split(' ').map((verb) => [toStem(verb), kind] as const),
    ),
  );
  for (const word of listWords(text)) {
    const kind = kindsByStem.get(toStem(word));
    if (kind !== undefined) return kind;
  }
  return undefined;
}
