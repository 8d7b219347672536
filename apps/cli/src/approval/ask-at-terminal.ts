import type { ApprovalRequest } from '@bae/core';
import type { LineReader } from '../terminal/line-reader.ts';
import { painterFor } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { approvalQuestion, type ApprovalQuestion } from './approval-question.ts';
import type { AskPerson } from './approver-for.ts';
import { choicesFor } from './choices.ts';
import { diffLines } from './diff-lines.ts';
import { previewOf } from './preview-of.ts';

/** How to ask, and what to do when the person would rather stop everything. */
export interface TerminalQuestion {
  readonly terminal: Terminal;
  readonly reader: Pick<LineReader, 'fresh'>;
  onInterrupt(): void;
}

/** Asks at the keyboard; only what is typed after the question counts as the answer. */
export function askAtTerminal(question: TerminalQuestion): AskPerson {
  const { reader, terminal } = question;
  const { out } = terminal;
  return async (request, signal) => {
    const paint = painterFor(out);
    const preview = await previewOf(request);
    if (signal.aborted) return { decision: 'deny' };
    const shown = approvalQuestion(request, preview, { columns: out.columns(), rows: out.rows(), paint });
    out.write(`${shown.text}\n`);
    for (;;) {
      const answer = await reader.fresh(promptFor(request, shown), signal);
      if (answer.kind === 'interrupt') question.onInterrupt();
      if (answer.kind !== 'line') return { decision: 'deny' };
      const word = answer.text.trim().toLowerCase();
      const choice = choicesFor(request).find(({ key, word: long }) => word === key || word === long);
      if (choice !== undefined) return choice.reply;
      if (word === 'd' && preview.kind === 'change') out.write(`${diffLines(preview.text, { paint }).join('\n')}\n`);
    }
  };
}

function promptFor(request: ApprovalRequest, { clipped }: ApprovalQuestion): string {
  const choices = choicesFor(request).map(({ key, meaning }) => `${key} = ${meaning}`);
  return `run it? ${[...choices, ...(clipped ? ['d = the whole change'] : [])].join(', ')}: `;
}
