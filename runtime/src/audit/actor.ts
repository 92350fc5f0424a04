import type { FastifyRequest } from 'fastify'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '../http/authentication.ts'

export type ActorKind = 'token' | 'adapter' | 'hub'

/** Who makes a change. */
export interface Actor {
  kind: ActorKind
  /** The name of the token, `adapterKey@version`, or `hub`. */
  name: string
  tokenId: string | null
  requestId: string | null
}

/** An object that a request changes, such as an offer, and the connection that it belongs to. */
export interface ChangedObject {
  connectionId: string
  /** Needed when the object may be gone when somebody reads the entry. */
  objectName?: string
}

/** Where changes are made: in a request, in an adapter or in a job. */
export interface Scene {
  /**
   * Removed when the request is answered. What the request began may live longer, such as a
   * database connection, and would keep the request in memory.
   */
  request?: FastifyRequest | undefined
  adapter?: string
  /** The route of an adapter that the request reached. One route of the hub serves all of them. */
  route?: { path: string, connectionId: string | undefined }
  /** The changed object. Absent: the path of the request names it, or nothing does. */
  object?: ChangedObject
  /** Whether a change was recorded, so that the request itself needs no entry. */
  isRecorded: boolean
}

// The scene is ambient. A change is stored several floors below its request, and otherwise every
// function between them would have to pass the actor on.
const scenes = new AsyncLocalStorage<Scene>()

export function enterScene (scene: Scene, work: () => void): void {
  scenes.run(scene, work)
}

/**
 * Runs a job of the hub. The request that woke the worker would otherwise seem to act in every job
 * that the worker starts then.
 */
export function actAsHub<Result> (work: () => Result): Result {
  return scenes.run({ isRecorded: false }, work)
}

/** Runs work in which an adapter acts for itself, whoever asked for it. */
export async function actAsAdapterAlone<Result> (adapter: string, work: () => Promise<Result>): Promise<Result> {
  return scenes.run({ adapter, isRecorded: false }, work)
}

/** Runs work of an adapter, which acts for itself when nobody with a token asked for the work. */
export async function actAsAdapter<Result> (adapter: string, work: () => Promise<Result>): Promise<Result> {
  return callerOf(scenes.getStore()) === undefined ? actAsAdapterAlone(adapter, work) : work()
}

/** Who acts now. The hub acts for itself outside of requests, for example in its jobs. */
export function currentActor (): Actor {
  const scene = scenes.getStore()
  const requestId = scene?.request?.id ?? null
  const caller = callerOf(scene)
  if (caller !== undefined) return { kind: 'token', name: caller.name, tokenId: caller.tokenId, requestId }
  return scene?.adapter === undefined
    ? { kind: 'hub', name: 'hub', tokenId: null, requestId }
    : { kind: 'adapter', name: scene.adapter, tokenId: null, requestId }
}

function callerOf (scene: Scene | undefined): Caller | undefined {
  return scene?.request?.caller ?? undefined
}

/** Notes that the present request needs no entry of its own. */
export function markRecorded (): void {
  const scene = scenes.getStore()
  if (scene !== undefined) scene.isRecorded = true
}

/** Notes which route of an adapter the present request reached. */
export function nameRoute (path: string, connectionId: string | undefined): void {
  const scene = scenes.getStore()
  if (scene !== undefined) scene.route = { path, connectionId }
}

/** Names the object that the present request changes: its entry is then found by the connection. */
export function nameObject (object: ChangedObject): void {
  const scene = scenes.getStore()
  if (scene !== undefined) scene.object = object
}
