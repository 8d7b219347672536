/** All numbers of the protocol. Units are defined in `text-size/text-size.ts`. */

/** Default limit of one result, in tokens. */
export const TOKEN_CAP = 500;
/** Number of units that count as one token. */
export const UNITS_PER_TOKEN = 4;
/** Share of its limit up to which a result is not shortened. */
export const CAP_TOLERANCE = 1.1;
/** Limit of the output of run code, as a multiple of the limit of a result, because code prints intentionally. */
export const PRINTED_SHARE = 2;
/** Default limit of one result, in units. */
export const CHAR_CAP = TOKEN_CAP * UNITS_PER_TOKEN;
/** Length up to which the pruner keeps an item line whole, in units. */
export const LINE_CAP = 240;
/** Length up to which the pruner keeps a structural line whole, in units. */
export const HEAD_LINE_CAP = 120;
/** Share of the cap that structural lines may use. */
export const STRUCT_SHARE = 0.4;
/** Units kept free for the pruner's last line. */
export const INDICATOR_RESERVE = 64;
/** Length of the line that marks a gap, in units. */
export const ELLIPSIS_COST = 5;
/** Number of characters of one page per token of the limit: 4,000 characters at the default of 500 tokens. */
export const PAGE_CHARACTERS_PER_TOKEN = 8;
/**
 * Maximum length of an error that is shown in full, in units; a longer one is shown as head and tail and kept whole
 * under a handle.
 */
export const ERROR_VALVE = 20_000;
/** Maximum number of batches of tool calls in one turn; 0 for no limit. */
export const MAX_BATCHES = 25;
/** Maximum number of plans of one call, when something else keeps changing the state they are based on. */
export const MOST_PLANS = 20;
/** Maximum number of locations that `back` can return to. */
export const HISTORY_CAP = 20;
/** Maximum length of a path of spaces. */
export const PATH_CAP = 10;
/** Maximum numbers of levels below home, and of siblings on one level, that the navigation tree shows. */
export const NAV_DEPTH = 2;
export const NAV_BREADTH = 12;
/** Number of root spaces above which the orientation groups them. */
export const ORIENTATION_BREADTH = 24;
/** Total number of tools up to which the orientation shows every table. */
export const SMALL_WORLD_TOOLS = 10;
/** Minimum similarity for a name to be suggested. */
export const FUZZY_MIN = 0.5;
/** Minimum similarity for an unknown tag to count as a misspelt call. */
export const NEAR_MISS_MIN = 0.75;
/** Time limits of one tool call, in milliseconds. */
export const GREP_TIMEOUT_MS = 10_000;
export const TOOL_TIMEOUT_MS = 60_000;
/** Maximum wait for a model to begin its response, and maximum silence after that, in milliseconds. */
export const MODEL_FIRST_TOKEN_MS = 600_000;
export const MODEL_IDLE_MS = 60_000;
/** Assumed context size of a model, in tokens. */
export const CONTEXT_TOKENS = 128_000;
/**
 * Shares of the context from which old results are masked if that saves money, from which they are masked in any case,
 * and that masking aims for. Without a cache, masking costs nothing: it waits only because results may still be useful.
 */
export const MASK_SHARES = {
  uncached: { from: 0.8, full: 0.8, target: 0.5 },
  cached: { from: 0.6, full: 0.9, target: 0.4 },
} as const;
/** Assumed price of a cached token, as a share of the price of a new one. */
export const CACHED_PRICE_RATIO = 0.1;
/** Maximum length of a response, in UTF-16 code units. */
export const RESPONSE_CAP = 8_000_000;
/** Maximum number of attempts per request to a model, including the first. */
export const MODEL_TRIES = 3;
/** Time limit of one request to a model, including all attempts, in milliseconds. */
export const MODEL_DEADLINE_MS = 600_000;
/** Maximum delay of the platform's timers, in milliseconds; with a longer one they would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
