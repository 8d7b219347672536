import { ResourceError, type AgentOptions } from '@bae/core';
import { createPainter, makeLineVisible, splitVisibleLines } from '../terminal/terminal-text.ts';
import { askQuestion, type Keyboard } from './ask-approval.ts';
import type { Mode } from './modes.ts';

/** Asks a person a question on behalf of a tool. */
export type AskQuestion = NonNullable<AgentOptions['askPerson']>;

type Answer = string | number | boolean;
type Field = Parameters<AskQuestion>[0]['fields'][string];

/** Asks at the keyboard, one field after the other. A lone `-` declines to answer. @throws ResourceError at Ctrl-C or Ctrl-D */
export function askQuestionAtTerminal({ terminal: { out }, reader }: Keyboard): AskQuestion {
  return async ({ text, fields, space, tool, url }, signal) => {
    const paint = createPainter(out);
    const mark = (line: string): string => (line === url ? markHost(line, (host) => paint('strong', host)) : line);
    const lines = splitVisibleLines(text).map((line) => `  ${mark(line)}`);
    out.write(`${[`${paint('hint', '?')} ${paint('strong', `${space} (${tool})`)} asks you:`, ...lines].join('\n')}\n`);
    const answers: Record<string, Answer> = {};
    for (const [name, field] of Object.entries(fields)) {
      const answer = await askField(name, field);
      if (answer === undefined) return undefined;
      if (answer !== null) answers[name] = answer;
    }
    return answers;

    /** Reads the answer for a field; null for none, if that is allowed; undefined if the person declines to answer. */
    async function askField(name: string, field: Field): Promise<Answer | null | undefined> {
      for (;;) {
        const line = await reader.fresh(`${describeField(name, field)}: `, signal);
        if (line.kind === 'interrupt') reader.onInterrupt();
        if (line.kind !== 'line')
          throw new ResourceError(`${tool} asks a question, and the user dismissed it without an answer.`);
        if (line.text.trim() === '-') return undefined;
        const typed = line.text.trim();
        if (typed === '' && field.default !== undefined) return field.default;
        if (typed === '' && field.optional === true) return null;
        const answer = readAnswer(typed, field);
        if (answer !== undefined) return answer;
        out.write(`${paint('hint', `  ${explainField(field)}; - answers nothing.`)}\n`);
      }
    }
  };
}

/** Marks the host of an address, which tells whose page it is. */
function markHost(url: string, mark: (host: string) => string): string {
  const { host, username, protocol } = new URL(url);
  const at = url.indexOf(host, username === '' ? protocol.length : url.indexOf('@'));
  return `${url.slice(0, at)}${mark(host)}${url.slice(at + host.length)}`;
}

/** Asks whether to follow a plan, and in which mode; undefined if it is rejected. */
export type AskAboutPlan = (signal: AbortSignal) => Promise<Mode | undefined>;

/** Asks at the keyboard about the plan on the screen. */
export function askAboutPlanAtTerminal(keyboard: Keyboard): AskAboutPlan {
  const choices = [
    ['yes', 'yes, ask before each change', 'ask'],
    ['edit', 'yes, make edits without asking', 'edit'],
    ['no', 'no, continue planning', undefined],
  ] as const;
  return (signal) => askQuestion<Mode | undefined>({ verb: 'follow', choices }, keyboard, signal);
}

/** Returns a description such as `port, where it listens (a whole number, Enter for 80)`. */
function describeField(name: string, field: Field): string {
  const about = field.description === undefined || field.description === name ? '' : `, ${field.description}`;
  const usual = typeof field.default === 'boolean' ? (field.default ? 'yes' : 'no') : field.default;
  const otherwise = usual === undefined ? (field.optional === true ? ', Enter for none' : '') : `, Enter for ${usual}`;
  return makeLineVisible(`${name}${about} (${explainField(field)}${otherwise})`);
}

function explainField({ type, oneOf }: Field): string {
  if (oneOf !== undefined) return oneOf.join(' or ');
  if (type === 'boolean') return 'yes or no';
  if (type === 'integer') return 'a whole number';
  return type === 'number' ? 'a number' : 'a text';
}

/** Parses a typed answer; undefined if it is invalid. */
export function readAnswer(typed: string, { type, oneOf }: Field): Answer | undefined {
  if (typed === '') return undefined;
  if (type === 'boolean')
    return /^(?:y|yes|true)$/i.test(typed) ? true : /^(?:n|no|false)$/i.test(typed) ? false : undefined;
  if (type === 'string') return oneOf === undefined || oneOf.includes(typed) ? typed : undefined;
  const number = Number(typed);
  const isRight = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isRight ? number : undefined;
}
