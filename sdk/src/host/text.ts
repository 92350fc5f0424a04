// The part of `@linker/sdk/host` that needs no other module. Loading it alone is several times
// faster.
export { contractVersion } from '../adapter.ts'
export { platformTypePattern, reservedPlatformTypes } from '../platform-type.ts'
export { escapeUnprintable, printablePattern } from '../printable.ts'
export { connectionIdMember, connectionNameMember } from './authorisation-members.ts'
export { withoutByteOrderMark } from './byte-order-mark.ts'
export { everyPattern } from './every-pattern.ts'
export { eventIdPattern } from './webhook-events/event-id.ts'
export { allowsScope, tokenScopes } from './scopes.ts'
export type { TokenScope } from './scopes.ts'
export { digitKeeper } from '../parse-json.ts'
export { isStorableText } from './storable-text.ts'
