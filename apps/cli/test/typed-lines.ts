import type { LineSource, ReadLine } from '../src/terminal/piped-input.ts';

export interface TypedLines extends LineSource {
  readonly prompts: string[];
  /** Lines that were not read. */
  left(): readonly unknown[];
}

/** Stands for Ctrl-C among lines. */
export const INTERRUPT = Symbol('interrupt');

/** A source whose lines have arrived already, as if they had been pasted. */
export function lines(texts: readonly (string | symbol)[]): TypedLines {
  const ahead = [...texts];
  const prompts: string[] = [];
  let wasInterrupted = false;
  return {
    prompts,
    untyped: 0,
    left: () => ahead,
    get isPasted() {
      return typeof ahead[0] === 'string';
    },
    hasMore: async () => ahead.length > 0,
    next: async (prompt: string): Promise<ReadLine> => {
      prompts.push(prompt);
      const text = ahead.shift();
      if (text === undefined) return { kind: 'end' };
      const isRepeated = wasInterrupted;
      wasInterrupted = typeof text === 'symbol';
      return typeof text === 'string' ? { kind: 'line', text } : { kind: 'interrupt', isRepeated };
    },
    onInterrupt: () => undefined,
    onAhead: () => false,
    isContinued: () => false,
    unread: (returned) => void ahead.unshift(...returned),
    close: () => undefined,
  };
}
