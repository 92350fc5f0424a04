import { createHook } from 'node:async_hooks'
import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { watchGlobals } from '../../host/globals.ts'
import type { Handle } from './protocol.ts'

// Use this only in a thread of the suite: its replacements for parts of Node stay until the thread
// ends.

/** Types of resources that outlive the code that made them. */
const lastingTypes: ReadonlySet<string> = new Set([
  'Timeout',
  'TCPWRAP',
  'TCPSERVERWRAP',
  'TLSWRAP',
  'UDPWRAP',
  'PIPEWRAP',
  'PIPESERVERWRAP',
  'GETADDRINFOREQWRAP',
  'FSEVENTWRAP',
  'STATWATCHER',
  'PROCESSWRAP',
  'SIGNALWRAP',
  'WORKER',
  'HTTPCLIENTREQUEST'
])

/**
 * Notices every resource started from now on. The returned function lists those that still run,
 * including timers that do not keep a process alive.
 */
export function watchHandles (): () => Handle[] {
  const alive = new Map<number, Handle>()
  const hook = createHook({
    init (id, type) {
      if (lastingTypes.has(type)) alive.set(id, { type, where: callerOf(new Error().stack) ?? 'Node' })
    },
    destroy (id) {
      alive.delete(id)
    }
  }).enable()
  return () => {
    hook.disable()
    // Ignore the resources of Node itself.
    return [...alive.values()].filter(({ where }) => where !== 'Node')
  }
}

/**
 * Replaces this thread's environment by an empty one. The returned function lists the names that
 * code below `directory` has read.
 */
export function watchEnvironment (directory: string): () => string[] {
  const names = new Set<string>()
  const note = (name: string | symbol): void => {
    const caller = callerOf(new Error().stack)
    if (typeof name === 'string' && caller !== undefined && isOwn(caller, directory)) names.add(name)
  }
  const environment = new Proxy<NodeJS.ProcessEnv>({}, {
    get (target, name) {
      note(name)
      return Reflect.get(target, name)
    },
    has (target, name) {
      note(name)
      return Reflect.has(target, name)
    },
    ownKeys (target) {
      note('(all of it)')
      return Reflect.ownKeys(target)
    }
  })
  Object.defineProperty(process, 'env', { value: environment, configurable: true, enumerable: true, writable: true })
  return () => [...names]
}

/** Notices globals that are new or replaced, and new or replaced members of built-ins. */
export function watchAllGlobals (): () => string[] {
  const changed = watchGlobals()
  const before = new Set(Reflect.ownKeys(globalThis))
  return () => [...changed(), ...Reflect.ownKeys(globalThis).filter(name => !before.has(name)).map(String)]
}

export function watchListeners (): () => string[] {
  const counts = (): Map<string, number> =>
    new Map(process.eventNames().map(name => [String(name), process.listenerCount(name)]))
  const before = counts()
  return () => [...counts()].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)
}

/**
 * Allows connections only to `allowed` (`host:port`). The returned function lists the other
 * attempts, which fail before anything leaves.
 */
export function watchConnections (allowed: ReadonlySet<string>): () => string[] {
  const foreign = new Set<string>()
  const connect: (...args: never[]) => Socket = Reflect.get(Socket.prototype, 'connect')
  Object.assign(Socket.prototype, {
    connect (this: Socket, ...args: unknown[]) {
      const target = targetOf(args)
      if (allowed.has(target)) return Reflect.apply(connect, this, args)
      foreign.add(target)
      process.nextTick(() => {
        this.destroy(new Error(`the suite lets nothing reach ${target}`))
      })
      return this
    }
  })
  return () => [...foreign]
}

// net.connect passes its arguments in one array that begins with the options.
function targetOf ([first, second]: unknown[]): string {
  if (Array.isArray(first)) return targetOf(first)
  if (typeof first === 'object' && first !== null) {
    const { host = 'localhost', port, path } = first as { host?: unknown, port?: unknown, path?: unknown }
    return typeof path === 'string' && port === undefined ? path : `${String(host)}:${String(port)}`
  }
  return typeof first === 'string' && Number.isNaN(Number(first))
    ? first
    : `${typeof second === 'string' ? second : 'localhost'}:${String(first)}`
}

/** The places of this code in a stack: in the bundle it belongs to another file. */
const ownPlaces = ['watch-import.', import.meta.url]
const ofNode = /\(?node:(?!internal\/process\/task_queues)/

/**
 * Returns the innermost frame that is neither Node's nor of this file; undefined when Node acted on
 * its own.
 */
function callerOf (stack: string | undefined): string | undefined {
  const [caller] = (stack ?? '').split('\n').slice(1).filter(frame =>
    !ownPlaces.some(place => frame.includes(place)) && !ofNode.test(frame) && frame.includes('/')
  )
  return caller?.trim().replace(/^at /, '')
}

function isOwn (frame: string, directory: string): boolean {
  return [`${pathToFileURL(directory).href}/`, `${directory}/`].some(prefix => {
    const at = frame.indexOf(prefix)
    return at !== -1 && !frame.slice(at + prefix.length).startsWith('node_modules/')
  })
}
