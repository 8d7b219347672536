import { LineReader } from '../terminal/line-reader.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface Question<T> {
  readonly prompt: string;
  /** The value of each valid input, in lower case; for any other input the question is repeated. */
  readonly answers: Readonly<Record<string, T>>;
  /** Called for `d`. */
  readonly showAll?: () => void;
  /** Called on Ctrl-C, which ends the question. */
  readonly onInterrupt?: () => void;
}

/** Asks until the input is valid; undefined when it ended. Only what is typed after the question counts. */
export async function askQuestion<T>(
  { prompt, answers, showAll, onInterrupt }: Question<T>,
  reader: Pick<LineReader, 'fresh'>,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (;;) {
    const line = await reader.fresh(prompt, signal);
    if (line.kind === 'interrupt') onInterrupt?.();
    if (line.kind !== 'line') return undefined;
    const word = line.text.trim().toLowerCase();
    if (Object.hasOwn(answers, word)) return answers[word];
    if (word === 'd') showAll?.();
  }
}

/** Opens the keyboard for one question. */
export async function askOnce<T>(
  question: Question<T>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<T | undefined> {
  const reader = new LineReader(terminal);
  try {
    return await askQuestion(question, reader, signal);
  } finally {
    reader.close();
  }
}
