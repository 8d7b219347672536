import type { Motion } from './edited-text.ts';

/** Keys that move the cursor. */
export const MOTIONS: Readonly<Record<string, Motion>> = {
  left: 'left',
  right: 'right',
  home: 'lineStart',
  end: 'lineEnd',
  'ctrl-a': 'lineStart',
  'ctrl-e': 'lineEnd',
  'ctrl-b': 'left',
  'ctrl-f': 'right',
  'meta-b': 'wordLeft',
  'meta-f': 'wordRight',
  'ctrl-left': 'wordLeft',
  'ctrl-right': 'wordRight',
  'meta-left': 'wordLeft',
  'meta-right': 'wordRight',
};

/** Keys that go up or down a row, or through earlier texts. */
export const ROWS: Readonly<Record<string, -1 | 1>> = { up: -1, 'ctrl-p': -1, down: 1, 'ctrl-n': 1 };

/** Keys that delete up to the target of a motion. */
export const DELETIONS: Readonly<Record<string, Motion>> = {
  backspace: 'left',
  'ctrl-h': 'left',
  delete: 'right',
  'ctrl-w': 'wordLeft',
  'meta-backspace': 'wordLeft',
  'ctrl-backspace': 'wordLeft',
  'meta-d': 'wordRight',
  'ctrl-u': 'lineStart',
  'ctrl-k': 'lineEnd',
};

/** Keys that begin a new line, the first of them if the terminal tells it from Enter. */
export const NEW_LINE = new Set(['shift-return', 'ctrl-return', 'meta-return', 'ctrl-j']);
