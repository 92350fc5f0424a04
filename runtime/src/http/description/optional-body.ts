import { isNode, type Node } from './schema-walk.ts'

/** The member of an operation, while the description is made: whether its body may be left out. */
export const optionalBodyMember = 'x-linker-optional-body'

/** Says that a request needs no body where the hub takes one without. */
export function withOptionalBody ({ [optionalBodyMember]: isOptional, ...operation }: Node): Node {
  const { requestBody } = operation
  if (isOptional !== true || !isNode(requestBody)) return operation
  return { ...operation, requestBody: { ...requestBody, required: false } }
}
