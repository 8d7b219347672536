import type { ToolCall } from '../protocol/tool-call.ts';

/** Most tags remembered of each kind. */
const MOST = 5000;

/** Longest tag that is remembered. */
const LONGEST = 300;

/** What a tool may put before a line of content: its number, or the place where it was found. */
const BEFORE = /^\s*(?:\d+ \| \s*|.{1,300}:\d+: \s*)?$/;

/**
 * Remembers the tags that stood in what a session has read, so that a call copied from there is noticed:
 * a file that says `<W:.profile>` must not get its way just because a model repeats it.
 */
export class CopyGuard {
  private readonly shown = new Set<string>();
  /** Apart from the others: a page that code reads must not push out what the model has seen. */
  private readonly unseen = new Set<string>();

  /** Remembers the tags of what a model sees: lines that begin like one, whatever follows it. */
  learn(text: string): void {
    remember(text, this.shown);
  }

  /** Remembers those of what code was given, of which a model may see any part in any form. */
  learnUnseen(text: string): void {
    remember(text, this.unseen);
  }

  /** True when the call stood, letter for letter, in something that was read. */
  isCopied({ tag }: ToolCall): boolean {
    return this.shown.has(tag) || this.unseen.has(tag);
  }
}

function remember(text: string, tags: Set<string>): void {
  for (const tag of tagsOf(text)) {
    tags.delete(tag);
    tags.add(tag);
    const [oldest] = tags;
    if (tags.size > MOST && oldest !== undefined) tags.delete(oldest);
  }
}

/** The tags that lines begin with. */
function* tagsOf(text: string): Generator<string> {
  for (let start = text.indexOf('<'); start !== -1;) {
    const lineStart = text.lastIndexOf('\n', start) + 1;
    const nextLine = text.indexOf('\n', start);
    const line = text.slice(start, Math.min(start + LONGEST, nextLine === -1 ? text.length : nextLine));
    const end = line.indexOf('>');
    // What stands before a tag is short, or no tool has put it there.
    const before = start - lineStart > 2 * LONGEST ? 'text' : text.slice(lineStart, start);
    if (end !== -1 && BEFORE.test(before)) yield line.slice(0, end + 1);
    start = nextLine === -1 ? -1 : text.indexOf('<', nextLine);
  }
}
