/** An error that code threw, as text. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}
