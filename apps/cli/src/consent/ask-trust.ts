import type { TrustEntry, TrustStore, TrustSubject } from '@bae/plugins';
import type { CommandContext } from '../command-line/command.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { createPainter, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';
import { askOnce } from './ask-approval.ts';

const WARNING =
  'What you trust runs on this machine with all your rights, whatever it says of itself. When it changes, bae asks again.';

/** Shows the subjects to be trusted and asks about them; undefined if the person did not decide. */
export function askTrust(
  subjects: readonly TrustSubject[],
  trust: Pick<TrustStore, 'stateOf'>,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<TrustEntry['decision'] | undefined> {
  const { out } = terminal;
  const paint = createPainter(out);
  const lines = ['Not trusted, and not used until you trust it:', ...renderSubjects(subjects, trust, paint)];
  out.write(`${[...lines, paint('hint', WARNING)].join('\n')}\n`);
  const choices = [
    ['yes', 'yes, all of it', 'trusted'],
    ['no', 'no, and do not ask again', 'refused'],
  ] as const;
  return askOnce<TrustEntry['decision']>({ verb: 'trust', choices }, terminal, signal);
}

/** Renders the name, path and description of each subject. */
export function renderSubjects(
  subjects: readonly TrustSubject[],
  trust: Pick<TrustStore, 'stateOf'>,
  paint: Painter,
): readonly string[] {
  return subjects.flatMap((subject) => {
    const changed = trust.stateOf(subject) === 'changed' ? paint('hint', ' (changed since you decided about it)') : '';
    return [
      `${paint('strong', makeLineVisible(subject.name))}${changed} -- ${makeLineVisible(subject.path)}`,
      ...subject.about.map((line) => `  ${makeLineVisible(line)}`),
    ];
  });
}

/** Loads the settings, after asking the person at the keyboard, if any, about everything new or changed. */
export async function loadTrustedSettings(
  context: Pick<CommandContext, 'options' | 'terminal' | 'signal'>,
): Promise<Settings> {
  const { terminal } = context;
  const settings = await loadSettings(context);
  if (!terminal.interactive || settings.untrusted.length === 0) return settings;
  const { TrustStore } = await import('@bae/plugins');
  const trust = TrustStore.ofUser(terminal.env);
  const subjects = settings.untrusted.filter((subject) => trust.stateOf(subject) !== 'refused');
  if (subjects.length === 0) return settings;
  const decision = await askTrust(subjects, trust, context);
  if (decision === undefined) return settings;
  trust.remember(subjects, decision);
  // The newly trusted settings may name further packages.
  return decision === 'trusted' ? loadTrustedSettings(context) : settings;
}
