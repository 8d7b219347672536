import type { ToolCall } from '../protocol/tool-call.ts';

/** Longest line that is taken for a tag, and most tags remembered. */
const LONGEST = 300;
const MOST = 5000;

/**
 * Remembers the tags that stood in what a session has read, so that a call copied from there is noticed:
 * a file that says `<W:.profile>` must not get its way just because a model repeats it.
 */
export class CopyGuard {
  private readonly read = new Set<string>();

  /** Remembers the tags of an answer: lines that begin like one, whatever follows it. */
  learn(text: string): void {
    if (!text.includes('<')) return;
    for (const line of text.split('\n')) {
      const tag = tagOf(line);
      if (tag !== undefined) this.add(tag);
    }
  }

  /** True when the call stood, letter for letter, in something that was read. */
  isCopied(call: ToolCall): boolean {
    return this.read.has(call.tag);
  }

  private add(tag: string): void {
    this.read.delete(tag);
    this.read.add(tag);
    const [oldest] = this.read;
    if (this.read.size > MOST && oldest !== undefined) this.read.delete(oldest);
  }
}

function tagOf(line: string): string | undefined {
  const start = line.indexOf('<');
  if (start === -1 || line.slice(0, start).trim() !== '') return undefined;
  const end = line.indexOf('>', start);
  return end === -1 || end - start > LONGEST ? undefined : line.slice(start, end + 1);
}
