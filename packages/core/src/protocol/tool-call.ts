/** One call as it was written, not yet checked against a tool. */
export interface ToolCall {
  /** Name of the tool: `read`, `write`, `edit`, `glob`, `grep` or a custom tool's name, or `go` for a move. */
  readonly verb: string;
  /** The text after the colon, normalized; for `go` the dotted name. */
  readonly arg: string;
  /** Exact text between the opening and closing tags; absent if there was none. */
  readonly body?: string;
  /** With a body: true if it was on lines of its own. */
  readonly block?: boolean;
  /** True if the text between the tags is one empty line, which leaves no other trace in `body`. */
  readonly isEmptyLine?: boolean;
  /** Named arguments of a JSON tool call. */
  readonly kwargs?: Readonly<Record<string, unknown>>;
  /** Dotted space of a qualified call; the location does not change. */
  readonly space?: string;
  /** Notation of the call, if it was not a tag. */
  readonly form?: 'json';
  /** Source text of a call that was not a tag; in JSON, its name and arguments. */
  readonly source?: string;
  /** Line of the text on which the call began, 1-based. */
  readonly line: number;
  /** The call as a person would quote it, without its body: `<W:notes.md>`. */
  readonly tag: string;
}

/** Something that looked like a call and could not be executed as written. */
export interface ParseProblem {
  readonly code:
    | 'unclosed-body'
    | 'unclosed-run'
    | 'unclosed-fence'
    | 'write-not-alone'
    | 'empty-arg'
    | 'bad-arg'
    | 'bad-tool-call'
    | 'unknown-tool'
    | 'fabricated-output'
    /** Text that was probably meant as a call, in a response without any calls to run. */
    | 'looks-like-call';
  /** 1-based line of the text. */
  readonly line: number;
  /** One sentence that says what happened and what to write instead. */
  readonly message: string;
  /** Text below a tag that is not closed, none of which was executed. */
  readonly unsent?: {
    readonly text: string;
    /** Start of the tag that writes the text as it is: `<W:a.md`. Absent if the text may contain calls. */
    readonly tag?: string;
  };
}

/** The parts of a response. */
export interface ParsedText {
  readonly calls: readonly ToolCall[];
  /** Code of the run blocks, dedented. */
  readonly runs: readonly string[];
  readonly problems: readonly ParseProblem[];
  /** The text without calls, bodies, run blocks and thoughts. */
  readonly prose: string;
  /** Whole text without the model's thoughts in `<think>`; absent if there were none. */
  readonly withoutThoughts?: string;
}
