/** How a program is started within limits. */
export interface Entrance {
  /** Words before the command of the first process within the limits. */
  readonly command: readonly string[];
  /** Beginning of the shell script of that process, and its arguments. */
  readonly script: string;
  readonly args: readonly string[];
  /** Words before the program, which then has no rights to change its limits. The first process keeps them. */
  readonly drop: readonly string[];
  /** Descriptors from 5 on of the process that enters: a table of mounts, and namespaces. */
  readonly descriptors: readonly number[];
  /** Absolute path of `env`, which sets variables within the limits. */
  readonly env: string;
  /** Releases what the start needed; called once the process has started. */
  dispose(): void;
}

/** Limits that a program can be started within. */
export interface ProgramLimits {
  /**
   * Prepares the start of a program in a folder; undefined if there are no limits.
   *
   * @param network true if it may use the network of this machine
   */
  enter(folder: string, network?: boolean): Promise<Entrance | undefined>;
}
