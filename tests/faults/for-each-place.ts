import type { WireFormat } from '../wire/wire-format.ts';
import type { ModelFault } from './model-fault.ts';

const AT_ONCE = 8;

/** Tries a fault at its places, some at the same time. Returns how many there were. */
export async function forEachPlace(
  fault: ModelFault,
  format: WireFormat,
  work: (place: number, index: number) => Promise<void>,
): Promise<number> {
  const { places = () => 1, step = 1 } = fault;
  const count = Math.ceil(places(format) / step);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      await work(index * step, index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count;
}
