import type { Ledger, LedgerRow } from '@bae/models';
import { makeLineVisible } from '../terminal/terminal-text.ts';

const TITLES = { turn: 'by turn', call: 'by tool', place: 'by place' } as const;
/** Maximum number of rows of one kind. */
const MOST = 10;

/** Renders the tokens and costs of a session as a table: by turn, tool and place, and in total. */
export function renderUsageTable(ledger: Ledger): string {
  const lines = [toCells(['', 'times', 'in', 'cached', 'out', 'USD'])];
  for (const [kind, title] of Object.entries(TITLES) as [keyof typeof TITLES, string][]) {
    const rows = ledger.list(kind);
    lines.push(title, ...rows.slice(0, MOST).map((row) => renderRow(row)));
    if (rows.length > MOST) lines.push(`  … ${rows.length - MOST} more`);
  }
  lines.push(renderRow(ledger.total()));
  return lines.join('\n');
}

function renderRow({ name, count, inputTokens, cachedTokens, outputTokens, cost }: LedgerRow): string {
  const numbers = [count, inputTokens, cachedTokens, outputTokens].map((number) => String(Math.round(number)));
  return toCells([`  ${makeLineVisible(name)}`, ...numbers, cost === undefined ? '-' : cost.toFixed(4)]);
}

function toCells([name = '', ...numbers]: readonly string[]): string {
  return [name.padEnd(28), ...numbers.map((number) => number.padStart(9))].join(' ').trimEnd();
}
