/** A space of the running app whose code is in the workspace. */
export interface ReloadableSpace {
  /** As it is entered: `shop`, `work.shop`. */
  readonly name: string;
  /** Folder of its code below the root of the workspace; `''` for the root itself. */
  readonly folder: string;
  /** True when it is part of what runs the tools: its code cannot be loaded anew. */
  readonly needsRestart: boolean;
}

/** The app that loaded the spaces. Contract: a reload that fails leaves the spaces in use as they were. */
export interface MetaHost {
  /** The spaces whose code is in the workspace. */
  spaces(): readonly ReloadableSpace[];
  /**
   * Loads the code of a space as it is now, and puts its tools in the place of the old ones.
   *
   * @throws Error with what is wrong with the code
   */
  reload(name: string, signal: AbortSignal): Promise<void>;
  /** Makes anew what follows from the code of a space, which was put back as it was. Never throws. */
  putBack(name: string, signal: AbortSignal): Promise<void>;
}
