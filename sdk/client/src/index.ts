export { createClient, type Client, type ClientOptions } from './client.ts'
export { ProblemError, UnexpectedAnswerError, UnreachableError, type Problem } from './errors.ts'
export type {
  Answer,
  AnyOperation,
  Arguments,
  HubPaths,
  Method,
  PathOf,
  Query,
  Request,
  Row,
  Schemas
} from './operations.ts'
export type { Fetch, FetchAnswer, FetchRequest } from './requests.ts'
