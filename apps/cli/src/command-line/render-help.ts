import { OPTIONS, isOptionOf } from './options.ts';
import { COMMANDS } from './command-list.ts';

/** Width of the option names, in columns. */
const WIDTH = 20;

/** Renders the help of bae or of one command. */
export function renderCommandLineHelp(command: string): string {
  return command === 'shell' ? renderOverview() : renderCommandHelp(command);
}

function renderOverview(): string {
  const commands = Object.values(COMMANDS).map(({ usage, summary }) => ({ call: `bae ${usage}`.trim(), summary }));
  const width = Math.max(...commands.map(({ call }) => call.length));
  const rows = commands.map(({ call, summary }) => `${call.padEnd(width)}  ${summary}`);
  const { examples } = COMMANDS['shell']!;
  return [
    'bae: a language model that works by navigating resourcespaces.',
    renderSection('Commands', rows),
    renderSection('Options', renderOptions('shell')),
    renderSection('Examples', [...examples, ...COMMANDS['ask']!.examples.slice(0, 1)]),
    'Help for one command: bae COMMAND --help\n' +
      'Exit codes: 0 done, 1 error, 2 the command line was not understood, 130 interrupted\n',
  ].join('\n\n');
}

function renderCommandHelp(command: string): string {
  const { usage, summary, examples, subcommands = {} } = COMMANDS[command]!;
  const own = Object.entries(subcommands).map(([name, rest]) => `bae ${command} ${name} ${rest}`);
  const parts = [`bae ${usage} [options]`, `${summary[0]!.toUpperCase()}${summary.slice(1)}.`];
  if (own.length > 0) parts.push(renderSection('Commands', own));
  return `${[...parts, renderSection('Options', renderOptions(command)), renderSection('Examples', examples)].join('\n\n')}\n`;
}

function renderSection(title: string, rows: readonly string[]): string {
  return `${title}\n${rows.map((line) => `  ${line}`).join('\n')}`;
}

function renderOptions(command: string): readonly string[] {
  return Object.entries(OPTIONS)
    .filter(([name, { refusedBy }]) => isOptionOf(command, name) && !(refusedBy?.includes(command) ?? false))
    .map(([name, { value, short, doc }]) => {
      const names = short === undefined ? `--${name}` : `--${name}, -${short}`;
      const left = value === undefined ? names : `${names} ${value}`;
      return `${left.length < WIDTH ? left.padEnd(WIDTH) : `${left}  `}${doc}`;
    });
}
