import { createHmac, timingSafeEqual } from 'node:crypto';

/** Evidence for a fact, in its state at the time when the fact was written. */
export interface Evidence {
  /** Path of a file below the root, the tag that reads it from a place, or a kept result: `result:3 of SESSION`. */
  readonly path: string;
  /** SHA-256 of its whole content. */
  readonly hash: string;
  /** Lines that the fact names, or the first ones of a symbol, by number. */
  readonly lines: ReadonlyMap<number, string>;
}

/** A fact and its evidence. */
export interface Fact {
  readonly text: string;
  /** ISO date and time. */
  readonly written: string;
  readonly evidence: readonly Evidence[];
}

/** A fact read from a file; `isOwn` is true if the user's own bae wrote it and it has not been changed since. */
export interface ReadFact extends Fact {
  readonly isOwn: boolean;
}

const SEPARATOR = '\n\n---\n';
const WRITTEN = /^written (\S+)$/;
const RESTS_ON = /^rests on (.+) ([0-9a-f]{64})$/;
const LINE = /^ {2}(\d+)\| ?(.*)$/;
const SIGNED = /^signed ([0-9a-f]{64})$/;

/** Renders a fact as a file: its text, its evidence, and a signature with the user's key. */
export function renderFact(fact: Fact, key: Uint8Array): string {
  const evidence = fact.evidence.flatMap(({ path, hash, lines }) => [
    `rests on ${path} ${hash}`,
    ...Array.from(lines, ([number, line]) => `  ${number}| ${line}`),
  ]);
  const body = [`${fact.text.trim()}${SEPARATOR}written ${fact.written}`, ...evidence].join('\n');
  return `${body}\nsigned ${sign(body, key)}\n`;
}

/**
 * Reads a file with a fact. Accepts any content; without a valid signature the fact is not the user's own.
 *
 * @param keys those with which it may be signed
 */
export function parseFact(file: string, keys: readonly Uint8Array[]): ReadFact {
  const text = file.replaceAll('\r\n', '\n');
  const at = text.lastIndexOf(SEPARATOR);
  if (at === -1) return { text: text.trim(), written: '', evidence: [], isOwn: false };
  const rows = text
    .slice(at + SEPARATOR.length)
    .trimEnd()
    .split('\n');
  const evidence: { readonly path: string; readonly hash: string; readonly lines: Map<number, string> }[] = [];
  let written = '';
  for (const row of rows) {
    const [, path, hash] = RESTS_ON.exec(row) ?? [];
    const [, number, line = ''] = LINE.exec(row) ?? [];
    if (path !== undefined) evidence.push({ path, hash: hash!, lines: new Map() });
    else if (number !== undefined) evidence.at(-1)?.lines.set(Number(number), line);
    else written = WRITTEN.exec(row)?.[1] ?? written;
  }
  const signature = SIGNED.exec(rows.at(-1) ?? '')?.[1] ?? '';
  const body = text.trimEnd().slice(0, -(rows.at(-1)!.length + 1));
  return {
    text: text.slice(0, at).trim(),
    written,
    evidence,
    isOwn: keys.some((key) => isEqual(signature, sign(body, key))),
  };
}

function sign(body: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`fact\n${body}`).digest('hex');
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
