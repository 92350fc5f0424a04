// The part of `@linker/sdk/host` that needs no other module. Loading it alone is several times
// faster.
export { escapeUnprintable } from '../printable.ts'
export { connectionIdMember, connectionNameMember } from './authorisation-members.ts'
export { withoutByteOrderMark } from './byte-order-mark.ts'
export { everyPattern } from './every-pattern.ts'
