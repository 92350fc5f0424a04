// For the hosts of routes: the hub and the testing kit. It is an entry of its own, so that the
// thread of an adapter does not load a router.

export { connectionParameterOf } from '../../connection-path.ts'
export { describeDetails, mostDetails, problemHeaders, toProblem } from '../problem.ts'
export type { KnownError, Problem, ProblemDetail } from '../problem.ts'
export { findBeyondLimits, findUnstorable } from '../json-limits.ts'
export type { TextRule } from '../json-limits.ts'
export { readAnswer } from './answer.ts'
export type { SendableAnswer } from './answer.ts'
export { fieldsOf, retryAfterSecondsOf, routeStatus } from './failure.ts'
export { withheldHeaders } from './headers.ts'
export { createReadInput } from './input.ts'
export type { GivenInput, ReadInput, RouteInput } from './input.ts'
export { createRouteMatcher } from './matcher.ts'
export type { MatchedRoute, RouteMatcher } from './matcher.ts'
