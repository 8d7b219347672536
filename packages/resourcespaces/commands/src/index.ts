// Public API: the scripts of a project, commands on this machine, and git.
export { ScriptsSpace } from './scripts/scripts-space.ts';
export { TerminalSpace } from './commands-space.ts';
export { GitSpace } from './git/git-space.ts';
