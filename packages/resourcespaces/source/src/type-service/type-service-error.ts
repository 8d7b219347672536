/** Why the type service could not answer. */
export type TypeServiceProblem = 'closed' | 'not-installed' | 'stopped' | 'time' | 'refused';

/** The type service could not answer; the workspace is as it was. */
export class TypeServiceError extends Error {
  override readonly name = 'TypeServiceError';

  readonly problem: TypeServiceProblem;

  /**
   * @param problem `closed`: it was disposed · `not-installed`: no compiler for this machine · `stopped`: the
   *   compiler ended, also when started anew · `time`: the time limit passed · `refused`: the compiler does not
   *   answer this question
   */
  constructor(problem: TypeServiceProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
