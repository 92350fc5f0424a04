import { isNode, mapMembers, type Node } from './schema-walk.ts'

/** Examples for the description, which the hub loads when somebody first reads it. */
export interface Examples {
  /** Bodies of requests, by the `operationId`. */
  bodies: Readonly<Record<string, unknown>>
  /** Answers, by the `$id` of their schema. One without a named schema: by the `operationId`. */
  answers: Readonly<Record<string, unknown>>
}

export function joinExamples (all: readonly Examples[]): Examples {
  return {
    bodies: Object.assign({}, ...all.map(({ bodies }) => bodies)) as Examples['bodies'],
    answers: Object.assign({}, ...all.map(({ answers }) => answers)) as Examples['answers']
  }
}

export function withSchemaExamples (schemas: Node, { answers }: Examples): Node {
  return mapMembers(
    schemas,
    (schema, name) => isNode(schema) && Object.hasOwn(answers, name) ? { ...schema, examples: [answers[name]] } : schema
  )
}

/** Adds the example of the body, and that of an answer whose schema has no name. */
export function withExamples (operation: Node, { bodies, answers }: Examples): Node {
  const { operationId, requestBody, responses } = operation
  if (typeof operationId !== 'string') return operation
  const withExample = (part: unknown, example: unknown): unknown =>
    isNode(part) && isNode(part.content)
      ? { ...part, content: mapMembers(part.content, media => isNode(media) ? { ...media, example } : media) }
      : part
  const ofAnswer = (answer: unknown, status: string): unknown =>
    status.startsWith('2') && !isNamed(answer) ? withExample(answer, answers[operationId]) : answer
  return {
    ...operation,
    ...(Object.hasOwn(bodies, operationId) ? { requestBody: withExample(requestBody, bodies[operationId]) } : {}),
    ...(Object.hasOwn(answers, operationId) && isNode(responses)
      ? { responses: mapMembers(responses, ofAnswer) }
      : {})
  }
}

/** Whether an answer is a value of a named schema, or a list of them: the example is there. */
export function isNamed (answer: unknown): boolean {
  if (!isNode(answer) || !isNode(answer.content)) return false
  return Object.values(answer.content).every(media => {
    const schema = isNode(media) ? media.schema : undefined
    return isNode(schema) && ('$ref' in schema || (isNode(schema.items) && '$ref' in schema.items))
  })
}
