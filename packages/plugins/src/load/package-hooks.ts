import type { Hook } from '@bae/core';
import { isDeepStrictEqual } from 'node:util';
import { HOOK_PARTS, type HookManifest } from '../manifest/plugin-manifest.ts';
import { runHidden } from '../options/hide-secrets.ts';
import { PluginError, summarizeError } from '../plugin-error.ts';
import { importPlugin, type PluginModule } from './import-plugin.ts';
import { fillOptions, parseOptions, type CodeOptions } from './lazy-space.ts';

type Made = Pick<CodeOptions, 'options' | 'provide'>;

/** Makes the hooks of a package for one session. @throws PluginError when one is not a hook */
export function makeHooks(name: string, module: PluginModule, { options, provide }: Made): readonly Hook[] {
  const given = parseOptions(name, module, options);
  const hooks = runMaker(name, () => module.hooks(given, provide));
  for (const [index, hook] of hooks.entries()) {
    const { name: own } = Object(hook) as Partial<Hook>;
    if (typeof own !== 'string' || own.trim() === '')
      throw new PluginError(`${name}: hooks[${index}].name: expected a name like 'audit'.`);
    if (listHookParts(hook).length === 0)
      throw new PluginError(
        `${name}: hooks[${index}] (${own}): expected one of the functions ${HOOK_PARTS.join(', ')}.`,
      );
  }
  return hooks;
}

function runMaker(name: string, make: () => readonly Hook[]): readonly Hook[] {
  try {
    return make();
  } catch (error) {
    throw new PluginError(`${name}: its hooks cannot be made: ${summarizeError(error)}.`, [], error);
  }
}

/** Describes the current hooks. */
export function describeHooks(hooks: readonly Hook[]): readonly HookManifest[] {
  return hooks.map((hook) => ({
    name: hook.name,
    parts: listHookParts(hook),
    ...(hook.timeoutMs !== undefined && { timeoutMs: hook.timeoutMs }),
  }));
}

function listHookParts(hook: Hook): HookManifest['parts'] {
  return HOOK_PARTS.filter((part) => typeof hook[part] === 'function');
}

/**
 * Creates the hooks of a package from its manifest; its code is loaded when one is first needed. A hook whose code may
 * not run, or differs from its description, fails, so that the call is refused.
 */
export function makeLazyHooks(options: CodeOptions): readonly Hook[] {
  const { plugin, provide, permit } = options;
  const declared = plugin.manifest.hooks ?? [];
  let loading: Promise<{ readonly hooks: readonly Hook[]; readonly secrets: readonly string[] }> | undefined;
  const load = () => {
    loading ??= (async () => {
      const { options: filled, secrets } = fillOptions(options);
      const module = await importPlugin(plugin, { trusted: permit() });
      const hooks = makeHooks(plugin.name, module, { options: filled, provide });
      if (isDeepStrictEqual(describeHooks(hooks), declared)) return { hooks, secrets };
      const problem = `the manifest of ${plugin.name} does not match its code: it has other hooks.`;
      throw new PluginError(`${problem} Its author updates the manifest.`, [`bae manifest ${plugin.folder}`]);
    })();
    // After a failure the next call tries again.
    loading.catch(() => (loading = undefined));
    return loading;
  };
  return declared.map(({ name, parts, timeoutMs }, index) => {
    const run = async (part: (typeof parts)[number], args: readonly unknown[]): Promise<unknown> => {
      const { hooks, secrets } = await load();
      const work = hooks[index]![part] as (...args: unknown[]) => unknown;
      return runHidden(async () => work.apply(hooks[index], [...args]), secrets);
    };
    const functions = parts.map((part) => {
      const call = (...args: readonly unknown[]) => run(part, args);
      return [part, part === 'onEvent' ? listenInOrder(call) : call] as const;
    });
    return {
      name: `${plugin.name}: ${name}`,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(Object.fromEntries(functions) as Partial<Hook>),
    };
  });
}

/** Creates a listener that handles events one after another, and no more events after it has failed. */
function listenInOrder(call: (event: unknown) => Promise<unknown>): (event: unknown) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (event) => {
    last = last.then(() => call(event));
    last.catch(() => undefined);
  };
}
