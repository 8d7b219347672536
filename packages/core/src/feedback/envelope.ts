/** What an envelope holds: results of tool calls, or output of run blocks. */
export type EnvelopeKind = 'Tool output' | 'Output';

/**
 * Wraps results for the model, so that nothing inside can pass for the frame.
 *
 * The frame carries the session's nonce. A line of a result that looks like a frame line of this
 * session has its first bracket replaced; nothing else is touched, so source code survives.
 *
 * @param nonce 16 hexadecimal digits drawn once a session
 */
export function envelope(kind: EnvelopeKind, nonce: string, parts: readonly string[]): string {
  const body = parts.map((part) => disarm(part, nonce)).join('\n---\n');
  return `[${kind} ${nonce}]\n${body}\n[end ${nonce}]`;
}

function disarm(text: string, nonce: string): string {
  if (!text.includes(nonce)) return text;
  const frame = new RegExp(`^([ \\t]*)\\[((?:Tool output|Output|end) ${nonce}\\][ \\t\\r]*)$`, 'gm');
  return text.replace(frame, '$1［$2');
}
