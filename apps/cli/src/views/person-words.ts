import { asModelText } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import type { KnownNames } from '../space-outline.ts';

/** What bae says to a model about the person, and how it is said to the person. */
const WORDS: readonly (readonly [model: RegExp | string, person: string])[] = [
  ['the user said no. Ask what to do instead.', 'you said no.'],
  [
    /the user refused (.+); that was not written\.(.*) Ask what to do instead\./,
    'you refused $1; that was not written.$2',
  ],
  [' Say what should be in it, so that the user can write it.', ' You can write it in an editor of your own.'],
];

/** A tag that bae writes in its messages. */
const TAG = /<[\w.-]+:[^<>\n]*>/g;

/** A call as a person typed it. */
export interface TypedCall {
  readonly tag: string;
  readonly verb: string;
}

/**
 * Rewrites a message of bae to a model for the person who typed the call: about them, and in their notation.
 *
 * @param call default: code, whose errors have its notation already
 */
export function toPersonWords(text: string, call?: TypedCall, names?: KnownNames): string {
  const said = WORDS.reduce((rest, [model, person]) => rest.replace(model, person), text);
  return call === undefined || names === undefined || isTypedAsTag(call)
    ? said
    : said.replaceAll(TAG, (tag) => writeAsCall(tag, names));
}

/** Returns true for `<R:a.ts>`. A call that was typed as `read("a.ts")` has the whole name of its tool. */
function isTypedAsTag({ tag, verb }: TypedCall): boolean {
  const [, name] = /^<(?:[\w-]+\.)*([\w-]+):/.exec(tag) ?? [];
  return name !== undefined && name !== verb;
}

/** Writes `<R:a.ts>` as `read("a.ts")`; other tags are left as they are. */
function writeAsCall(tag: string, names: KnownNames): string {
  const { calls } = parse(asModelText(tag), names);
  const [call, ...more] = calls;
  if (call === undefined || more.length > 0 || call.arg.includes('=')) return tag;
  const space = call.space === undefined ? '' : `${call.space}.`;
  return `${space}${call.verb}(${call.arg === '' ? '' : JSON.stringify(call.arg)})`;
}

/** Code with which a program ended, the first line of what a command printed. */
const END = /^(exit (\d+)|killed)[^\n]*(?:\n|$)/;

/** Puts the end of a command behind what it printed, and leaves it out if the command ended well. */
export function moveEndBehind(text: string): string {
  const [line = '', , code] = END.exec(text) ?? [];
  if (line === '') return text;
  const output = text.slice(line.length);
  if (code === '0') return output;
  return [output.replace(/\n$/, ''), line.trimEnd()].filter((part) => part !== '').join('\n');
}
