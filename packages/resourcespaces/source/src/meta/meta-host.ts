/** A space of the running app whose code is in the workspace. */
export interface ReloadableSpace {
  /** As it is entered: `shop`, `work.shop`. */
  readonly name: string;
  /** Folder of its code below the root of the workspace; `''` for the root itself. */
  readonly folder: string;
  /** True when it is part of what runs the tools: its code cannot be loaded anew. */
  readonly needsRestart: boolean;
}

/** A space that is to be made. */
export interface SpaceRequest {
  readonly name: string;
  readonly language: 'javascript' | 'typescript';
}

/** One file of a new space. */
export interface ScaffoldFile {
  readonly text: string;
  /** What it is for, in a few words; `''` when its name says it. */
  readonly about: string;
}

/** What a new space is made of, or why there can be none of that name. */
export type SpaceScaffold =
  | {
      readonly type: 'files';
      /** Folder for it below the root of the workspace. */
      readonly folder: string;
      /** By path in the folder, the most telling one first. */
      readonly files: ReadonlyMap<string, ScaffoldFile>;
      /** What a person has to do, step by step, before the space can be entered: no tool may do it. */
      readonly steps: readonly string[];
    }
  | {
      readonly type: 'refused';
      /** Why, as a clause. */
      readonly reason: string;
      /** The nearest name that would do. */
      readonly nearest: string;
    };

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
  /** Works out the files of a new space, and writes none. */
  scaffold(request: SpaceRequest): Promise<SpaceScaffold>;
}
