/** What a piece of text is, which decides its colour. */
export type Paint = 'bullet' | 'quiet' | 'error' | 'hint' | 'ai' | 'code' | 'debug' | 'strong';

/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Painter = (paint: Paint, text: string) => string;

const ESC = '\u001B[';
const RESET = `${ESC}0m`;

const CODES: Readonly<Record<Paint, string>> = {
  bullet: '96',
  quiet: '3;38;5;246',
  error: '31',
  hint: '33',
  ai: '38;2;135;215;255',
  code: '38;2;135;255;135',
  debug: '38;2;128;128;128',
  strong: '1',
};

/** The painter of an output. */
export function painterFor(output: { readonly color: boolean }): Painter {
  if (!output.color) return (_, text) => text;
  return (paint, text) => (text === '' ? '' : `${ESC}${CODES[paint]}m${text}${RESET}`);
}
