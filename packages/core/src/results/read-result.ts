import { ResourceError } from '../errors/call-errors.ts';
import { PAGE_WINDOW } from '../protocol/limits.ts';
import type { ResultStore } from '../protocol/result-store.ts';
import type { ToolOutput } from '../protocol/tool-output.ts';
import { PagedText, type Page } from './paged-text.ts';
import { parseResultAddress, type ResultAddress } from './result-address.ts';

/** Handles that the message about a missing one names. */
const NAMED_HANDLES = 5;

/**
 * Reads a kept text, whole or a page of it.
 *
 * A page is raw text and a last line `[lines 1-87 of 513; next: <R:result:12:88-174>]`; what fits one
 * page comes as it is. Following the `next:` tags gives the text back exactly: a page's body is all
 * before its last line break, and bodies are joined by line breaks, or by nothing within one long line.
 *
 * @param argument `result:12`, `result:12:88-174` or `result:12:1@4001` (line 1 from character 4001 on)
 * @throws ResourceError for a handle, line or character that is not there; ParameterError for a bad address
 */
export function readResult(store: ResultStore, argument: string): ToolOutput {
  const address = parseResultAddress(argument);
  const text = store.get(address.ref);
  if (text === undefined) throw unknownHandle(store, address.ref);
  const output = { text, format: 'plain', paged: true } as const;
  if (address.line === undefined && text.length <= PAGE_WINDOW) return output;
  const paged = new PagedText(text);
  const page = pageAt(paged, address);
  if (page.body === text) return output;
  const place = placeOf(page, paged);
  const next = nextAddress(page, paged);
  const footer = next === undefined ? `[${place}]` : `[${place}; next: <R:${address.ref}:${next}>]`;
  return { ...output, text: `${page.body}\n${footer}`, whole: () => linesOf(text, address), hint: place };
}

/** Everything that an address names, which code gets. */
function linesOf(text: string, { line = 1, lastLine, character = 1 }: ResultAddress): string {
  const lines = text.split('\n').slice(line - 1, lastLine);
  return lines.join('\n').slice(character - 1);
}

function pageAt(text: PagedText, { ref, line = 1, lastLine = text.lines, character }: ResultAddress): Page {
  if (line > text.lines) {
    throw new ResourceError(`${ref} has ${counted(text.lines, 'line')}; asked for line ${line}.`, [`<R:${ref}>`]);
  }
  if (character === undefined) return text.linesFrom(line, lastLine);
  const length = text.lengthOf(line);
  if (character > Math.max(length, 1)) {
    const fact = `line ${line} of ${ref} has ${counted(length, 'character')}; asked for character ${character}.`;
    throw new ResourceError(fact, [`<R:${ref}:${line}@1>`]);
  }
  return text.charactersFrom(line, character);
}

function placeOf(page: Page, { lines }: PagedText): string {
  if (page.kind === 'lines') return `lines ${page.first}-${page.last} of ${lines}`;
  return `line ${page.line} of ${lines}, characters ${page.first}-${page.last} of ${page.length}`;
}

/** What follows the handle in the tag for the next page; undefined after the last one. */
function nextAddress(page: Page, text: PagedText): string | undefined {
  if (page.kind === 'characters' && page.last < page.length) return `${page.line}@${page.last + 1}`;
  const line = (page.kind === 'lines' ? page.last : page.line) + 1;
  if (line > text.lines) return undefined;
  const next = text.linesFrom(line, text.lines);
  return next.kind === 'lines' ? `${line}-${next.last}` : `${line}@1`;
}

function unknownHandle(store: ResultStore, ref: string): ResourceError {
  const latest = (store.handles?.() ?? []).slice(-NAMED_HANDLES).toReversed();
  if (latest.length === 0) {
    return new ResourceError(
      `no kept result '${ref}'. An answer is kept when it was pruned, and its last line names the handle.`,
      ['call the tool again'],
    );
  }
  const hints = latest.slice(0, 1).map((handle) => `<R:${handle}>`);
  return new ResourceError(`no kept result '${ref}'. The latest are ${latest.join(', ')}.`, hints);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
