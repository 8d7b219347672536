import { painterFor } from '../terminal/paint.ts';
import type { LineReader } from '../terminal/line-reader.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { approvalQuestion, consentOf } from './approval-question.ts';
import type { AskPerson, Consent } from './approver-for.ts';

/** How to ask, and what to do when the person would rather stop everything. */
export interface TerminalQuestion {
  readonly terminal: Terminal;
  readonly reader: Pick<LineReader, 'fresh'>;
  onInterrupt(): void;
}

/** Asks at the keyboard: one question at a time, and only what is typed after it counts as the answer. */
export function askAtTerminal(question: TerminalQuestion): AskPerson {
  const { terminal, reader } = question;
  return async (request) => {
    const paint = painterFor(terminal.out);
    terminal.out.write(`${approvalQuestion(request, { columns: terminal.out.columns(), paint })}\n`);
    const choices = `run it? y = yes, a = always ${request.tool} in ${request.space}, n = no: `;
    let consent: Consent | undefined;
    while (consent === undefined) {
      const answer = await reader.fresh(choices);
      if (answer.kind === 'interrupt') question.onInterrupt();
      consent = answer.kind === 'line' ? consentOf(answer.text) : 'no';
    }
    return consent;
  };
}
