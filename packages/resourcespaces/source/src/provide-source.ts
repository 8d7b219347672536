import type { Provision } from '@bae/core';
import type { SourceLanguage } from './language/outline.ts';

/** Token for the options: `@inject(SOURCE, { isOptional: true }) options?: SourceOptions`. */
export const SOURCE = Symbol.for('bae.source');

/** Callback for progress, with the number of modules read and the total number; at the end both are equal. */
export type OnProgress = (done: number, total: number) => void;

/** Options that an app passes to the space. */
export interface SourceOptions {
  /** Called with the progress while modules are parsed. */
  readonly onProgress?: OnProgress | undefined;
  /** Languages in addition to TypeScript and JavaScript, each from its own package. */
  readonly languages?: readonly SourceLanguage[] | undefined;
  /** Reloads the code of spaces. Default: none, and `source.meta()` does not exist. */
  readonly meta?: MetaHost | undefined;
}

/** Configures the source space of an agent: `createAgent({ provide: [provideSource({ onProgress })] })`. */
export function provideSource(options: SourceOptions): Provision {
  return { token: SOURCE, value: options };
}

/** A space of the running app whose code is in the workspace. */
export interface ReloadableSpace {
  /** Name under which the space is entered: `shop`, `work.shop`. */
  readonly name: string;
  /** Folder of its code, relative to the root of the workspace; `''` for the root itself. */
  readonly folder: string;
  /** True when the space is part of the code that runs the tools, so that it cannot be reloaded. */
  readonly needsRestart: boolean;
}

/** A request to create a space. */
export interface SpaceRequest {
  readonly name: string;
  readonly language: 'javascript' | 'typescript';
}

/** One file of a new space. */
export interface ScaffoldFile {
  readonly text: string;
  /** Purpose of the file, in a few words; `''` if its name is sufficient. */
  readonly about: string;
}

/** The files of a new space, or the reason why a space cannot have that name. */
export type SpaceScaffold =
  | {
      readonly type: 'files';
      /** Folder of the space, relative to the root of the workspace. */
      readonly folder: string;
      /** Files by path in the folder, the most informative one first. */
      readonly files: ReadonlyMap<string, ScaffoldFile>;
      /** Steps for a person before the space can be entered, in order: no tool may take them. */
      readonly steps: readonly string[];
    }
  | {
      readonly type: 'refused';
      /** The reason, as a clause. */
      readonly reason: string;
      /** The nearest valid name. */
      readonly nearest: string;
    };

/** The app that loaded the spaces. Contract: a failed reload leaves the spaces that are in use unchanged. */
export interface MetaHost {
  /** Lists the spaces whose code is in the workspace. */
  spaces(): readonly ReloadableSpace[];
  /**
   * Loads the current code of a space, and replaces its tools.
   *
   * @throws Error that describes the problem in the code
   */
  reload(name: string, signal: AbortSignal): Promise<void>;
  /** Rebuilds the build output of a space after its code was restored. Never throws. */
  rebuild(name: string, signal: AbortSignal): Promise<void>;
  /** Computes the files of a new space without writing them. */
  scaffold(request: SpaceRequest): Promise<SpaceScaffold>;
}
