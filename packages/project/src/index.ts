// Public API: what a project says about itself, and programs that run in it and end with bae.
export { findPackageFolder, findPackages, matchesSegments, type ProjectPackage, readFields } from './find-packages.ts';
export { findPackageManager, listManagerPrograms, type PackageManager } from './package-manager.ts';
export { runProgram } from './run-program.ts';
export { type Program, type ProgramResult, openProgram, RunningProgram, startProgram } from './running-program.ts';
export { LONGEST_OUTPUT, toReadableOutput } from './program-output.ts';
export { findProgram, type FoundProgram } from './find-program.ts';
export { findIsolation, type Isolation } from './isolation.ts';
export {
  adviseCommand,
  type CommandAccess,
  type CommandAdvice,
  COMMANDS,
  describeClosedCommands,
  provideCommandAccess,
} from './command-access.ts';
export { choosePython, findEnvironmentRunner, findPytest, type PythonTests } from './python-tests.ts';
