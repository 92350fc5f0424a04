// The functions of `@linker/sdk/host` that try the import of an adapter. Loading them alone is
// several times faster.
export { encodeError } from './errors.ts'
export { watchGlobals } from './globals.ts'
export { importAdapter } from './import-adapter.ts'
