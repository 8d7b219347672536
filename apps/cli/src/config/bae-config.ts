import type { AgentOptions, ApprovalPolicy, Model } from '@bae/core';
import type { CallProtocol } from '@bae/models';
import type { SpaceEntry } from '@bae/plugins';
import type { LimitOptions } from '@bae/project';

/** Rules for calls that need consent. Deny takes precedence over ask, and ask over allow. */
export type ApprovalRules = NonNullable<ApprovalPolicy['rules']>;

/**
 * Handling of calls that need consent: a person is asked, all run, none run, or rules decide and otherwise a person.
 */
export type ApproveSetting = 'ask' | 'all' | 'none' | ApprovalRules | { readonly rules: ApprovalRules };

/** Editors that open links to files, each at an address of its own, such as `vscode://file/a.ts:1`. */
export const EDITORS = ['vscode', 'vscode-insiders', 'vscodium', 'cursor', 'windsurf', 'zed'] as const;

/** Settings of a folder, in `bae.config.ts`, `.js` or `.json`, or in a file given by `--config`. */
export interface BaeConfig {
  /** Name of a model as `provider/name`; in code, also a model object. */
  readonly model?: string | Model | undefined;
  /** Address of the model's API. */
  readonly baseUrl?: string | undefined;
  /** Format of tool calls: tags in the text, or function calls of the provider. Default: `auto`, which uses tags. */
  readonly protocol?: CallProtocol | undefined;
  /** Input that the model accepts in addition to text. Default: the usual input for models of its provider. */
  readonly accepts?: readonly ('image' | 'audio' | 'file')[] | undefined;
  /** In code only: functions that observe and influence the activity of a session. Default: none. */
  readonly hooks?: AgentOptions['hooks'] | undefined;
  /** Maximum length of a tool result, in tokens. Default: 500. */
  readonly cap?: number | undefined;
  /** Maximum number of rounds of tool calls in a turn; 0 for no limit. Default: 25. */
  readonly maxBatches?: number | undefined;
  /** Maximum tokens (input and output), US dollars and minutes of a turn. Default: no limit. */
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly maxMinutes?: number | undefined;
  /** Prices of the model, in US dollars per million tokens: `{ input: 3, output: 15, cached: 0.3 }`. */
  readonly prices?: NonNullable<Model['prices']> | undefined;
  /** Time limit for the model to begin its response, in seconds. Default: 600. */
  readonly firstTokenSeconds?: number | undefined;
  /** Handling of calls that write, reach beyond this machine, or read secrets. Default: `ask`. */
  readonly approve?: ApproveSetting | undefined;
  /**
   * Spaces in addition to the built-in ones. A package is given by name (`'tickets'` is `bae-resourcespace-tickets`),
   * and in code a space can also be given directly. Either may have mount settings: `{ use: 'tickets', as: 'support',
   * under: 'work', options }`.
   */
  readonly spaces?: readonly SpaceEntry[] | undefined;
  /**
   * Servers of the Model Context Protocol by name, in the format of `.mcp.json`: `{ github: { command: 'npx', args }
   * }`.
   */
  readonly mcpServers?: Readonly<Record<string, unknown>> | undefined;
  /** True to use every installed package with the keyword `bae-resourcespace`. Default: false. */
  readonly discover?: boolean | undefined;
  /**
   * True to add the space `terminal`, whose commands run on this machine, each with consent. Or what commands, scripts
   * and tests may do: `{ terminal: true, network: true }`. Default: false.
   */
  readonly commands?: boolean | CommandSettings | undefined;
  /** Editor that opens files mentioned on the screen. Default: `vscode`. */
  readonly editor?: (typeof EDITORS)[number] | undefined;
  /** Number of sessions to keep; when a new one begins, the oldest beyond it are removed. Default: all. */
  readonly keepSessions?: number | undefined;
  /** Names of spaces and packages to leave out, including built-in ones: `source`, `tasks`, `filesystem`. */
  readonly disabled?: readonly string[] | undefined;
}

/** What the commands, scripts and tests that a model runs may do. */
export interface CommandSettings extends LimitOptions {
  /** True to add the space `terminal`. Default: false. */
  readonly terminal?: boolean;
}

/** Returns the settings of commands; empty for a keyword that only opens the terminal. */
export function readCommands(commands: BaeConfig['commands'] = false): CommandSettings {
  return typeof commands === 'boolean' ? { terminal: commands } : commands;
}

/** Provides types for a configuration in code: `export default defineConfig({ … })`. */
export function defineConfig(config: BaeConfig): BaeConfig {
  return config;
}

/** Returns the rules of a setting; empty for a keyword. */
export function listRules(approve: ApproveSetting | undefined): ApprovalRules {
  if (approve === undefined || typeof approve === 'string') return [];
  return 'rules' in approve ? approve.rules : approve;
}
