import t from 'tap'
import { createLogger } from '../../src/observability/logging.ts'

function open (logLevel = 'info') {
  const lines: string[] = []
  const log = createLogger({ logLevel }, {
    write (line) {
      lines.push(line)
    }
  })
  return { log, lines }
}

t.test('a line is JSON with its level by name, its time and nothing of the process', async t => {
  const { log, lines } = open()
  log.debug('not written')
  log.warn({ connectionId: 'c' }, 'slow')
  const [line = '', ...more] = lines
  const { time, ...members } = JSON.parse(line) as Record<string, unknown>

  t.strictSame(members, { level: 'warn', connectionId: 'c', msg: 'slow' })
  t.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.strictSame(more, [])
})

t.test('members that hold secrets by their names are not written', async t => {
  const { log, lines } = open()
  log.info({
    headers: { authorization: 'canary-1' },
    connection: { credentials: { key: 'canary-1' }, name: 'Feed' },
    answer: { accessToken: 'canary-1', refreshToken: 'canary-1', clientSecret: 'canary-1' },
    hook: { secret: 'canary-1', token: 'canary-1', apiKey: 'canary-1' },
    token: 'canary-1',
    credentials: { key: 'canary-1' }
  }, 'asked')

  t.notMatch(lines[0], 'canary-1')
  t.match(JSON.parse(lines[0] ?? ''), { connection: { name: 'Feed' } })
})

t.test('the row that PostgreSQL refuses is not quoted, not even in a cause', async t => {
  const refused = Object.assign(
    new Error('null value in column "name"\n - detail: Failing row contains (canary-1, null).'),
    { code: '23502', detail: 'Failing row contains (canary-1, null).' }
  )
  const { log, lines } = open()
  log.error({ err: new Error('Key (key)=(canary-1) already exists', { cause: refused }) }, 'not stored')
  const [line = ''] = lines

  t.notMatch(line, 'canary-1')
  t.match(JSON.parse(line), {
    err: { type: 'Error', cause: { message: 'null value in column "name"', code: '23502' } }
  })
})

t.test('a line does not control the terminal of its reader, and stays the same value', async t => {
  const { log, lines } = open()
  log.info({ name: 'a\u009b2J\u202eb' }, 'two\nlines')
  const [line = ''] = lines

  t.match(line, /^[\u0020-\u007e]+\n$/)
  t.match(JSON.parse(line), { name: 'a\u009b2J\u202eb', msg: 'two\nlines' })
})
