/** One figure held against its limit. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  /** What `value` counts: `x` for a ratio, `ms`. */
  readonly unit: string;
  readonly limit: { readonly atMost: number } | { readonly atLeast: number };
}

/** True when a figure is within its limit. */
export function isWithin({ value, limit }: Measurement): boolean {
  return 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
}

/** A figure on one line: `ok   index of all modules ÷ oxc-parser   1.20 x (at most 2)`. */
export function measurementLine(measurement: Measurement): string {
  const { name, value, unit, limit } = measurement;
  const bound = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
  return `${isWithin(measurement) ? 'ok  ' : 'OVER'} ${name.padEnd(44)} ${value.toFixed(2)} ${unit} (${bound})`;
}

/** Several measurements, by name. */
type Measurements<K extends string> = Readonly<Record<K, () => number | Promise<number>>>;

/**
 * Medians of what several measurements return, taken in turn (A B A B …), so that a machine that is
 * slow for a while is slow for all of them.
 *
 * @param rounds how often each is taken
 */
export function mediansInTurn<K extends string>(measurements: Measurements<K>, rounds: number) {
  return takeInTurn(measurements, rounds, median);
}

/** The least of what several measurements return: for processor time, to which other programs can only add. */
export function leastInTurn<K extends string>(measurements: Measurements<K>, rounds: number) {
  return takeInTurn(measurements, rounds, (values) => Math.min(...values));
}

async function takeInTurn<K extends string>(
  measurements: Measurements<K>,
  rounds: number,
  choose: (values: readonly number[]) => number,
): Promise<Readonly<Record<K, number>>> {
  const entries = Object.entries(measurements) as [K, () => number | Promise<number>][];
  const samples = new Map<K, number[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of entries) samples.get(name)!.push(await measure());
  }
  return Object.fromEntries(entries.map(([name]) => [name, choose(samples.get(name)!)])) as Record<K, number>;
}

/** Milliseconds that some work takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds that this process and its threads compute for some work. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const start = processorTime();
  await work();
  return processorTime() - start;
}

/**
 * Milliseconds that this process and its threads have computed so far: other programs do not add to them by taking the
 * processor away.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The middle one of some numbers. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
