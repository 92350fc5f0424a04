import type { FastifyBaseLogger } from 'fastify'

type Child = FastifyBaseLogger['child']
type Write = FastifyBaseLogger['info']
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * The logger of one request, made when the request logs for the first time; Fastify calls this for
 * each request. Pino writes the bindings of a child as soon as it makes one, with the redaction of
 * secrets, and most webhooks log nothing.
 */
export function createRequestLogger (parent: FastifyBaseLogger, ...options: Parameters<Child>): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined

  function own (): FastifyBaseLogger {
    made ??= parent.child(...options)
    return made
  }

  function writerOf (level: Level): Write {
    return (...args: unknown[]) => {
      const logger = own()
      Reflect.apply(logger[level], logger, args)
    }
  }

  return {
    fatal: writerOf('fatal'),
    error: writerOf('error'),
    warn: writerOf('warn'),
    info: writerOf('info'),
    debug: writerOf('debug'),
    trace: writerOf('trace'),
    silent: writerOf('silent'),
    child: (...further) => own().child(...further),
    get level () {
      return own().level
    },
    set level (level) {
      own().level = level
    }
  }
}
