import { ResultError } from '../errors/bae-error.ts';
import type { Media, Message } from '../protocol/model.ts';
import type { ResultStore } from '../protocol/tool-result.ts';
import type { Attachment } from '../protocol/tool-definition.ts';
import { maskKeys } from './mask-keys.ts';
import { formatCount, joinFirst, truncateUnits } from '../text-size/text-size.ts';

/** Maximum size of one image, sound or file, in bytes. */
const MOST_BYTES = 20_000_000;
/** Maximum number of attachments listed on lines of their own. */
const MOST_LINES = 20;
/** Maximum number of table rows shown in full. */
const MOST_ROWS = 10;
const LONGEST_NAME = 120;

const KINDS = ['image', 'audio', 'file', 'link', 'table'];
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml|toml|javascript|x-ndjson)$|[^;]*\+(?:json|xml)$)/;
const KEPT = /^data:([\w.+-]+\/[\w.+-]+);bae=(image|audio|file)(?:;name=([^;,]*))?;base64,/;
/** Maximum length of the head of a kept text, in characters. */
const LONGEST_HEAD = 2000;

/** Attachments of a result after they were kept. */
export interface KeptAttachments {
  /** Lines for the model, joined; empty if there are none. */
  readonly text: string;
  readonly media: readonly Media[];
  /** Data for code: handles of media, texts of files, rows of tables. */
  readonly data: readonly object[];
}

type Data = Extract<Attachment, { readonly data: unknown }>;
type Table = Extract<Attachment, { readonly type: 'table' }>;

/** One attachment after it was kept. */
interface Kept {
  readonly line: string;
  readonly data: object;
  readonly media?: Media;
}

/**
 * Keeps attachments, each under its own handle.
 *
 * @param fromCode true if code gets texts and rows unchanged: they then need no handle
 * @throws ResultError for one that cannot be used
 */
export function keepAttachments(
  attachments: readonly (Attachment | Media)[],
  results: ResultStore,
  fromCode: boolean,
): KeptAttachments {
  if (!Array.isArray(attachments)) throw new ResultError(`attachments: expected a list; got ${quoteGot(attachments)}.`);
  for (const [index, one] of attachments.entries()) check(one, index);
  const kept = attachments.map((one) => keep(one, results, fromCode));
  const lines = kept.slice(0, MOST_LINES).map(({ line }) => line);
  const others = kept.slice(MOST_LINES).map(({ data }) => getHandle(data));
  if (others.length > 0) lines.push(`[${others.length} more: ${joinFirst(others, MOST_LINES)}]`);
  return {
    text: lines.join('\n'),
    media: kept.flatMap(({ media }) => media ?? []),
    data: kept.map(({ data }) => data),
  };
}

/** @throws ResultError naming the attachment, the expected value and the actual one */
function check(attachment: unknown, index: number): void {
  const fail = (field: string, expected: string, got: unknown): never => {
    throw new ResultError(
      `attachments[${index}].${field}: expected ${expected}; got ${truncateUnits(quoteGot(got), LONGEST_NAME)}.`,
    );
  };
  const { type, mediaType, data, ref, url, rows } = Object(attachment) as Readonly<Record<string, unknown>>;
  if (!KINDS.includes(type as string)) fail('type', KINDS.join(', '), type);
  if (type === 'link')
    return void (typeof url === 'string' && URL.canParse(url) ? url : fail('url', 'a whole URL', url));
  if (type === 'table') {
    return void (Array.isArray(rows) && rows.every(isTableRow) ? rows : fail('rows', 'a list of objects', rows));
  }
  if (typeof mediaType !== 'string' || !MEDIA_TYPE.test(mediaType))
    fail('mediaType', 'one such as image/png', mediaType);
  if (typeof ref === 'string') return;
  const isBase64 = typeof data === 'string' && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data);
  if (!isBase64 && !(data instanceof Uint8Array)) fail('data', 'bytes (a Uint8Array), or base64', data);
}

function isTableRow(row: unknown): boolean {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}

function quoteGot(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return value === undefined ? 'nothing' : Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function keep(attachment: Attachment | Media, results: ResultStore, fromCode: boolean): Kept {
  if ('ref' in attachment) return { line: describeMedia(attachment), data: attachment, media: attachment };
  if (attachment.type === 'link') return { line: describeLink(attachment), data: attachment };
  if (attachment.type === 'table') return keepTable(attachment, results, fromCode);
  return keepData(attachment, results, fromCode);
}

function keepData({ type, mediaType, name, data: given }: Data, results: ResultStore, fromCode: boolean): Kept {
  const bytes = typeof given === 'string' ? countBytes(given.replaceAll(/\s/g, '')) : given.length;
  const about = { type, mediaType, ...(name !== undefined && { name: clean(name) }) };
  const described = [about.name, mediaType].filter((part) => part !== undefined).join(', ');
  if (bytes > MOST_BYTES) {
    const line = `[${type}: ${described}, ${formatBytes(bytes)}; not kept: more than ${formatBytes(MOST_BYTES)}]`;
    return { line, data: { ...about, bytes } };
  }
  const base64 = typeof given === 'string' ? given.replaceAll(/\s/g, '') : encode(given);
  const text = type === 'file' && TEXT_TYPE.test(mediaType) ? decodeBase64Text(base64) : undefined;
  if (text !== undefined) {
    if (fromCode) return { line: `[file: ${described}]`, data: { ...about, text } };
    const ref = results.keep(maskKeys(text));
    const lines = formatCount(text.split('\n').length, 'line');
    return { line: `[file ${ref}: ${described}, ${lines}; read it: <R:${ref}>]`, data: { ...about, ref } };
  }
  const head = about.name === undefined ? '' : `;name=${encodeURIComponent(about.name)}`;
  const ref = results.keep(`data:${mediaType};bae=${type}${head};base64,${base64}`);
  const media: Media = { ...about, ref, bytes };
  return { line: describeMedia(media), data: media, media };
}

function keepTable({ rows, name }: Table, results: ResultStore, fromCode: boolean): Kept {
  const columns = Object.keys(rows[0] ?? {});
  const data = { type: 'table', ...(name !== undefined && { name }), rows };
  const size = `${name === undefined ? '' : `${clean(name)}, `}${formatCount(rows.length, 'row')}`;
  const about = `${size}: ${truncateUnits(columns.map((column) => clean(column)).join(', '), LONGEST_NAME)}`;
  if (fromCode) return { line: `[table: ${about}]`, data };
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(renderTableLine);
  if (rows.length <= MOST_ROWS) return { line: `[table: ${size}]\n${maskKeys(lines.join('\n'))}`, data };
  const ref = results.keep(maskKeys(lines.join('\n')));
  return { line: `[table ${ref}: ${about}; read it: <R:${ref}>]`, data: { ...data, ref } };
}

/** Renders a line of CSV. */
function renderTableLine(cells: readonly unknown[]): string {
  return cells
    .map((cell) => {
      const text = typeof cell === 'string' ? cell : cell === undefined || cell === null ? '' : JSON.stringify(cell);
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',');
}

function describeLink({ url, name, description }: Extract<Attachment, { readonly type: 'link' }>): string {
  const about = description === undefined ? '' : ` -- ${clean(description)}`;
  return `[link: ${name === undefined ? '' : `${clean(name)} `}${clean(url, 2 * LONGEST_NAME)}${about}]`;
}

/** Describes media in one line for the model and people: `[image result:4: shot.png, image/png, 34 kB]`. */
function describeMedia({ type, ref, name, mediaType, bytes }: Media): string {
  const about = name === undefined ? mediaType : `${name}, ${mediaType}`;
  return `[${type} ${ref}: ${about}, ${formatBytes(bytes)}]`;
}

function getHandle(data: object): string {
  return 'ref' in data ? String(data.ref) : 'url' in data ? String(data.url) : 'something that was not kept';
}

/** Returns a name on one line, without the bracket that would end it. */
function clean(text: string, longest = LONGEST_NAME): string {
  return truncateUnits(
    text
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .replaceAll(']', ')')
      .trim(),
    longest,
  );
}

function formatBytes(bytes: number): string {
  if (bytes < 1000) return formatCount(bytes, 'byte');
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Reads the media kept under a handle; returns undefined for a text. */
export function readKeptMedia(ref: string, kept: string): (Media & { readonly data: string }) | undefined {
  const [head, mediaType = '', type, name] = KEPT.exec(kept.slice(0, LONGEST_HEAD)) ?? [];
  if (head === undefined) return undefined;
  const data = kept.slice(head.length);
  const about = { type: type as Media['type'], mediaType, ref, bytes: countBytes(data), data };
  return name === undefined ? about : { ...about, name: decodeURIComponent(name) };
}

/**
 * Returns messages with the bytes of their media, as an adapter gets them; media that are no longer kept are left out.
 */
export function loadMedia(messages: readonly Message[], results: ResultStore): readonly Message[] {
  return messages.map((message) => {
    const { media = [] } = message;
    const loaded = media.flatMap(({ ref }) => readKeptMedia(ref, results.get(ref) ?? '') ?? []);
    return media.length === 0 ? message : { ...message, media: loaded };
  });
}

/** Creates an attachment from bytes: an image if they start like one. */
export function attachBytes(data: Uint8Array, mediaType?: string): Attachment {
  const found = mediaType ?? SIGNATURES.find(([signature]) => signature.every((byte, at) => byte === data[at]))?.[1];
  const known = found ?? 'application/octet-stream';
  const [kind] = known.split('/');
  return { type: kind === 'image' || kind === 'audio' ? kind : 'file', mediaType: known, data };
}

const SIGNATURES: readonly (readonly [readonly number[], string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], 'image/png'],
  [[0xff, 0xd8, 0xff], 'image/jpeg'],
  [[0x47, 0x49, 0x46, 0x38], 'image/gif'],
  [[0x25, 0x50, 0x44, 0x46], 'application/pdf'],
];

function countBytes(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}

function encode(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // The number of arguments that a call may have on every platform.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(''));
}

/** Decodes base64 text; returns undefined if it is not UTF-8. */
function decodeBase64Text(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
