import { ResourceError } from '../errors/call-errors.ts';
import { withAdvanced } from '../feedback/render-advanced.ts';
import { entryFingerprint, renderEntry } from '../feedback/render-entry.ts';
import { renderScope } from '../feedback/render-declarations.ts';
import { renderGroup } from '../feedback/render-group.ts';
import { renderOrientation } from '../feedback/render-orientation.ts';
import { renderPlace } from '../feedback/render-place.ts';
import { renderTools } from '../feedback/render-tools.ts';
import { renderWithin } from '../feedback/render-within.ts';
import { nearestName } from '../nearest-name/nearest-name.ts';
import { type SpacePath, breadcrumb, dotted, parsePath } from '../protocol/space-path.ts';
import type { ToolContext } from '../protocol/tool-definition.ts';
import { navTree } from '../registry/nav-tree.ts';
import type { Navigation } from '../registry/navigation.ts';
import type { Registry } from '../registry/registry.ts';
import { helpText, inToolOrder } from '../tool-spec/tool-table.ts';
import { throwIfAborted, untilAborted } from '../tool-router/abort.ts';

/** What a session's places are shown from. */
export interface PlacesParts {
  readonly registry: Registry;
  readonly navigation: Navigation;
  /** Units that one display may have. */
  readonly cap: number;
  /** False when nobody executes run blocks. */
  readonly runBlocks: boolean;
}

/** Moves one session and shows it where it is. */
export class Places {
  /** Fingerprints of the spaces that were shown whole, by dotted path. */
  private readonly seen = new Map<string, string>();
  /** Those that code was given, of which the model may have seen nothing. */
  private readonly given = new Map<string, string>();
  private orientationSent: string | undefined;

  constructor(private readonly parts: PlacesParts) {}

  /**
   * Goes somewhere (`source.meta`, `home`, `back`, `up`) or shows the map (`nav`) or the tools (`help`).
   *
   * @returns what is shown on arrival
   * @throws ResourceError when there is no such place; nothing has changed then. AbortError when the signal
   *   aborts before the place has said what is the case there; the session stands there all the same
   */
  async go(target: string, { signal, fromCode }: Pick<ToolContext, 'signal' | 'fromCode'>): Promise<string> {
    const { registry, navigation, cap, runBlocks } = this.parts;
    if (target === 'nav') return navTree(registry, navigation.location);
    if (target === 'help') return this.help(dotted(navigation.location), '');
    const move = navigation.go(target);
    const seen = fromCode ? this.given : this.seen;
    const shown = await renderEntry({ tree: registry, move, cap, seen, runBlocks });
    const isShownHome = move.to.length === 0 && !fromCode;
    const orientation = isShownHome ? await this.orientation() : this.orientationSent;
    // What comes too late is shown to nobody, so it must not count as seen.
    throwIfAborted(signal);
    this.orientationSent = orientation;
    if (isShownHome) return move.moved ? this.withCodeOnce(shown) : shown;
    const space = registry.at(move.to);
    if (space !== undefined) seen.set(dotted(move.to), entryFingerprint(space, registry.below(move.to)));
    return shown;
  }

  /** A place as a model sees it on its first entry. */
  async describe(path: SpacePath): Promise<string> {
    const { registry, cap, runBlocks } = this.parts;
    const shown = await renderPlace({ tree: registry, at: path, cap, runBlocks });
    return path.length === 0 ? this.withCode(shown) : shown;
  }

  /** The spaces there are, or those of one group. */
  async listing(group: string | undefined): Promise<string> {
    const { registry } = this.parts;
    return group === undefined ? this.orientation() : renderGroup(registry, group);
  }

  /**
   * The tools of a space, or everything about one of them.
   *
   * @throws ResourceError when the space has no such tool
   */
  help(space: string, tool: string): string {
    const { registry, runBlocks, cap } = this.parts;
    const at = parsePath(space);
    const place = registry.at(at);
    if (place === undefined) throw new ResourceError(`${space} is not there any more.`, ['nav()']);
    const name = tool.trim();
    if (name === '') return renderTools(place);
    const definition = Object.hasOwn(place.tools, name) ? place.tools[name] : undefined;
    if (definition !== undefined) return helpText(definition.spec);
    if (name === 'run' && runBlocks) return renderScope(registry, at, cap);
    const names = inToolOrder(Object.keys(place.tools));
    const nearest = nearestName(name, names);
    const remedy = nearest === undefined ? `Tools: ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
    throw new ResourceError(`no tool '${name}' in ${space}. ${remedy}`, [`<help:${nearest ?? ''}>`]);
  }

  /**
   * What a message to the model begins with: the location, and all of home when there is news of it.
   *
   * @throws AbortError when the signal aborts before the spaces have said how they are
   */
  async locationForModel(signal: AbortSignal): Promise<string> {
    const { location } = this.parts.navigation;
    const line = `[Location: ${breadcrumb(location)}]`;
    if (location.length > 0) return line;
    const orientation = await untilAborted(this.orientation(), signal);
    if (orientation === this.orientationSent) return line;
    this.orientationSent = orientation;
    return `${line}\n${this.withCodeOnce(orientation)}\n`;
  }

  private orientation(): Promise<string> {
    const { registry, cap } = this.parts;
    return renderOrientation({ tree: registry, cap });
  }

  /** Home with how code calls its tools; without, where this session was told already. */
  private withCodeOnce(shown: string): string {
    const { home } = this.parts.registry;
    const told = entryFingerprint(home, []);
    if (this.seen.get(dotted([])) === told) return shown;
    this.seen.set(dotted([]), told);
    return this.withCode(shown);
  }

  private withCode(shown: string): string {
    const { registry, cap, runBlocks } = this.parts;
    return runBlocks ? renderWithin(withAdvanced(shown, { at: [], space: registry.home }), cap) : shown;
  }
}
