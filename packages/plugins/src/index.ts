// Public API for apps that find, describe, trust and mount packages of resourcespaces.
export {
  discoverPackages,
  findPlugin,
  packageName,
  readPlugin,
  type FoundPlugin,
  type InstalledPackage,
  type Plugin,
} from './package/read-plugin.ts';
export { hideSecrets, runHidden, type SecretList } from './options/hide-secrets.ts';
export { writeManifest, type WrittenManifest } from './manifest/write-manifest.ts';
export type { PluginManifest, SpaceManifest, ToolManifest } from './manifest/plugin-manifest.ts';
export { FreshModules } from './load/fresh-modules.ts';
export { importPlugin, pluginModule, type PluginModule } from './load/import-plugin.ts';
export {
  resolveMounts,
  type Mount,
  type MountRequest,
  type PluginProcess,
  type ResolvedMounts,
  type SpaceEntry,
  type SpaceMount,
  type Trust,
} from './load/resolve-mounts.ts';
export { makeHooks } from './load/package-hooks.ts';
export { placeHooks, placeMounts, type PluginPlace } from './load/place-mounts.ts';
export { TrustStore, type KnownLoads, type TrustEntry, type TrustState } from './trust/trust-store.ts';
export {
  codeDigest,
  configurationSubject,
  digestOfCode,
  folderDigest,
  hashCode,
  listReachedFiles,
  pluginSubject,
  type TrustSubject,
} from './trust/trust-subject.ts';
export { importTrusted, UntrustedFileError } from './trust/trusted-modules.ts';
export { findRealPath } from './disk.ts';
export { PluginError } from './plugin-error.ts';
