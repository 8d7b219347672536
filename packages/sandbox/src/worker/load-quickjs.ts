import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

/** Memory of an engine, as far as it matters here. */
export interface EngineMemory {
  readonly buffer: ArrayBuffer;
}

declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => EngineMemory;
};

const PAGE = 64 * 1024;
/** Bytes that the engine begins with. */
const INITIAL_BYTES = 16 * 1024 * 1024;

/** An engine, and all the memory that it will ever have. */
export interface LoadedQuickJs {
  readonly memory: EngineMemory;
  readonly quickJs: QuickJSWASMModule;
}

/**
 * Loads the engine over a memory of its own.
 *
 * The engine's own limit holds for single allocations only; the maximum of its memory holds for everything.
 */
export async function loadQuickJs(maximumBytes: number): Promise<LoadedQuickJs> {
  const memory = new WebAssembly.Memory({ initial: INITIAL_BYTES / PAGE, maximum: Math.ceil(maximumBytes / PAGE) });
  const quickJs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant as unknown as QuickJSSyncVariant, { wasmMemory: memory }),
  );
  return { memory, quickJs };
}
