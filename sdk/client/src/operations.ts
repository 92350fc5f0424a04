import type { components, paths } from './schema.ts'

/** The operations of the hub, by path and method. The adapters of a hub bring more. */
export type HubPaths = paths

/** The named schemas of the hub, such as `Schemas['Job']`. */
export type Schemas = components['schemas']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** An operation whose description is unknown, such as one of an adapter. */
export interface AnyOperation {
  parameters: {
    path?: Record<string, string>,
    query?: Record<string, string | number | boolean | undefined>,
    header?: { 'idempotency-key'?: string, 'if-match'?: string }
  }
  requestBody?: { content: { 'application/json': unknown } }
  responses: { 200: { content: { 'application/json': unknown } } }
}

/** The paths that have an operation of the method. */
export type PathOf<Paths, M extends Method> = keyof {
  [P in keyof Paths & string as Paths[P] extends { [Name in M]: { responses: object } } ? P : never]: unknown
}

/**
 * The type of a path that is given as `P`: `P` when it has an operation of the method, otherwise
 * the paths that begin most like it. The compiler then names them.
 */
export type KnownPath<Paths, M extends Method, P extends string> = P extends PathOf<Paths, M> ? P
  : Nearest<PathOf<Paths, M>, P>

/** Like `KnownPath`, of the lists that are answered in pages. */
export type KnownListPath<Paths, P extends string> = P extends ListPath<Paths> ? P : Nearest<ListPath<Paths>, P>

/** Those of `All` that have the longest beginning in common with the text. */
type Nearest<All extends string, Text extends string, Beginning extends string = ''> = Text extends
  `${infer Character}${infer Rest}`
  ? [Extract<All, `${Beginning}${Character}${string}`>] extends [never] ? Extract<All, `${Beginning}${string}`>
  : Nearest<All, Rest, `${Beginning}${Character}`>
  : Extract<All, `${Beginning}${string}`>

type OperationOf<Paths, M extends Method, P extends keyof Paths> = M extends keyof Paths[P] ? Paths[P][M] : never

/** A group of parameters, `never` when the operation has none. */
type Parameters<Operation, Name extends string> = Operation extends { parameters: infer Groups }
  ? Name extends keyof Groups ? NonNullable<Groups[Name]> : never
  : never

type Content<Part> = Part extends { content: infer Types } ? Types[keyof Types] : undefined

type Body<Operation> = Operation extends { requestBody: infer Part } ? { body: Content<Part> }
  : Operation extends { requestBody?: infer Part } ? { body?: Content<NonNullable<Part>> }
  : { body?: never }

type Nothing = Record<never, never>

/** A member of a request. It is optional when all that it holds is. */
type Member<Name extends string, Value> = [Value] extends [never] ? { [N in Name]?: never }
  : Nothing extends Value ? { [N in Name]?: Value }
  : { [N in Name]: Value }

/** Whether the operation has the parameter: `keyof never` would be any name. */
type Has<Operation, Group extends string, Name> = [Parameters<Operation, Group>] extends [never] ? false
  : Name extends keyof Parameters<Operation, Group> ? true
  : false

type HeaderMember<Operation, Header, Name extends string> = {
  [N in Name]?: Has<Operation, 'header', Header> extends true ? string | undefined : never
}

/** What a call of the operation sends. */
export type Request<Paths, M extends Method, P extends keyof Paths> = RequestOf<OperationOf<Paths, M, P>>

type RequestOf<Operation> =
  & Member<'path', Parameters<Operation, 'path'>>
  & Member<'query', Parameters<Operation, 'query'>>
  & Body<Operation>
  & HeaderMember<Operation, 'idempotency-key', 'idempotencyKey'>
  & HeaderMember<Operation, 'if-match', 'ifMatch'>
  & { headers?: Readonly<Record<string, string>>, signal?: AbortSignal }

/** The request as the last argument, which a caller may leave out when every member is optional. */
export type Arguments<R> = Nothing extends R ? [request?: R] : [request: R]

/** Anything fits an unknown path: the compiler names a missing argument before a wrong one. */
export type CallArguments<Paths, M extends Method, P extends string> = P extends PathOf<Paths, M>
  ? Arguments<Request<Paths, M, P>>
  : [request?: unknown]

type Success = 200 | 201 | 202 | 204

/** An answer of the operation. Its `status` tells apart what its `data` may be. */
export type Answer<Paths, M extends Method, P extends keyof Paths> = AnswerOf<OperationOf<Paths, M, P>>

type AnswerOf<Operation> = Operation extends { responses: infer Answers }
  ? { [S in keyof Answers & Success]: AnswerWith<S, Content<Answers[S]>> }[keyof Answers & Success]
  : never

interface AnswerWith<Status, Data> {
  status: Status
  headers: { get(name: string): string | null }
  data: Data
}

/** The lists that are answered in pages. */
export type ListPath<Paths> = keyof {
  [P in keyof Paths & string as Has<OperationOf<Paths, 'get', P>, 'query', 'cursor'> extends true ? P : never]: unknown
}

/** An entry of a list. */
export type Row<Paths, P extends keyof Paths> = EntryOf<Answer<Paths, 'get', P>['data']>

type EntryOf<Data> = unknown extends Data ? unknown : Data extends readonly (infer Entry)[] ? Entry : never
