/** Options of a test runner, by what becomes of them when bae starts it. */
interface RunnerOptions {
  /** Options whose value is the next word. */
  readonly withValue: string;
  /** Options that choose tests or reports, which bae does itself, and their values. */
  readonly dropped: string;
}

const OPTIONS: Readonly<Record<string, RunnerOptions>> = {
  node: { withValue: '--import --require -r --loader --experimental-loader -C --conditions', dropped: '--test' },
  mocha: {
    withValue:
      '--require -r --ui -u --timeout -t --config --package --file --extension --loader --import --node-option -n --slow -s --retries --ignore --exclude --reporter -R --reporter-option --reporter-options -O --grep -g --fgrep -f --spec --jobs -j',
    dropped:
      '--reporter -R --reporter-option --reporter-options -O --grep -g --fgrep -f --spec --watch -w --invert -i --bail -b',
  },
  vitest: {
    withValue:
      '--config -c --root -r --dir --project --environment --pool --testTimeout --hookTimeout --mode --reporter --outputFile -t --testNamePattern --maxWorkers --shard',
    dropped:
      '--reporter --outputFile -t --testNamePattern --watch -w --ui --coverage --coverage.enabled --run --bail --shard --changed --update -u --passWithNoTests --silent',
  },
  jest: {
    withValue:
      '--config -c --env --testEnvironment --rootDir --maxWorkers -w --testTimeout --reporters --outputFile -t --testNamePattern --selectProjects --preset --shard --testPathPattern --testPathPatterns --coverageReporters',
    dropped:
      '--reporters --outputFile -t --testNamePattern --watch --watchAll --coverage --collectCoverage --coverageReporters --json --bail -b --shard --onlyChanged -o --updateSnapshot -u --testPathPattern --testPathPatterns --verbose --silent',
  },
  ava: {
    withValue: '--config --node-arguments --timeout -T --concurrency -c --match -m',
    dropped: '--match -m --watch -w --tap -t --verbose -v --fail-fast --update-snapshots -u',
  },
  tap: {
    withValue: '--reporter -R --timeout -t --jobs -j --plugin --node-arg --node-args --before --after --grep -g',
    dropped: '--reporter -R --grep -g --bail -b --watch -w --coverage-report --snapshot --changed -n',
  },
  tape: { withValue: '-r --require -i --ignore', dropped: '-i --ignore' },
};

/**
 * Reads the options that a test script gives to its runner, such as `--require ./setup.cjs --exit`, without those that
 * choose tests or reports, and without files.
 *
 * @param words what follows the name of the runner in the script
 */
export function readRunnerOptions(name: string, words: readonly string[]): readonly string[] {
  const { withValue = '', dropped = '' } = OPTIONS[name] ?? {};
  const [valued, left] = [new Set(withValue.split(' ')), new Set(dropped.split(' '))];
  const options: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!.replaceAll(/["']/g, '');
    if (!word.startsWith('-') || word === '--') continue;
    const [option = ''] = word.split('=', 1);
    const isAlone = word.includes('=') || !valued.has(option) || words[index + 1] === undefined;
    const own = isAlone ? [word] : [word, words[++index]!.replaceAll(/["']/g, '')];
    // `--coverage.reporter=text` is one of `--coverage`, `--test-only` one of `--test`.
    const [family = ''] = option.split(/(?<=\w)[.-]/, 1);
    if (!left.has(option) && !left.has(family)) options.push(...own);
  }
  return options;
}

/** The options by which runners take a part of the names of tests. */
const NAME_OPTION =
  /^(?<target>.*?)(?:^|\s)(?:-t|-g|-k|--grep|--testNamePattern|--test-name-pattern)(?:\s+|=)(?<name>\S.*)$/s;

/** Separates a target from a name that is given as runners take it: `test/a.test.ts -t adds`. */
export function splitRunnerOption(target: string, name: string): { readonly target: string; readonly name: string } {
  const { groups } = NAME_OPTION.exec(target) ?? {};
  if (name !== '' || groups === undefined) return { target, name };
  return { target: groups['target']!.trim(), name: groups['name']!.trim().replace(/^(["'])(.*)\1$/s, '$2') };
}
