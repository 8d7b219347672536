import type { SessionRecorder } from '../agent/session-recorder.ts';
import type { Approver } from '../protocol/approver.ts';

/** The approver of one session: what it remembers is written down before the call runs. */
export function recordedApprover(approver: Approver, recorder: SessionRecorder): Approver {
  return {
    deny: (request) => approver.deny?.(request),
    async approve(request, signal) {
      const answer = await approver.approve(request, signal);
      if (answer.remember !== undefined) await recorder.record({ kind: 'consent', consent: answer.remember });
      return answer;
    },
  };
}
