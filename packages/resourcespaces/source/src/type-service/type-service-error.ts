/** A query of the type service failed; the workspace is unchanged. */
export class TypeServiceError extends Error {
  override readonly name = 'TypeServiceError';
  /**
   * `closed`: the service was disposed · `not-installed`: no compiler for this machine · `stopped`: the compiler ended,
   * even after a restart · `time`: the time limit passed · `refused`: the compiler responded with an error
   */
  readonly problem: 'closed' | 'not-installed' | 'stopped' | 'time' | 'refused';

  constructor(problem: TypeServiceError['problem'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** True for a response of the compiler that is an error. */
export function isRefused(error: unknown): boolean {
  return error instanceof TypeServiceError && error.problem === 'refused';
}
