import xterm from '@xterm/headless';

/** A terminal emulator, and what a person would see on it. */
export function openVirtualScreen({ columns = 40, rows = 12 } = {}) {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 1000,
    allowProposedApi: true,
    convertEol: true,
  });
  let bytes = 0;
  const resized = new Set<() => void>();
  return {
    terminal,
    isTerminal: true,
    columns: () => terminal.cols,
    rows: () => terminal.rows,
    /** How much was written so far. */
    bytes: () => bytes,
    write: (text: string): void => {
      bytes += text.length;
      terminal.write(text);
    },
    onResize: (listener: () => void) => {
      resized.add(listener);
      return () => void resized.delete(listener);
    },
    resize: (cols: number, lines: number): void => {
      terminal.resize(cols, lines);
      for (const listener of resized) listener();
    },
    /** The lines, without empty ones at the end. */
    read: async (): Promise<readonly string[]> => {
      await new Promise<void>((resolve) => {
        terminal.write('', resolve);
      });
      const { active } = terminal.buffer;
      const lines = Array.from({ length: active.length }, (_, index) => active.getLine(index)!.translateToString(true));
      while (lines.length > 0 && lines.at(-1) === '') lines.pop();
      return lines;
    },
  };
}
