import type { CommandContext } from '../commands/command.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { askTrust } from './ask-trust.ts';

/**
 * The settings, after the person at the keyboard has decided about everything that nobody decided about yet, once
 * for each state of a thing. Where nobody can answer, nothing is asked.
 */
export async function trustedSettings({ options, terminal, signal }: CommandContext): Promise<Settings> {
  const { cwd, env, interactive } = terminal;
  const settings = await loadSettings(options, cwd, env);
  if (!interactive || settings.untrusted === undefined || settings.untrusted.length === 0) return settings;
  const { TrustStore } = await import('@bae/plugins');
  const trust = TrustStore.ofUser(env);
  const subjects = settings.untrusted.filter((subject) => trust.stateOf(subject) !== 'refused');
  if (subjects.length === 0) return settings;
  const decision = await askTrust({ subjects, trust }, terminal, signal);
  if (decision === undefined) return settings;
  trust.remember(subjects, decision);
  if (decision === 'refused') return settings;
  // What was trusted may name packages that nobody knew of before.
  return trustedSettings({ options, terminal, signal, positionals: [] });
}
