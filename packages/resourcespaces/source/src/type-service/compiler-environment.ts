const KEPT = ['HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'USERPROFILE'];

/**
 * What the compiler sees of the environment: no secrets, and no PATH, so that it can start no other program.
 * Without a PATH there is no npm for it to fetch type packages with.
 */
export function compilerEnvironment(): NodeJS.ProcessEnv {
  const kept = KEPT.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(kept) as NodeJS.ProcessEnv), PATH: '' };
}
