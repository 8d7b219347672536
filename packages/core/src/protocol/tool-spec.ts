/** One parameter of a tool, as shown in signatures. */
export interface ParamSpec {
  readonly name: string;
  /** `string`, `int`, `number`, `boolean`, `string[]`, an enum `a|b|c`, or `json` for anything else. */
  readonly type: string;
  /** Present only when the parameter may be left out. */
  readonly default?: unknown;
  /** True for the parameter that takes the text between the open and the close tag. */
  readonly body?: boolean;
  readonly doc?: string;
  /** A value that would work, for literal examples. */
  readonly example?: unknown;
}

/** A tool's signature as data. The first parameter that is not the body takes the tag's argument. */
export interface ToolSpec {
  readonly name: string;
  readonly doc?: string;
  readonly params: readonly ParamSpec[];
  /** True when any other identifier is accepted as a keyword. */
  readonly rest?: boolean;
  /** True when a line range at the end of the argument is handed over apart from it. */
  readonly range?: boolean;
}
