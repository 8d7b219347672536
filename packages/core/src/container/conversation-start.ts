import type { ConversationStart } from '../agent/conversation.ts';
import { renderFeedback } from '../feedback/render-feedback.ts';
import type { SessionSnapshot } from '../protocol/session-log.ts';

/**
 * What a conversation begins with: the system prompt, or everything that was said before a restart and,
 * for the next message, what the model has not been told yet.
 *
 * @param nonce of the session that goes on, for the frame around answers that were not sent
 */
export function conversationStart(
  systemPrompt: string,
  snapshot: SessionSnapshot | undefined,
  nonce: string,
): ConversationStart {
  const system = { role: 'system', text: systemPrompt } as const;
  if (snapshot === undefined) return { messages: [system] };
  const messages = snapshot.messages[0]?.role === 'system' ? snapshot.messages : [system, ...snapshot.messages];
  const items = snapshot.unsent;
  const notes = snapshot.unfinished.map(
    ({ tag, space }) => `${tag} [${space}] was interrupted, outcome unknown. Look at its effect before you repeat it.`,
  );
  const missed = renderFeedback({ nonce, items, outputs: [], problems: [], notes });
  return { messages, held: [...snapshot.held, ...(missed === '' ? [] : [missed])] };
}
