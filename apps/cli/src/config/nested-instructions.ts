import type { AgentOptions, Hook } from '@bae/core';

/** Instructions of a folder below the root. */
export interface NestedInstructions {
  /** The folder, as a path below the root. */
  readonly below: string;
  /** Text for a session that works there. */
  readonly message: string;
}

/**
 * Creates the hook that appends the instructions of the folders that a session has reached to its next message, once.
 *
 * @param resume the session that is resumed: what is in its conversation is not told again
 */
export function tellNested(nested: readonly NestedInstructions[], resume?: AgentOptions['resume']): Hook {
  const sessions = new Map<string, { readonly left: Set<NestedInstructions>; due: string[] }>();
  if (resume !== undefined) {
    const isTold = ({ message }: NestedInstructions) => resume.messages.some(({ text }) => text.includes(message));
    sessions.set(resume.label, { left: new Set(nested.filter((one) => !isTold(one))), due: [] });
  }
  return {
    name: 'instructions',
    onEvent: (event) => {
      if (event.type !== 'call-end' || event.files === undefined) return;
      const session = sessions.get(event.label) ?? { left: new Set(nested), due: [] };
      sessions.set(event.label, session);
      for (const folder of session.left) {
        if (!event.files.some((path) => `${path}/`.startsWith(`${folder.below}/`))) continue;
        session.left.delete(folder);
        session.due.push(folder.message);
      }
    },
    beforeSend: (_message, label) => sessions.get(label)?.due.splice(0).join('\n\n'),
  };
}
