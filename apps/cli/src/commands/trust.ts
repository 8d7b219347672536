import { TrustStore, type TrustEntry, type TrustSubject } from '@bae/plugins';
import { UsageError } from '../arguments/usage-error.ts';
import { loadSettings } from '../config/settings.ts';
import { painterFor } from '../terminal/paint.ts';
import { askTrust } from '../trust/ask-trust.ts';
import { subjectNamed, subjectNow } from '../trust/subject-named.ts';
import { entryLine, subjectLines } from '../trust/trust-texts.ts';
import type { CommandContext } from './command.ts';

/** `bae trust`: shows what is not trusted here, or one thing that is named, and trusts it when a person says so. */
export async function runTrust(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const [named, ...more] = positionals;
  if (more.length > 0 || (options.list && named !== undefined))
    throw new UsageError(
      `bae trust takes one file, folder or package; ${options.list ? '--list takes none' : `got ${positionals.length}`}.`,
      {
        command: 'trust',
      },
    );
  const trust = TrustStore.ofUser(terminal.env);
  if (options.list) return list(trust, context);
  if (named !== undefined) return decide(trust, [await subjectNamed(named, context)], context);
  const { untrusted = [] } = await loadSettings(options, terminal.cwd, terminal.env);
  if (untrusted.length > 0) {
    const code = await decide(trust, untrusted, context);
    const { untrusted: left = [] } = await loadSettings(options, terminal.cwd, terminal.env);
    const isNew = left.some(({ path }) => untrusted.every((subject) => subject.path !== path));
    // What was trusted may name packages that nobody knew of before.
    return isNew ? runTrust(context) : code;
  }
  terminal.out.write('(nothing here waits to be trusted)\n');
  return 0;
}

async function decide(trust: TrustStore, subjects: readonly TrustSubject[], context: CommandContext): Promise<number> {
  const { options, terminal, signal } = context;
  const { out, err } = terminal;
  if (subjects.every((subject) => trust.stateOf(subject) === 'trusted')) {
    out.write(`${subjects.map(({ name }) => name).join(', ')}: trusted already, as it is\n`);
    return 0;
  }
  if (!options.yes && !terminal.interactive) {
    out.write(`${subjectLines(subjects, trust, painterFor(out)).join('\n')}\n`);
    err.write('bae: not trusted: nobody is here to confirm it.\nTry: bae trust --yes\n');
    return 1;
  }
  if (options.yes) out.write(`${subjectLines(subjects, trust, painterFor(out)).join('\n')}\n`);
  const decision = options.yes ? 'trusted' : await askTrust({ subjects, trust }, terminal, signal);
  if (decision === undefined) return 1;
  trust.remember(subjects, decision);
  out.write(`${decision}: ${subjects.map(({ name }) => name).join(', ')}\n`);
  return 0;
}

function list(trust: TrustStore, { options, terminal }: CommandContext): number {
  const entries = trust.entries().map((entry) => ({ ...entry, state: stateNow(entry) }));
  const lines = entries.map((entry) => entryLine(entry, entry.state));
  if (options.json) terminal.out.write(`${JSON.stringify({ file: trust.file, entries })}\n`);
  else terminal.out.write(lines.length === 0 ? '(nothing is trusted)\n' : `${lines.join('\n')}\n`);
  return 0;
}

/** What was decided, if it still holds. */
function stateNow(entry: TrustEntry): string {
  const digest = subjectNow(entry);
  if (digest === undefined) return 'gone';
  return digest === entry.digest ? entry.decision : 'changed';
}
