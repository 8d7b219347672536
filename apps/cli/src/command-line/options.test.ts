import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from './options.ts';
import { UsageError } from './errors.ts';

const COMMANDS = ['ask', 'do', 'prune', 'spaces'];

describe('parseArguments', () => {
  it('opens the shell when there is no command', () => {
    expect(parseArguments([], COMMANDS)).toMatchObject({ command: 'shell', positionals: [], options: { json: false } });
  });

  it('takes options before and after the command', () => {
    const { command, positionals, options } = parseArguments(
      ['--cwd', 'x', 'ask', 'why?', '--max=3', '--json'],
      COMMANDS,
    );
    expect({ command, positionals }).toEqual({ command: 'ask', positionals: ['why?'] });
    expect(options).toMatchObject({ cwd: 'x', max: 3, json: true, yes: false });
  });

  it('has short forms and camel-case names', () => {
    expect(parseArguments(['-y', '--no-color', '--base-url', 'http://x'], COMMANDS).options).toMatchObject({
      yes: true,
      noColor: true,
      baseUrl: 'http://x',
    });
  });

  it('sees no options after --', () => {
    expect(parseArguments(['ask', '--', '--json'], COMMANDS)).toMatchObject({
      positionals: ['--json'],
      options: { json: false },
    });
  });

  it('leaves a lone dash to the command', () => {
    expect(parseArguments(['prune', '-'], COMMANDS).positionals).toEqual(['-']);
  });

  it.each([
    [['--cap', 'abc'], "--cap: expected a whole number of at least 50; got 'abc'."],
    [['--cap', '3'], "--cap: expected a whole number of at least 50; got '3'."],
    [['--cap', '-1'], "--cap: expected a whole number of at least 50; got '-1'."],
    [['--cap', '1e3'], "--cap: expected a whole number of at least 50; got '1e3'."],
    [['--cap'], '--cap needs a value: --cap N.'],
    [['--cap='], '--cap needs a value: --cap N.'],
    [['--model', '--json'], '--model needs a value: --model NAME; got the option --json.'],
    [['--json=yes'], "--json takes no value; got 'yes'."],
    [
      ['prune', '--format', 'pdf', 'x'],
      "--format: expected markdown, plain, code, json, log, diff, csv, html, rows; got 'pdf'.",
    ],
    [['do', '--max', '3'], 'bae do takes no --max; it belongs to bae ask and bae.'],
    [['--format', 'plain'], 'the shell takes no --format; it belongs to bae prune.'],
    [['what is this?'], `no command 'what is this?'. To ask the model: bae ask "what is this?"`],
  ])('refuses %j', (argv, message) => {
    expect(errorOf(argv).message).toBe(message);
  });

  it('names the candidates for an unknown command and an unknown option', () => {
    expect(errorOf(['aks'])).toMatchObject({
      message: "no command 'aks'.",
      options: { unknown: { name: 'aks', candidates: COMMANDS } },
    });
    expect(errorOf(['do', '--jsno'])).toMatchObject({ message: 'no option --jsno.', options: { command: 'do' } });
    expect(errorOf(['do', '--jsno']).options.unknown?.candidates).not.toContain('max');
    expect(errorOf(['-x'])).toMatchObject({ message: 'no option -x.' });
  });

  it('knows what other programs call a command, if there is that command', () => {
    expect(errorOf(['run']).options.unknown).toMatchObject({ name: 'run', meant: 'do' });
    expect(errorOf(['check']).options.unknown).toMatchObject({ meant: undefined });
    expect(errorOf(['constructor']).options.unknown).toMatchObject({ meant: undefined });
  });

  it.each(['--constructor', '--__proto__', '--toString'])('takes %s for the unknown option it is', (option) => {
    expect(errorOf([option]).message).toBe(`no option ${option}.`);
  });

  it('understands or refuses every command line, and throws nothing else', () => {
    const word = fc.oneof(
      fc.constantFrom('ask', 'do', '--json', '--cap', '--cap=60', '--', '-', '-y', '--max', '7'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word), (argv) => {
        try {
          expect([...COMMANDS, 'shell']).toContain(parseArguments(argv, COMMANDS).command);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

function errorOf(argv: readonly string[]): UsageError {
  try {
    parseArguments(argv, COMMANDS);
  } catch (error) {
    return error as UsageError;
  }
  throw new Error('nothing was refused');
}
