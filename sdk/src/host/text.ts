// The functions of `@linker/sdk/host` that only handle text. Loading them alone is several times
// faster.
export { escapeUnprintable } from '../printable.ts'
export { withoutByteOrderMark } from './byte-order-mark.ts'
export { everyPattern } from './every-pattern.ts'
