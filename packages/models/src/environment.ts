/** Environment variables by name: the shape of `process.env`, handed in by whoever may read it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to something, and what it is set to. */
export interface EnvironmentSetting {
  readonly variable: string;
  readonly value: string;
}

/** The first of some variables that is set to more than blanks; undefined when none is. */
export function firstSetting(env: Environment, variables: readonly string[]): EnvironmentSetting | undefined {
  for (const variable of variables) {
    const value = env[variable]?.trim();
    if (value !== undefined && value !== '') return { variable, value };
  }
  return undefined;
}
