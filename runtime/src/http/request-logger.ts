import type { FastifyBaseLogger } from 'fastify'

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Options = Parameters<FastifyBaseLogger['child']>[1]

/** The logger of one request. It is made when the request logs for the first time. */
class RequestLogger {
  #parent: FastifyBaseLogger
  #bindings: Bindings
  #options: Options
  #own: FastifyBaseLogger | undefined

  constructor (parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get level (): string {
    return this.own().level
  }

  set level (level: string) {
    this.own().level = level
  }

  child (bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.own().child(bindings, options)
  }

  own (): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings, this.#options)
    return this.#own
  }
}

for (const method of methods) {
  Object.defineProperty(RequestLogger.prototype, method, {
    value (this: RequestLogger, ...args: Parameters<FastifyBaseLogger['info']>): void {
      this.own()[method](...args)
    }
  })
}

/**
 * Fastify calls it for each request. Pino writes the bindings of a child as soon as it makes one,
 * with the redaction of secrets, and most webhooks log nothing.
 */
export function createRequestLogger (
  parent: FastifyBaseLogger,
  bindings: Bindings,
  options?: Options
): FastifyBaseLogger {
  return new RequestLogger(parent, bindings, options) as unknown as FastifyBaseLogger
}
