import type { ParseProblem } from '../protocol/tool-call.ts';
import { envelope } from './envelope.ts';

/** One answered call, as the model gets to see it. */
export interface FeedbackItem {
  /** The call as written, without its body. */
  readonly tag: string;
  /** Dotted space it ran in. */
  readonly space: string;
  /** `ok`, or the class name of the error. */
  readonly status: string;
  readonly text: string;
}

/** Everything one message for the model is made of. */
export interface FeedbackParts {
  readonly nonce: string;
  readonly items: readonly FeedbackItem[];
  /** Outputs of run blocks, one each. */
  readonly outputs: readonly string[];
  readonly problems: readonly ParseProblem[];
  /** Sentences for the end, without their `[Note]`. */
  readonly notes: readonly string[];
}

/** The message that answers a response: results in call order, then what could not be read, then notes. */
export function renderFeedback({ nonce, items, outputs, problems, notes }: FeedbackParts): string {
  const blocks: string[] = [];
  if (items.length > 0) blocks.push(envelope('Tool output', nonce, items.map(renderItem)));
  if (outputs.length > 0) blocks.push(envelope('Output', nonce, outputs.map(orNothing)));
  for (const problem of problems) blocks.push(renderProblem(problem));
  for (const note of notes) blocks.push(`[Note] ${note}`);
  return blocks.join('\n');
}

/** A parse problem as one line: `[Parse problem] line 2: …`. */
export function renderProblem(problem: ParseProblem): string {
  return `[Parse problem] line ${problem.line}: ${problem.message}`;
}

function renderItem(item: FeedbackItem, index: number): string {
  return `#${index + 1} ${item.tag} [${item.space}] ${item.status}\n${orNothing(item.text)}`;
}

function orNothing(text: string): string {
  return text === '' ? '(no output)' : text;
}
