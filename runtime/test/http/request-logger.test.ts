import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import t from 'tap'
import { createRequestLogger } from '../../src/http/request-logger.ts'

function open () {
  const lines: Record<string, unknown>[] = []
  const logger = pino({ base: null, level: 'trace' }, {
    write (line: string) {
      lines.push(JSON.parse(line) as Record<string, unknown>)
    }
  })
  const counted = { children: 0 }
  const parent: Pick<FastifyBaseLogger, 'child'> = {
    child (bindings) {
      counted.children += 1
      return logger.child(bindings)
    }
  }
  return { lines, counted, parent: parent as FastifyBaseLogger }
}

t.test('a request that logs nothing makes no logger, one that logs twice makes one', async t => {
  const { lines, counted, parent } = open()
  const log = createRequestLogger(parent, { requestId: 'r-1' })
  t.equal(counted.children, 0)

  log.info({ status: 202 }, 'request')
  log.child({ step: 1 }).warn('within')

  t.equal(counted.children, 1)
  t.match(lines, [
    { level: 30, requestId: 'r-1', status: 202, msg: 'request' },
    { level: 40, requestId: 'r-1', step: 1, msg: 'within' }
  ])
})

t.test('each level of a logger is there', async t => {
  const { lines, parent } = open()
  const log = createRequestLogger(parent, {})

  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const) log[level]('x')
  log.silent('x')
  t.strictSame(lines.map(({ level }) => level), [60, 50, 40, 30, 20, 10])

  log.level = 'error'
  log.warn('x')
  t.equal(log.level, 'error')
  t.equal(lines.length, 6)
})
