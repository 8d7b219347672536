import { approvalPolicy, ConfigurationError, findNearestName } from '@bae/core';
import { z } from 'zod';
import { EDITORS, listRules, type BaeConfig } from './bae-config.ts';

const isModel = (value: unknown): boolean => isName(value) || (isObject(value) && 'respond' in value);

/** Schema of all keys. The description of a key is its expected value in error messages. */
const CONFIG = z.strictObject({
  model: z.custom(isModel).optional().describe('a name like "anthropic/claude-sonnet-5-5"'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an address like "http://127.0.0.1:8080/v1"'),
  protocol: z.enum(['auto', 'tags', 'tools']).optional().describe('"auto", "tags" or "tools"'),
  accepts: z
    .array(z.enum(['image', 'audio', 'file']))
    .optional()
    .describe('a list like ["image"]'),
  hooks: z
    .array(z.looseObject({ name: z.string() }))
    .optional()
    .describe('a list of objects with functions, in code'),
  cap: z.int().min(50).optional().describe('a whole number of at least 50 (tokens)'),
  maxBatches: z.int().min(0).optional().describe('a whole number of at least 0 (0 for no limit)'),
  maxTokens: z.int().min(1).optional().describe('a whole number of at least 1 (tokens of a turn)'),
  maxCost: z.number().positive().optional().describe('a number above 0 (US dollars of a turn)'),
  maxMinutes: z.number().positive().optional().describe('a number above 0 (minutes of a turn)'),
  prices: z
    .strictObject({ input: z.number().min(0), output: z.number().min(0), cached: z.number().min(0).optional() })
    .optional()
    .describe('US dollars for a million tokens like {"input": 3, "output": 15, "cached": 0.3}'),
  firstTokenSeconds: z.number().positive().optional().describe('a number above 0 (seconds)'),
  approve: z
    .union([z.enum(['ask', 'all', 'none']), z.array(z.unknown()), z.strictObject({ rules: z.array(z.unknown()) })])
    .optional()
    .describe('"ask", "all", "none", or rules like [{"tool": "write", "decision": "allow"}]'),
  spaces: z.array(z.unknown()).optional().describe('a list like ["tickets"]'),
  mcpServers: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .optional()
    .describe('servers by name like {"github": {"command": "npx", "args": ["-y", "PACKAGE"]}}'),
  discover: z.boolean().optional().describe('true or false'),
  commands: z
    .union([
      z.boolean(),
      z.strictObject({
        terminal: z.boolean().optional(),
        network: z.boolean().optional(),
        writable: z.array(z.string()).optional(),
        limits: z.boolean().optional(),
      }),
    ])
    .optional()
    .describe(
      'true, false, or limits like {"terminal": true, "network": false, "writable": ["~/.tool"], "limits": true}',
    ),
  editor: z
    .enum(EDITORS)
    .optional()
    .describe(`one of ${EDITORS.join(', ')}`),
  keepSessions: z.int().min(1).optional().describe('a whole number of at least 1 (sessions)'),
  disabled: z.array(z.string()).optional().describe('a list of names like ["tasks"]'),
});

/** Checks the content of a configuration file. @throws ConfigurationError that names the file, the key and the value */
export function checkConfig(value: unknown, file: string): BaeConfig {
  const checked = CONFIG.safeParse(value);
  const lines = checked.success
    ? [...explainRules(checked.data.approve), ...explainEntries(checked.data.spaces)]
    : checked.error.issues.flatMap((issue) => explainIssue(issue, value));
  if (lines.length > 0) throw new ConfigurationError(lines.map((line) => `${file}: ${line}`).join('\n'));
  return checked.data as BaeConfig;
}

function explainRules(approve: unknown): readonly string[] {
  const rules = listRules(approve as BaeConfig['approve']);
  try {
    approvalPolicy({ rules });
    return [];
  } catch (error) {
    const place = Array.isArray(approve) ? 'approve' : 'approve.rules';
    return (error as Error).message.split('\n').map((line) => line.replace('rules', place));
  }
}

function explainIssue(issue: z.core.$ZodIssue, value: unknown): readonly string[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return issue.keys.map((key) => `${key}: no such setting. ${suggestKey(key, Object.keys(CONFIG.shape))}`);
  const [key] = issue.path;
  if (key === undefined) return [`expected an object like {"cap": 500}; got ${quoteValue(value)}.`];
  const { description = '' } = CONFIG.shape[key as keyof typeof CONFIG.shape];
  return [explainValue(String(key), description, (value as Record<PropertyKey, unknown>)[key])];
}

const ENTRY = 'the name of a package like "tickets", or {"use": "tickets", "as": "support"}; in code also a space';

/** Fields of an entry, each with a check and a description of the expected value. */
const FIELDS: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, expected: string]>> = {
  use: [(use) => isSpace(use) || isName(use), ENTRY],
  as: [(as) => as === undefined || isName(as), 'a name like "support"'],
  under: [(under) => under === undefined || isName(under), 'the name of a space or place like "work"'],
  isolate: [(isolate) => isolate === undefined || isolate === 'process' || isolate === false, '"process" or false'],
  options: [(options) => options === undefined || isObject(options), 'an object'],
};

/**
 * Returns the problems of a list of spaces, without looking the spaces up. Each begins with its position:
 * `spaces[1].as`.
 */
export function explainEntries(spaces: unknown): readonly string[] {
  if (!Array.isArray(spaces)) return [];
  return spaces.flatMap((entry: unknown, index) => explainEntry(entry, `spaces[${index}]`));
}

function explainEntry(entry: unknown, place: string): readonly string[] {
  if (isSpace(entry) || isName(entry)) return [];
  if (!isObject(entry)) return [explainValue(place, ENTRY, entry)];
  const unknown = Object.keys(entry).filter((field) => !Object.hasOwn(FIELDS, field));
  const wrong = Object.entries(FIELDS).filter(([field, [isRight]]) => !isRight(entry[field]));
  return [
    ...unknown.map((field) => `${place}.${field}: no such field. ${suggestKey(field, Object.keys(FIELDS))}`),
    ...wrong.map(([field, [, expected]]) => explainValue(`${place}.${field}`, expected, entry[field])),
  ];
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isSpace(value: unknown): boolean {
  return typeof value === 'function' || (isObject(value) && 'enter' in value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function explainValue(place: string, expected: string, value: unknown): string {
  return `${place}: expected ${expected}; got ${quoteValue(value)}.`;
}

function suggestKey(name: string, candidates: readonly string[]): string {
  const nearest = findNearestName(name, candidates);
  return nearest === undefined ? `There are ${candidates.join(', ')}.` : `Did you mean ${nearest}?`;
}

/** Maximum length of a quoted value, in characters. */
const LONGEST = 60;

function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
