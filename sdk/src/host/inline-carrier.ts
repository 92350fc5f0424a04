import type { Adapter } from '../adapter.ts'
import type { Context } from '../context.ts'
import { AdapterErrorCode, isAdapterError, RejectedError } from '../errors.ts'
import type { HttpExchange } from '../http/client.ts'
import { checkAnswerSize } from './answer-limits.ts'
import type { AdapterCall, CallAnswer, CallEffects, Carrier, ConnectionSnapshot } from './carrier.ts'
import { createContext, deepFreeze, type ContextOptions } from './context.ts'
import type { CurrentCall } from './current-call.ts'
import { createFillDefaults } from './defaults.ts'
import { abortError, bounded, withoutSecrets } from './errors.ts'
import { createInvoke, type Client } from './invoke.ts'
import { limitLines } from './limit-lines.ts'
import { refuseSecrets } from './recording/create-recording.ts'
import { recordExchanges, type RecordedTraffic } from './recording/record-exchanges.ts'
import { createCallSecrets, createSecrecy, createValueRedactor, type CallSecrets, type Secrecy } from './redact.ts'
import type { HostServices } from './services.ts'

export interface InlineCarrierOptions extends ContextOptions {
  definition: Adapter
  services: HostServices
  /**
   * Clones arguments and answers, so that everything that works here also works in a worker. Turn
   * it off when a thread boundary already clones. Default true.
   */
  copies?: boolean
  /**
   * Removes secrets from the answers of the test, routes and the like. Turn it off to search the
   * answers for secrets. Default true.
   */
  redactsAnswers?: boolean
  /**
   * Called when the adapter begins to work on a call. The carrier calls the returned function when
   * that work has ended. The work of an abandoned call ends later than the call.
   */
  onWork?: () => () => void
}

export interface InlineCarrier extends Carrier {
  /** Copies any value without the secrets of the current call and of every connection served. */
  redact(value: unknown): unknown
  /** Removes only the secrets of the current call and of its connection. */
  redactOfCall(text: string): string
}

/** The client of a connection, as soon as it is connected. */
interface Connected {
  version: string
  secrecy: Secrecy
  client: Promise<Client>
}

/** Runs an adapter in this thread. */
export function createInlineCarrier (given: InlineCarrierOptions): InlineCarrier {
  const options = {
    ...given,
    defaults: {
      config: createFillDefaults(given.definition.config),
      credentials: createFillDefaults(given.definition.credentials)
    },
    platformSettings: deepFreeze(structuredClone(given.platformSettings)),
    writeLine: limitLines((...line) => {
      given.services.log(...line)
    }, given.now)
  }
  const { currentCall, copies = true, redactsAnswers = true } = options
  const copy = <Value>(value: Value): Value => copies ? structuredClone(value) : value
  const invoke = createInvoke(options)
  const clients = new Map<string, Connected>()
  /** The clients of calls that may not send each request: others would share their refusals. */
  const ownClients = new Map<CallEffects, Connected>()

  function connectTo (connection: ConnectionSnapshot): Connected {
    const secrecy = createSecrecy(options.definition, connection)
    return { version: connection.version, secrecy, client: connect(options, connection, secrecy) }
  }

  function clientOf (connection: ConnectionSnapshot): Promise<Client> {
    const existing = clients.get(connection.id)
    if (existing?.version === connection.version) return existing.client
    const made = connectTo(connection)
    clients.set(connection.id, made)
    // The next call retries a failed connect.
    made.client.catch(() => {
      if (clients.get(connection.id) === made) clients.delete(connection.id)
    })
    return made.client
  }

  async function findClient (
    { connection, isDryRun, readsHubOnly }: AdapterCall,
    effects: CallEffects
  ): Promise<Client | undefined> {
    if (connection === undefined) return undefined
    if (isDryRun !== true && readsHubOnly !== true) return clientOf(connection)
    const made = connectTo(connection)
    ownClients.set(effects, made)
    return made.client
  }

  async function run (current: CurrentCall): Promise<CallAnswer> {
    const { call, effects, secrets, exchanges } = current
    const client = await findClient(call, effects)
    try {
      const answer = await invoke(call, copy([...call.args]), { client, secrets })
      checkAnswerSize(call.target, call.args, answer)
      const copied = copy(answer)
      const value = redactsAnswers ? redactAnswer(call, copied, withoutMarked(client, secrets)) : copied
      return {
        value,
        effects: copy(effects),
        ...usedIn(current),
        ...(exchanges === undefined ? {} : { recorded: withoutKnown(exchanges, client, secrets) })
      }
    } catch (error) {
      const kept = client === undefined ? error : withoutSecrets(error, client.secrecy.redact)
      throw bounded(secrets.isEmpty() ? kept : withoutSecrets(kept, secrets.redact))
    }
  }

  function nameCredentials (error: unknown, current: CurrentCall): unknown {
    const isRefusal = isAdapterError(error) && error.code === AdapterErrorCode.authentication
    return isRefusal ? Object.assign(error, usedIn(current)) : error
  }

  /** Do not let code that ignores its signal, or was stopped from outside, hold the caller. */
  function begin (given: AdapterCall): Promise<CallAnswer> {
    const { target } = given
    const route = target.kind === 'route' ? options.definition.routes?.[target.index] : undefined
    const call = { ...given, readsHubOnly: route?.readsHubOnly === true }
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>()
    const effects: CallEffects = { cursors: {}, jobs: [] }
    const secrets = createCallSecrets()
    const exchanges: HttpExchange[] | undefined = call.isRecorded === true ? [] : undefined
    const abort = (): void => {
      reject(abortError(call.signal))
    }
    call.signal.addEventListener('abort', abort, { once: true })
    promise.catch(() => undefined).finally(() => {
      call.signal.removeEventListener('abort', abort)
    })
    const current: CurrentCall = {
      adapter: options.adapter,
      call,
      effects,
      secrets,
      credentialsVersion: call.connection?.credentialsVersion,
      exchanges,
      breakOff: reject
    }
    currentCall.run(current, () => {
      const onEnd = options.onWork?.()
      const forgetOwn = (): void => {
        ownClients.delete(effects)
      }
      run(current).finally(onEnd).finally(forgetOwn).then(resolve, (error: unknown) => {
        reject(nameCredentials(error, current))
      })
    })
    return promise
  }

  return {
    // Do not begin after an abort: nobody would handle the rejection, and that ends the process.
    call: call => call.signal.aborted ? Promise.reject(abortError(call.signal)) : begin(call),
    forget (connectionId) {
      clients.delete(connectionId)
    },
    redactOfCall (text) {
      const store = currentCall.getStore()
      if (store === undefined) return text
      const kept = store.secrets.redact(text)
      const connected = ownClients.get(store.effects) ?? clients.get(store.call.connection?.id ?? '')
      return String(connected?.secrecy.redact(kept) ?? kept)
    },
    redact: value =>
      [...clients.values(), ...ownClients.values()].reduce(
        (kept, { secrecy }) => secrecy.redact(kept),
        currentCall.getStore()?.secrets.redact(value) ?? value
      )
  }
}

function usedIn ({ credentialsVersion }: CurrentCall): Pick<CallAnswer, 'credentialsVersion'> {
  return credentialsVersion === undefined ? {} : { credentialsVersion }
}

/**
 * Makes the recording of a call that has ended, because only then all its secrets are known. Throws
 * when it would show one.
 */
function withoutKnown (
  exchanges: readonly HttpExchange[],
  client: Client | undefined,
  secrets: CallSecrets
): RecordedTraffic {
  const redactSent = createValueRedactor(exchanges.flatMap(exchange => exchange.secrets))
  const redactText = (text: string): string => {
    const kept = secrets.redact(redactSent(text))
    return String(client?.secrecy.redact(kept) ?? kept)
  }
  const recorded = recordExchanges(exchanges, redactText)
  refuseSecrets(recorded, redactText)
  return recorded
}

function withoutMarked (client: Client | undefined, secrets: CallSecrets): (answer: unknown) => unknown {
  return answer => {
    const kept = secrets.redactAnswer(answer)
    return client === undefined ? kept : client.secrecy.redactAnswer(kept)
  }
}

/**
 * Removes secrets from answers that the hub shows to people unchanged. Capabilities and jobs read
 * data for the hub, which redacts it where it shows it: a product keeps its name even if a secret
 * is part of it.
 */
function redactAnswer (
  { target: { kind }, redactsAnswer }: AdapterCall,
  answer: unknown,
  redact: (answer: unknown) => unknown
): unknown {
  if (redactsAnswer === true) return redact(structuredClone(answer))
  switch (kind) {
    // Copy first: the copy turns an instance of a class into the plain object that would leave.
    case 'test':
    case 'route':
    case 'installWebhooks':
    case 'checkConfig':
      return redact(structuredClone(answer))
    case 'account':
      return redactAccount(answer, redact)
    default:
      return answer
  }
}

/**
 * Removes secrets from the name of an account, and refuses an id with one: without its secret, it
 * could be the id of other accounts, too.
 */
function redactAccount (answer: unknown, redact: (answer: unknown) => unknown): unknown {
  const account: unknown = structuredClone(answer)
  const redacted = redact(account)
  if (idOf(redacted) === idOf(account)) return redacted
  throw new RejectedError("account answered an id with a secret in it: answer the platform's id of the account")
}

function idOf (account: unknown): unknown {
  return typeof account === 'object' && account !== null ? Reflect.get(account, 'id') : undefined
}

async function connect (
  options: InlineCarrierOptions,
  connection: ConnectionSnapshot,
  secrecy: Secrecy
): Promise<Client> {
  const { definition } = options
  const context: Context = createContext({ ...options, configSchema: definition.config }, connection, secrecy)
  try {
    return { context, value: await definition.connect(context), secrecy, capabilities: new Map() }
  } catch (error) {
    throw bounded(withoutSecrets(error, secrecy.redact))
  }
}
