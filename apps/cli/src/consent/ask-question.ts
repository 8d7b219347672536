import { LineReader } from '../terminal/line-reader.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A question that a person answers with a word. */
export interface Question<T> {
  readonly prompt: string;
  /** What the words mean, in lower case; others make it ask again. */
  readonly answers: Readonly<Record<string, T>>;
  /** Called for `d`. */
  readonly showAll?: () => void;
  /** Called on Ctrl-C, which is no answer. */
  readonly onInterrupt?: () => void;
}

/** Asks until the answer is understood; only what is typed after the question counts. Undefined without an answer. */
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

/** The same, with the keyboard open for this question only. */
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
