import type { ApprovalPolicy, Model } from '@bae/core';
import type { CallProtocol } from '@bae/models';
import type { SpaceEntry } from '@bae/plugins';

/** Rules for calls that need consent; deny wins over ask, and ask over allow. */
export type ApprovalRules = NonNullable<ApprovalPolicy['rules']>;

/** For calls that need consent: a person is asked, all run, or none; or rules decide, else a person. */
export type ApproveSetting = 'ask' | 'all' | 'none' | ApprovalRules | { readonly rules: ApprovalRules };

/** What opens a link to a file; each has an address of its own, such as `vscode://file/a.ts:1`. */
export const EDITORS = ['vscode', 'vscode-insiders', 'vscodium', 'cursor', 'windsurf', 'zed'] as const;

/** Settings of a folder, in `bae.config.ts`, `.js` or `.json`, or in a file given by `--config`. */
export interface BaeConfig {
  /** `provider/name`; in code also a model object. */
  readonly model?: string | Model;
  /** Address of the model's API. */
  readonly baseUrl?: string;
  /** How the model calls tools: tags in its text, or the function calls of its provider. Default: `auto`, tags. */
  readonly protocol?: CallProtocol;
  /** What the model takes in besides text. Default: what models of its provider usually do. */
  readonly accepts?: readonly ('image' | 'audio' | 'file')[];
  /** Longest result of a tool, in tokens. Default: 500. */
  readonly cap?: number;
  /** Rounds of tool calls in one turn; 0 for no limit. Default: 25. */
  readonly maxBatches?: number;
  /** Tokens, in and out, US dollars, and minutes after which a turn ends. Default: no limit. */
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxMinutes?: number;
  /** US dollars for a million tokens of the model: `{ input: 3, output: 15, cached: 0.3 }`. */
  readonly prices?: NonNullable<Model['prices']>;
  /** Longest wait for the model to begin its response. Default: 600. */
  readonly firstTokenSeconds?: number;
  /** What happens to calls that write or reach beyond this machine, and to reading secrets. Default: `ask`. */
  readonly approve?: ApproveSetting;
  /**
   * Spaces besides those of bae itself: packages by name (`'tickets'` is `bae-resourcespace-tickets`), in code
   * also spaces; or either with how it is mounted: `{ use: 'tickets', as: 'support', under: 'work', options }`.
   */
  readonly spaces?: readonly SpaceEntry[];
  /** Servers of the Model Context Protocol by name, as `.mcp.json` lists them: `{ github: { command: 'npx', args } }`. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** True to take every installed package with the keyword `bae-resourcespace`. Default: false. */
  readonly discover?: boolean;
  /** True for the space `terminal`, whose commands run on this machine, each with consent. Default: false. */
  readonly commands?: boolean;
  /** What opens files that are mentioned on the screen. Default: `vscode`. */
  readonly editor?: (typeof EDITORS)[number];
  /** How many sessions are kept, the newest; older ones are removed when one begins. Default: all. */
  readonly keepSessions?: number;
  /** Names of spaces and packages that are left out, bae's own too: `source`, `tasks`, `filesystem`. */
  readonly disabled?: readonly string[];
}

/** Types a configuration in code: `export default defineConfig({ … })`. */
export function defineConfig(config: BaeConfig): BaeConfig {
  return config;
}

/** The rules of a setting; none for a keyword. */
export function listRules(approve: ApproveSetting | undefined): ApprovalRules {
  if (approve === undefined || typeof approve === 'string') return [];
  return 'rules' in approve ? approve.rules : approve;
}
