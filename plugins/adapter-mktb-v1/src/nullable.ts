import { Type } from '@sinclair/typebox'

/** A member that may be absent or null. */
export const Nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
