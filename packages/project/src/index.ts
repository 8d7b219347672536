// Public API: what a project says about itself, and programs that run in it and end with bae.
export {
  findInstalled,
  findPackageFolder,
  findPackages,
  listUnlinked,
  listMissingPackages,
  matchesSegments,
  type ProjectPackage,
  readFields,
  usesPlugAndPlay,
} from './find-packages.ts';
export { findManagerOf, findPackageManager, listManagerPrograms, type PackageManager } from './package-manager.ts';
export {
  LONGEST_OUTPUT,
  type OpenedProgram,
  openProgram,
  type Program,
  type ProgramResult,
  runProgram,
  RunningProgram,
  startProgram,
  toReadableOutput,
} from './running-program.ts';
export {
  findIsolation,
  findProgram,
  findShell,
  prepareProgram,
  prepareShell,
  type ProgramPlace,
} from './find-program.ts';
export { type FoundProgram, type Isolation, type Launch, type Platform, type Shell } from './platform/platform.ts';
export { getPlatform } from './platform/this-platform.ts';
export { createWindows } from './platform/windows.ts';
export {
  adviseCommand,
  type CommandAccess,
  type CommandAdvice,
  COMMANDS,
  describeClosedCommands,
  provideCommandAccess,
} from './command-access.ts';
export { isSecretName, maskUrlPasswords } from './environment.ts';
export { findScriptNode, type ScriptNode } from './script-node.ts';
export { explainNodeVersion, type FailedRun } from './wanted-node.ts';
export { choosePython, findEnvironmentRunner, findPytest, type PythonTests } from './python-tests.ts';
export {
  CommandLimits,
  findLimits,
  getCommandLimits,
  limitCommands,
  explainLimits,
  type LimitOptions,
  type LimitSupport,
  type LimitedRun,
} from './limits/command-limits.ts';
export type { Entrance, ProgramLimits } from './supervise.ts';
