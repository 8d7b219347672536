/**
 * Does work and says which promises were rejected meanwhile without anybody to hear it.
 *
 * @returns the reasons
 */
export async function unheardRejections(work: () => Promise<void>): Promise<readonly unknown[]> {
  const reasons: unknown[] = [];
  const note = (reason: unknown): void => void reasons.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    // The process tells of them only once everything that is ready has run.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return reasons;
}
