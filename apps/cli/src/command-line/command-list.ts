import type { CommandEntry } from './command.ts';

/** Every command by name, in the order help shows them. `shell` is bae without a command. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  shell: {
    usage: '',
    summary: 'open the shell in this folder: tags, navigation, questions',
    examples: ['bae', 'bae --model ollama/NAME', "printf '<R:package.json>\\n@nav()\\n' | bae"],
    load: async () => (await import('../commands/shell.ts')).runShell,
  },
  ask: {
    usage: 'ask "prompt"',
    summary: 'ask the model one thing; the answer is printed on standard output',
    examples: [
      'bae ask "Where is the port set?"',
      'bae ask --max 5 --yes "Fix the typo in README.md"',
      'git diff | bae ask -',
    ],
    load: async () => (await import('../commands/ask.ts')).runAsk,
  },
  do: {
    usage: 'do [TAG…]',
    summary: 'run tags or code, given or of standard input, and print what a model would see; no model needed',
    examples: [
      "bae do '<R:package.json>' '<G:src/**>'",
      "echo '<R:package.json>' | bae do",
      'echo \'<run>(await read("README.md")).length</run>\' | bae do',
      `echo '{"text": "<G:src/*.ts>"}' | bae do --json`,
    ],
    load: async () => (await import('../commands/do.ts')).runDo,
  },
  tasks: {
    usage: 'tasks [WHAT]',
    summary: 'list, change and finish the tasks that you share with agents in this folder',
    subcommands: {
      list: '[FILTER…] [from=N]',
      show: 'ID',
      add: 'TITLE [field=value…]',
      edit: 'ID field=value…',
      done: 'ID [field=value…]',
      grep: 'WORDS [from=N]',
      history: 'ID [from=N]',
    },
    examples: [
      'bae tasks',
      'bae tasks list status:blocked tag:auth',
      'bae tasks add "Fix login" tags=auth gated=true',
      'bae tasks edit 7 status=in_progress tags=+ui,-auth after=3',
      'bae tasks edit 7 body=- < notes.md',
      'bae tasks done 7',
      'bae tasks grep login --json',
    ],
    load: async () => (await import('../commands/tasks.ts')).runTasks,
  },
  undo: {
    usage: 'undo [N]',
    summary: 'undo the last change to files that bae made, or the last N, also after a crash',
    examples: ['bae undo', 'bae undo 3 --yes', 'bae undo --list', 'bae undo --session 1f2e3d4c'],
    load: async () => (await import('../commands/undo.ts')).runUndo,
  },
  sessions: {
    usage: 'sessions',
    summary: 'list the sessions of this folder, newest first; bae ask --resume continues one',
    examples: ['bae sessions', 'bae sessions --json', 'bae ask --resume 019aa "And now?"'],
    load: async () => (await import('../commands/sessions.ts')).runSessions,
  },
  parse: {
    usage: 'parse FILE|-',
    summary: 'show what bae would execute in a text, without executing it',
    examples: ['bae parse answer.md', "echo '<R:a.ts>' | bae parse - --json"],
    load: async () => (await import('../commands/read-text.ts')).runParse,
  },
  prune: {
    usage: 'prune FILE|-',
    summary: 'cut a text as results of tools are cut',
    examples: ['bae prune README.md --cap 200', 'git log | bae prune -'],
    load: async () => (await import('../commands/read-text.ts')).runPrune,
  },
  spaces: {
    usage: 'spaces',
    summary: 'show which spaces there are, and their tools',
    examples: ['bae spaces', 'bae spaces --json'],
    load: async () => (await import('../commands/spaces.ts')).runSpaces,
  },
  inspect: {
    usage: 'inspect [SPACE]',
    summary: 'show exactly what the model sees on entering a space, and what that costs',
    examples: ['bae inspect', 'bae inspect home --json'],
    load: async () => (await import('../commands/spaces.ts')).runInspect,
  },
  trust: {
    usage: 'trust [WHAT]',
    summary: 'look at settings in code and packages of spaces that are new here, and let them run',
    examples: ['bae trust', 'bae trust bae-resourcespace-tickets', 'bae trust bae.config.ts --yes', 'bae trust --list'],
    load: async () => (await import('../commands/trust.ts')).runTrust,
  },
  untrust: {
    usage: 'untrust [WHAT]',
    summary: 'stop trusting them: all of this folder, or a file, folder or package',
    examples: ['bae untrust', 'bae untrust bae-resourcespace-tickets'],
    load: async () => (await import('../commands/trust.ts')).runUntrust,
  },
  create: {
    usage: 'create WHAT NAME',
    summary: 'make a package with a space of your own, or an agent: tested, and ready to be changed',
    subcommands: { space: 'NAME', agent: 'NAME' },
    examples: [
      'bae create space weather',
      'bae create space weather --javascript',
      'bae create agent reviewer --dir tools/reviewer',
    ],
    load: async () => (await import('../commands/create.ts')).runCreate,
  },
  dev: {
    usage: 'dev [PACKAGE]',
    summary: 'open a shell inside a space that you are working on, reloaded when its code changes; this runs the code',
    examples: ['bae dev ./my-space', "printf '<R:>\\n' | bae dev ./my-space"],
    load: async () => (await import('../commands/dev.ts')).runDev,
  },
  manifest: {
    usage: 'manifest [PACKAGE]',
    summary: 'write down which spaces and tools a package has, for its author; this runs the code of the package',
    examples: ['bae manifest', 'bae manifest ./my-space --json'],
    load: async () => (await import('../commands/manifest.ts')).runManifest,
  },
  conformance: {
    usage: 'conformance PACKAGE',
    summary: 'check the spaces of a package, and show what is missing; this runs the code of the package',
    examples: ['bae conformance ./my-space', 'bae conformance bae-resourcespace-weather --json'],
    load: async () => (await import('../commands/conformance.ts')).runConformance,
  },
  doctor: {
    usage: 'doctor',
    summary: 'check that everything bae needs is there',
    examples: ['bae doctor'],
    load: async () => (await import('../commands/doctor.ts')).runDoctor,
  },
};
