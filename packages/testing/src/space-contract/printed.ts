const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const;
/** Longest piece that is repeated, in characters. */
const LONGEST = 60;

type Holder<K extends string> = { [name in K]: (...args: never[]) => unknown };

/**
 * What is printed while work is done, by the first characters of each piece: through the console, or to
 * standard output and error. It is printed all the same.
 */
export async function printedDuring(work: () => Promise<void>): Promise<readonly string[]> {
  const printed = new Set<string>();
  // What the console is told it tells the streams.
  let depth = 0;
  const note = (args: readonly unknown[], call: () => unknown): unknown => {
    if (depth === 0) printed.add(args.map(String).join(' ').trim().slice(0, LONGEST));
    depth++;
    try {
      return call();
    } finally {
      depth--;
    }
  };
  const restore = [
    ...METHODS.map((method) => tap(console, method, note)),
    ...[process.stdout, process.stderr].map((stream) => tap(stream, 'write', (args, call) => note([args[0]], call))),
  ];
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return [...printed];
}

/** Puts itself in the place of a method. Returns how to take that back. */
function tap<K extends string>(
  holder: Holder<K>,
  name: K,
  note: (args: readonly unknown[], call: () => unknown) => unknown,
): () => void {
  const original = holder[name];
  const own = Object.getOwnPropertyDescriptor(holder, name);
  const tapped = function tapped(this: unknown, ...args: never[]): unknown {
    return note(args, () => original.apply(this, args));
  };
  Object.defineProperty(holder, name, { value: tapped, configurable: true, writable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(holder, name);
    else Object.defineProperty(holder, name, own);
  };
}
