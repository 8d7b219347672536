import type { ToolDefinition } from '@bae/core';
import type { ParamSpec } from '@bae/core/pipeline';

/** Version of the format below. */
export const MANIFEST_FORMAT = 1;

/** One parameter of a tool: as in its signature, in a form that survives JSON. */
export interface ParamManifest extends ParamSpec {
  /** Present when the parameter may be left out, with or without a `default`. */
  readonly optional?: true;
  /** What it may be, when these are not all texts: the type alone does not tell `1` from `'1'`. */
  readonly values?: readonly (string | number | boolean)[];
}

/** One tool: everything that tables, binding and consent need before its code is there. */
export interface ToolManifest {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolDefinition['effect'];
  readonly params: readonly ParamManifest[];
  readonly rest?: true;
  readonly range?: true;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  /** Present when the tool names what a call is about, and when it can show what it would change. */
  readonly target?: true;
  readonly preview?: true;
}

/** One space with everything below it that was there when the manifest was written. */
export interface SpaceManifest {
  readonly name: string;
  readonly description: string;
  readonly group?: string;
  /** Present when the space answers searches. */
  readonly search?: true;
  readonly tools: readonly ToolManifest[];
  readonly children: readonly SpaceManifest[];
}

/** What a package says of itself without being run: the file that `bae manifest` writes. */
export interface PluginManifest {
  readonly manifest: typeof MANIFEST_FORMAT;
  /** Name and version of the package. */
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the code that it was made from. */
  readonly code: string;
  /** JSON Schema of the options; absent when there are none. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly spaces: readonly SpaceManifest[];
}
