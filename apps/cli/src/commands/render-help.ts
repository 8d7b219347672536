import { OPTIONS, takesOption } from '../arguments/options.ts';
import { COMMANDS } from './command-list.ts';

/** Help for bae as a whole, or for one command: how it is called, what it does, its options, examples. */
export function renderHelp(command: string): string {
  return command === 'shell' ? overview() : commandHelp(command);
}

function overview(): string {
  const rows = Object.values(COMMANDS).map(({ usage, summary }) => row(`bae ${usage}`.trim(), summary));
  const { examples } = COMMANDS['shell']!;
  return [
    'bae: a language model that works by navigating resourcespaces.',
    section('Commands', rows),
    section('Options', optionRows('shell')),
    section('Examples', [...examples, ...COMMANDS['ask']!.examples.slice(0, 1)]),
    'Help for one command: bae COMMAND --help',
    'Exit codes: 0 done, 1 error, 2 the command line was not understood, 130 interrupted',
    '',
  ]
    .join('\n\n')
    .replace(/\n\n(Exit codes)/, '\n$1')
    .replace(/\n\n$/, '\n');
}

function commandHelp(command: string): string {
  const { usage, summary, examples } = COMMANDS[command]!;
  const parts = [`bae ${usage} [options]`, `${summary[0]!.toUpperCase()}${summary.slice(1)}.`];
  return `${[...parts, section('Options', optionRows(command)), section('Examples', examples)].join('\n\n')}\n`;
}

function section(title: string, rows: readonly string[]): string {
  return `${title}\n${rows.map((line) => `  ${line}`).join('\n')}`;
}

function optionRows(command: string): readonly string[] {
  return Object.entries(OPTIONS)
    .filter(([name]) => takesOption(command, name))
    .map(([name, { value, short, doc }]) => {
      const names = short === undefined ? `--${name}` : `--${name}, -${short}`;
      return row(value === undefined ? names : `${names} ${value}`, doc);
    });
}

function row(left: string, right: string): string {
  return `${left.padEnd(20)}${right}`;
}
