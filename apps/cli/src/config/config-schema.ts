import { approvalPolicy, ConfigurationError, nearestName } from '@bae/core';
import { z } from 'zod';
import type { BaeConfig } from './bae-config.ts';
import { explainEntries } from './explain-entries.ts';
import { rulesOf } from './rules-of.ts';
import { shownSetting } from './shown-setting.ts';

const isModel = (value: unknown): boolean =>
  (typeof value === 'string' && value.trim() !== '') ||
  (typeof value === 'object' && value !== null && 'respond' in value);

/** Every key, with what it expects in the words of its error message. */
const CONFIG = z.strictObject({
  model: z.custom(isModel).optional().describe('a name like "anthropic/claude-sonnet-5-5"'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an address like "http://127.0.0.1:8080/v1"'),
  cap: z.int().min(50).optional().describe('a whole number of at least 50 (tokens)'),
  maxBatches: z.int().min(0).optional().describe('a whole number of at least 0 (0 for no limit)'),
  approve: z
    .union([z.enum(['ask', 'all', 'none']), z.array(z.unknown()), z.strictObject({ rules: z.array(z.unknown()) })])
    .optional()
    .describe('"ask", "all", "none", or rules like [{"tool": "write", "decision": "allow"}]'),
  spaces: z.array(z.unknown()).optional().describe('a list like ["tickets"]'),
  discover: z.boolean().optional().describe('true or false'),
  disabled: z.array(z.string()).optional().describe('a list of names like ["tasks"]'),
});

/**
 * Checks what a configuration file holds.
 *
 * @param file its name, for messages
 * @throws ConfigurationError that names the file, the key, what was expected and what came
 */
export function checkConfig(value: unknown, file: string): BaeConfig {
  const checked = CONFIG.safeParse(value);
  const lines = checked.success
    ? [...explainRules(checked.data.approve), ...explainEntries(checked.data.spaces)]
    : checked.error.issues.flatMap((issue) => explainIssue(issue, value));
  if (lines.length > 0) throw new ConfigurationError(lines.map((line) => `${file}: ${line}`).join('\n'));
  return checked.data as BaeConfig;
}

/** What is wrong with the rules, in the words of the policy that will go by them. */
function explainRules(approve: unknown): readonly string[] {
  const rules = rulesOf(approve as BaeConfig['approve']);
  try {
    approvalPolicy({ rules });
    return [];
  } catch (error) {
    const place = Array.isArray(approve) ? 'approve' : 'approve.rules';
    return (error as Error).message.split('\n').map((line) => line.replace('rules', place));
  }
}

function explainIssue(issue: z.core.$ZodIssue, value: unknown): readonly string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(explainUnknownKey);
  const [key] = issue.path;
  if (key === undefined) return [`expected an object like {"cap": 500}; got ${shownSetting(value)}.`];
  const field = CONFIG.shape[key as keyof typeof CONFIG.shape];
  return [
    `${String(key)}: expected ${field.description}; got ${shownSetting((value as Record<PropertyKey, unknown>)[key])}.`,
  ];
}

function explainUnknownKey(key: string): string {
  const keys = Object.keys(CONFIG.shape);
  const nearest = nearestName(key, keys);
  return `${key}: no such setting. ${nearest === undefined ? `There are ${keys.join(', ')}.` : `Did you mean ${nearest}?`}`;
}
