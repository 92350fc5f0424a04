/**
 * Flags of Node for processes with embedded databases: V8 shall not optimise their WebAssembly. A
 * test ends before it gains the processor time that this takes, up to two seconds for a hub.
 */
export const lightCompiler = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
