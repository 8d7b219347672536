import type { CheckReport, ConformanceReport } from '@bae/testing';
import { visibleLine } from '../terminal/make-visible.ts';
import type { Painter } from '../terminal/paint.ts';

/** One check as lines for people; none where there was nothing to try. */
export function renderCheck(check: CheckReport, paint: Painter): readonly string[] {
  switch (check.status) {
    case 'passed':
      return [`${paint('code', '✓')} ${check.name}`];
    case 'failed':
      return [`${paint('error', '✗')} ${check.name}`, ...check.complaints.map((text) => `    ${visibleLine(text)}`)];
    case 'not-run':
      return [`${paint('strong', '?')} ${check.name}`, `    not tried; to try it, give ${visibleLine(check.add)}`];
    case 'skipped':
      return [`${paint('quiet', '-')} ${check.name}`, `    left out: ${visibleLine(check.reason)}`];
    default:
      return [];
  }
}

/** How well a space did: `24 of 26 (92 %); 1 failed, 1 not tried`. */
export function renderScore({ checks, score: { passed, of } }: ConformanceReport): string {
  const count = (status: CheckReport['status']): number => checks.filter((check) => check.status === status).length;
  const untried = count('not-run') + count('not-opened');
  const share = of === 0 ? 100 : Math.floor((passed / of) * 100);
  const rest = [
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(untried > 0 ? [`${untried} not tried`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} left out`] : []),
  ];
  return `${passed} of ${of} (${share} %)${rest.length === 0 ? '' : `; ${rest.join(', ')}`}`;
}
