import type { TrustStore } from '@bae/plugins';

/** What the user trusts, as far as it can be known. */
export interface UserTrust extends Pick<TrustStore, 'stateOf'> {
  /** Why nothing is trusted although something was. */
  readonly problem?: string;
}

/** Trusts nothing. */
export const NOBODY: UserTrust = { stateOf: () => 'unknown' };

/** What the user trusts; nothing when the file that says it is damaged. */
export async function userTrust(env: Readonly<Record<string, string | undefined>>): Promise<UserTrust> {
  const { PluginError, TrustStore } = await import('@bae/plugins');
  const trust = TrustStore.ofUser(env);
  try {
    trust.entries();
    return trust;
  } catch (error) {
    if (error instanceof PluginError) return { ...NOBODY, problem: error.message };
    throw error;
  }
}
