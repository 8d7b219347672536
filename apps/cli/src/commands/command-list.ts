import type { CommandEntry } from './command.ts';

/** Every command by name, in the order help shows them. `shell` is bae without a command. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  shell: {
    usage: '',
    summary: 'open the shell in this folder: tags, navigation, questions',
    examples: ['bae', 'bae --model ollama/NAME', "printf '<R:package.json>\\n@nav()\\n' | bae"],
    load: async () => (await import('./shell.ts')).runShell,
  },
  ask: {
    usage: 'ask "prompt"',
    summary: 'ask the model one thing; the answer is printed on standard output',
    examples: [
      'bae ask "Where is the port set?"',
      'bae ask --max 5 --yes "Fix the typo in README.md"',
      'git diff | bae ask -',
    ],
    load: async () => (await import('./ask.ts')).runAsk,
  },
  do: {
    usage: 'do',
    summary: 'run the tags of standard input and print what a model would be told; no model needed',
    examples: ["echo '<R:package.json>' | bae do", `echo '{"text": "<G:src/*.ts>"}' | bae do --json`],
    load: async () => (await import('./do.ts')).runDo,
  },
  undo: {
    usage: 'undo [N]',
    summary: 'take back the last change of files that bae made, or the last N, also after a crash',
    examples: ['bae undo', 'bae undo 3 --yes', 'bae undo --list', 'bae undo --session 1f2e3d4c'],
    load: async () => (await import('./undo.ts')).runUndo,
  },
  sessions: {
    usage: 'sessions',
    summary: 'list the sessions of this folder, newest first; bae ask --resume goes on with one',
    examples: ['bae sessions', 'bae sessions --json', 'bae ask --resume 019aa "And now?"'],
    load: async () => (await import('./sessions.ts')).runSessions,
  },
  parse: {
    usage: 'parse FILE|-',
    summary: 'show what bae would execute in a text, without executing it',
    examples: ['bae parse answer.md', "echo '<R:a.ts>' | bae parse - --json"],
    load: async () => (await import('./parse.ts')).runParse,
  },
  prune: {
    usage: 'prune FILE|-',
    summary: 'cut a text as the answers of tools are cut',
    examples: ['bae prune README.md --cap 200', 'git log | bae prune -'],
    load: async () => (await import('./prune.ts')).runPrune,
  },
  spaces: {
    usage: 'spaces',
    summary: 'show which spaces there are, and their tools',
    examples: ['bae spaces', 'bae spaces --json'],
    load: async () => (await import('./spaces.ts')).runSpaces,
  },
  inspect: {
    usage: 'inspect [SPACE]',
    summary: 'show exactly what the model sees on entering a space, and what that costs',
    examples: ['bae inspect', 'bae inspect home --json'],
    load: async () => (await import('./inspect.ts')).runInspect,
  },
  doctor: {
    usage: 'doctor',
    summary: 'check that everything bae needs is there',
    examples: ['bae doctor'],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
};
