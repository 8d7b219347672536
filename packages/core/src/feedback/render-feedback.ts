import type { ParseProblem } from '../protocol/tool-call.ts';

/** One executed call, as the model sees it. */
export interface FeedbackItem {
  /** The call as written, without its body. */
  readonly tag: string;
  /** Dotted space it ran in. */
  readonly space: string;
  /** `ok`, or the class name of the error. */
  readonly status: string;
  readonly text: string;
}

interface FeedbackParts {
  /** 16 hexadecimal digits drawn once a session. */
  readonly nonce: string;
  readonly items: readonly FeedbackItem[];
  /** Outputs of run blocks, one each. */
  readonly outputs: readonly string[];
  readonly problems: readonly ParseProblem[];
  /** Sentences for the end, without their `[Note]`. */
  readonly notes: readonly string[];
}

/** The message that follows a response: results in call order, then parse problems, then notes. */
export function renderFeedback({ nonce, items, outputs, problems, notes }: FeedbackParts): string {
  const blocks: string[] = [];
  if (items.length > 0) blocks.push(wrapInEnvelope('Tool output', nonce, items.map(renderItem)));
  if (outputs.length > 0) blocks.push(wrapInEnvelope('Output', nonce, outputs.map(orNothing)));
  for (const { line, message } of problems) blocks.push(`[Parse problem] line ${line}: ${message}`);
  for (const note of notes) blocks.push(`[Note] ${note}`);
  return blocks.join('\n');
}

/**
 * Frames results for the model with lines that have the session's nonce. A line of a result that looks like one of them
 * has its first bracket replaced, so that nothing inside can pass for the frame.
 */
export function wrapInEnvelope(kind: 'Tool output' | 'Output', nonce: string, parts: readonly string[]): string {
  const body = parts.map((part) => disarm(part, nonce)).join('\n---\n');
  return `[${kind} ${nonce}]\n${body}\n[end ${nonce}]`;
}

function disarm(text: string, nonce: string): string {
  if (!text.includes(nonce)) return text;
  const frame = new RegExp(`^([ \\t]*)\\[((?:Tool output|Output|end) ${nonce}\\][ \\t\\r]*)$`, 'gm');
  return text.replace(frame, '$1［$2');
}

function renderItem({ tag, space, status, text }: FeedbackItem, index: number): string {
  return `#${index + 1} ${tag} [${space}] ${status}\n${orNothing(text)}`;
}

function orNothing(text: string): string {
  return text === '' ? '(no output)' : text;
}
