import { join } from 'node:path';
import {
  createAgent,
  type Agent,
  type AgentOptions,
  type Approver,
  type CodeRunner,
  type Message,
  type Model,
  type SpaceSource,
} from '@bae/core';
import { TerminalSpace } from '@bae/commands';
import { FilesystemSpace } from '@bae/filesystem';
import { provideMemory, type MemoryOptions } from '@bae/memory';
import { describeClosedCommands, limitCommands, provideCommandAccess } from '@bae/project';
import { provideSearch } from '@bae/search';
import { provideSkills, SkillsSpace } from '@bae/skills';
import { provideSource, type SourceLanguage } from '@bae/source';
import { provideTasks, type TasksOptions } from '@bae/tasks';
import { provideWorkspace, type WorkspaceOptions } from '@bae/workspace';
import { BUILT_IN, COMMAND_WORDS, HOME, isOfUse, SKILLS, TERMINAL } from './built-in-spaces.ts';
import type { CommandContext } from './command-line/command.ts';
import { readCommands } from './config/bae-config.ts';
import { type Instructions, NO_INSTRUCTIONS } from './config/instructions.ts';
import { findSkills } from './config/prompts.ts';
import { locateTasks, type Settings } from './config/settings.ts';
import { createApprover, type AskPerson } from './consent/approver.ts';
import { UserRules } from './consent/user-rules.ts';
import { createLiveSpaces } from './dev/live-spaces.ts';
import { locateDatabase, openKeptStore, type SessionParts } from './kept-session.ts';
import { getFolderKey, getUserKey, locateServerData, locateUserFolder } from './user-key.ts';
import { observeModel, watchMessages } from './views/create-view.ts';
import { createIndexProgress, createWaiting } from './views/waiting.ts';

/**
 * Registered by file extension, so that startup does not load the package. Without the package, files have no symbols.
 */
const PYTHON: SourceLanguage = {
  names: ['Python'],
  endings: ['py'],
  index: '__init__',
  load: async () => (await import('@bae/source-python')).python.load(),
};

/** Parts of an agent that are not in the settings. */
export interface AgentParts {
  readonly model?: Model | undefined;
  readonly ask?: AskPerson | undefined;
  /** Asks the person questions on behalf of tools. */
  readonly askPerson?: AgentOptions['askPerson'] | undefined;
  /** Wraps the approver that represents settings and person. */
  readonly wrapApprover?: (inner: Approver) => Approver;
  /** Receives each message exactly as it is sent to the model. Default: shown with --verbose. */
  readonly observe?: (message: Message) => void;
  /** Reads the unsaved text of a file from an editor. */
  readonly readUnsaved?: WorkspaceOptions['readUnsaved'];
  /** Instructions for the model. Default: none. */
  readonly instructions?: Instructions;
  /** Storage of the session, and the session that it resumes. */
  readonly kept?: SessionParts;
  /** How a person opens commands, as a clause. */
  readonly openCommands?: string;
  /** Names of the available spaces, including home. Default: all. */
  readonly only?: readonly string[];
  /** Storage of earlier sessions. Default: those of the user in the folder. */
  readonly memory?: Omit<MemoryOptions, 'getKey' | 'getFormerKey'>;
  /** Storage of tasks. Default: in the folder. */
  readonly tasks?: TasksOptions;
}

/** Creates the agent of this app with its spaces and their resources. The status line shows what it is waiting for. */
export function composeAgent(
  settings: Settings,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
  {
    model,
    ask,
    askPerson,
    kept: { lastSession = '', ...kept } = {},
    instructions = NO_INSTRUCTIONS,
    observe,
    readUnsaved,
    wrapApprover = (inner) => inner,
    openCommands = 'the user can start bae with --allow-commands',
    only,
    tasks = { file: locateTasks(settings.root), caller: 'agent' },
    memory,
  }: AgentParts = {},
): Agent {
  const { root, spaces, servers, disabled = [] } = settings;
  const { terminal: isOpen = false, ...limits } = readCommands(settings.commands);
  const hasTerminal = (isOpen || options.allowCommands) && !disabled.includes(TERMINAL);
  const isServed = memory !== undefined;
  const access = { isOpen: hasTerminal, remedy: openCommands };
  Object.assign(terminal.links, { cwd: root, scheme: settings.editor ?? 'vscode' });
  const live = createLiveSpaces(root);
  const skills = findSkills(settings, terminal.env);
  const workspace = provideWorkspace(root, {
    journal: 'disk',
    journalKey: () => getFolderKey(terminal.env, root),
    ownFiles: listOwnFiles(settings, { options, terminal }),
    readUnsaved,
  });
  const provide = [
    limitCommands(workspace, limits),
    provideTasks(tasks),
    provideCommandAccess(access),
    provideSearch(
      () => agent.tree,
      hasTerminal ? [] : [{ words: COMMAND_WORDS, text: describeClosedCommands(access) }],
    ),
    provideSkills(skills.folders),
    provideMemory({
      ...(memory ?? { openStore: () => openKeptStore(root, { options, terminal }) }),
      // A server has users of its own: what one wrote in a repository is not proven to the others.
      getKey: () => (isServed ? getFolderKey(terminal.env, root) : getUserKey(terminal.env)),
      getFormerKey: () => getFolderKey(terminal.env, root),
      getTree: () => agent.tree,
    }),
    provideSource({
      meta: live,
      onProgress: options.json ? undefined : createIndexProgress(terminal.status),
      languages: [PYTHON],
    }),
  ];
  const agent: Agent = createAgent({
    ...(!disabled.includes(HOME) && only?.includes(HOME) !== false && { home: FilesystemSpace }),
    only,
    spaces: [
      ...(spaces?.(provide, live) ?? chooseBuiltIn(root)),
      ...(skills.ofProject.length + skills.folders.length > 0 && !disabled.includes(SKILLS) ? [SkillsSpace] : []),
      ...(hasTerminal ? [TerminalSpace] : []),
      ...servers,
    ],
    provide,
    approver: wrapApprover(
      createApprover({ ...settings, root, userRules: new UserRules(terminal.env, root).read(), yes: options.yes, ask }),
    ),
    askPerson,
    codeRunner: createLazySandbox(),
    ...kept,
    context: [instructions.text, lastSession].filter((text) => text !== '').join('\n\n'),
    model:
      model && (observe === undefined ? observeModel(model, { options, terminal }) : watchMessages(model, observe)),
    ...listLimits(settings),
    // The user's hooks come last, so that they have the final say.
    hooks: [
      ...instructions.createHooks(kept.resume),
      ...(settings.packageHooks?.(provide) ?? []),
      ...(settings.hooks ?? []),
    ],
  });
  terminal.links.isPlace = (path) => agent.tree.at(path.split('.')) !== undefined;
  if (!options.json) agent.subscribe(createWaiting(terminal.status));
  const close = agent.close.bind(agent);
  return Object.assign(agent, {
    async close() {
      try {
        await close();
      } finally {
        workspace[Symbol.dispose]();
      }
    },
  });
}

function chooseBuiltIn(root: string): readonly SpaceSource[] {
  return Object.entries(BUILT_IN).flatMap(([name, space]) => (isOfUse(name, root) ? [space] : []));
}

/** Converts the limits in the settings to agent options. */
export function listLimits(settings: Settings): Partial<AgentOptions> {
  const { cap, maxBatches, maxTokens, maxCost, maxMinutes, prices, firstTokenSeconds } = settings;
  const firstTokenMs = firstTokenSeconds && Math.round(firstTokenSeconds * 1000);
  return { cap, maxBatches, maxTokens, maxCost, maxMinutes, prices, firstTokenMs };
}

/** Lists the locations of data and settings of this program, which no tool may write in the folder of an agent. */
export function listOwnFiles(
  { root, configFile, ownCode = [] }: Pick<Settings, 'root' | 'configFile' | 'ownCode'>,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): WorkspaceOptions['ownFiles'] {
  const database = locateDatabase(root, { options, terminal });
  const own = locateUserFolder(terminal.env);
  const files = ['trust.json', 'session.key'].map((name) => join(own, name));
  const databases = ['', '-wal', '-shm', '-journal'].map((suffix) => `${database}${suffix}`);
  return {
    data: [own, ...files, ...databases, locateServerData({ options, terminal })],
    settings: [...(configFile === undefined ? [] : [configFile]), ...ownCode],
  };
}

/** Creates a runner for code in the sandbox, which is loaded with the first run block. */
export function createLazySandbox(): CodeRunner {
  let sandbox: Promise<CodeRunner> | undefined;
  const load = (): Promise<CodeRunner> => (sandbox ??= import('@bae/sandbox').then(({ Sandbox }) => new Sandbox()));
  return {
    run: async (code, options) => (await load()).run(code, options),
    forget: async (session) => (await sandbox)?.forget?.(session),
  };
}
