import type { AgentEvent } from '@bae/core';
import { readTyped } from '../views/read-prose.ts';

/** Renders a session as Markdown, with its questions, calls and answers. */
export function writeAsMarkdown(events: readonly AgentEvent[]): string {
  const parts = events.map(renderPart).filter((part) => part !== '');
  return `${['# A session with bae', ...parts].join('\n\n').replaceAll(/^(- .*)\n\n(?=- )/gm, '$1\n')}\n`;
}

function renderPart(event: AgentEvent): string {
  switch (event.type) {
    case 'turn-start':
      return `## Asked\n\n${readTyped(event.prompt)}`;
    case 'answer':
      return `## Answered\n\n${event.text.trim()}`;
    case 'call-end': {
      const outcome = event.errorType ?? (event.failed === true ? 'failed' : 'done');
      return `- \`${event.tag.replaceAll(/[`\n]/g, ' ')}\`: ${outcome}, ${Math.round(event.ms)} ms`;
    }
    case 'run-end':
      return [fenceCode('ts', event.code), ...(event.output.trim() === '' ? [] : [fenceCode('', event.output)])].join(
        '\n\n',
      );
    case 'turn-end':
      return event.unfinished === undefined
        ? ''
        : `## Began to answer\n\n${event.unfinished.trim()} ${describeBreak(event)}`;
    case 'notice':
      return event.code === 'error' ? `> ${event.text.replaceAll('\n', '\n> ')}` : '';
    default:
      return '';
  }
}

/** Describes why a response has no end. */
export function describeBreak({ outcome }: Pick<Extract<AgentEvent, { type: 'turn-end' }>, 'outcome'>): string {
  return outcome === 'aborted' ? '[… cancelled]' : '[… broke off]';
}

/** Encloses code in a fence that is longer than any fence in it. */
export function fenceCode(language: string, text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text.trim()}\n${ticks}`;
}
