import type { Paint, Painter } from '../terminal/paint.ts';

/** Who speaks: the channel, its session where it has one, and its colour. */
export interface Speaker {
  readonly channel: Paint & ('ai' | 'code' | 'debug');
  readonly label?: string;
}

/** A text with its speaker in front, `[ai:1] first line`, and later lines indented by two blanks. */
export function prefixed(text: string, { channel, label }: Speaker, paint: Painter): string {
  const tag = label === undefined ? `[${channel}]` : `[${channel}:${label}]`;
  return `${paint(channel, tag)} ${indented(text)}`;
}

/** A text whose lines after the first are indented by two blanks; blank lines stay blank. */
export function indented(text: string): string {
  return text.replaceAll(/\n(?=[^\n])/g, '\n  ');
}
