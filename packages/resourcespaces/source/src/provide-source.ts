import type { Provision } from '@bae/core';
import type { SourceLanguage } from './language/outline.ts';

/** Token of the options: `@inject(SOURCE, { isOptional: true }) options?: SourceOptions`. */
export const SOURCE = Symbol.for('bae.source');

/** Called with the number of modules that are read and the number of all; at the end both are the same. */
export type OnProgress = (done: number, total: number) => void;

/** What an app adds to the space. */
export interface SourceOptions {
  /** Called with the progress whenever modules are parsed. */
  readonly onProgress?: OnProgress | undefined;
  /** Languages besides TypeScript and JavaScript, each of a package of its own. */
  readonly languages?: readonly SourceLanguage[] | undefined;
  /** Reloads the code of spaces. Default: none, and there is no `source.meta()`. */
  readonly meta?: MetaHost | undefined;
}

/** Configures the source space of an agent: `createAgent({ provide: [provideSource({ onProgress })] })`. */
export function provideSource(options: SourceOptions): Provision {
  return { token: SOURCE, value: options };
}

/** A space of the running app whose code is in the workspace. */
export interface ReloadableSpace {
  /** As it is entered: `shop`, `work.shop`. */
  readonly name: string;
  /** Folder of its code below the root of the workspace; `''` for the root itself. */
  readonly folder: string;
  /** True when it is part of what runs the tools: its code cannot be reloaded. */
  readonly needsRestart: boolean;
}

/** A space that is to be created. */
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

/** The files of a new space, or why there can be none of that name. */
export type SpaceScaffold =
  | {
      readonly type: 'files';
      /** Folder for it below the root of the workspace. */
      readonly folder: string;
      /** By path in the folder, the most informative one first. */
      readonly files: ReadonlyMap<string, ScaffoldFile>;
      /** What a person has to do, step by step, before the space can be entered: no tool may do it. */
      readonly steps: readonly string[];
    }
  | {
      readonly type: 'refused';
      /** Why, as a clause. */
      readonly reason: string;
      /** The nearest valid name. */
      readonly nearest: string;
    };

/** The app that loaded the spaces. Contract: a reload that fails leaves the spaces in use as they were. */
export interface MetaHost {
  /** The spaces whose code is in the workspace. */
  spaces(): readonly ReloadableSpace[];
  /**
   * Loads the current code of a space, and replaces its tools.
   *
   * @throws Error with what is wrong with the code
   */
  reload(name: string, signal: AbortSignal): Promise<void>;
  /** Rebuilds what is built from the code of a space after that code was restored. Never throws. */
  rebuild(name: string, signal: AbortSignal): Promise<void>;
  /** Works out the files of a new space, and writes none. */
  scaffold(request: SpaceRequest): Promise<SpaceScaffold>;
}
