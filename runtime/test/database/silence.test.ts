import { EventEmitter } from 'node:events'
import { mock } from 'node:test'
import t from 'tap'
import { createSilenceWatch } from '../../src/database/silence.ts'

t.beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
})
t.afterEach(() => {
  mock.timers.reset()
})

/**
 * Makes a client, whose `drain` and `end` the test emits, and a list of the errors that destroyed
 * its socket.
 */
function fakeClient () {
  const destroyed: unknown[] = []
  const client = Object.assign(new EventEmitter(), {
    query: (_text: string) => undefined,
    connection: {
      stream: {
        destroy (error?: unknown) {
          destroyed.push(error)
        }
      }
    }
  })
  return {
    client,
    destroyed,
    emit: (event: 'drain' | 'end') => {
      client.emit(event)
    }
  }
}

/** Makes a watch over clients, and counts how often it found a silent client. */
function watchOver (...clients: ReturnType<typeof fakeClient>['client'][]) {
  let found = 0
  const watch = createSilenceWatch({ warn: () => undefined }, () => {
    found += 1
  })
  for (const client of clients) {
    client.on('error', () => undefined)
    watch.overClient(client)
  }
  return { watch, found: () => found }
}

t.test('a statement without an answer ends its connection and all idle ones', async t => {
  const [silent, idle] = [fakeClient(), fakeClient()]
  const { found } = watchOver(silent.client, idle.client)
  void silent.client.query('select 1')

  mock.timers.tick(8_999)
  t.strictSame([silent.destroyed, idle.destroyed, found()], [[], [], 0])
  mock.timers.tick(1)
  t.match(silent.destroyed, [{ code: 'ETIMEDOUT', message: /\b9000 ms/ }])
  t.equal(idle.destroyed.length, 1)
  t.equal(found(), 1)
})

t.test('an idle connection that was opened after the silent statement was sent stays', async t => {
  const [silent, opened] = [fakeClient(), fakeClient()]
  const { watch } = watchOver(silent.client)
  void silent.client.query('select 1')
  mock.timers.tick(8_000)
  watch.overClient(opened.client)
  mock.timers.tick(1_000)

  t.match(silent.destroyed, [{ code: 'ETIMEDOUT' }])
  t.strictSame(opened.destroyed, [])
})

t.test('an answer in time ends the limit; each statement has its own', async t => {
  const { client, destroyed, emit } = fakeClient()
  watchOver(client)
  for (const _statement of [1, 2, 3]) {
    void client.query('select 1')
    mock.timers.tick(8_000)
    emit('drain')
  }
  mock.timers.tick(60_000)

  t.strictSame(destroyed, [])
})

t.test('a statement on an ended connection does not count as unanswered', async t => {
  const [ended, idle] = [fakeClient(), fakeClient()]
  const { found } = watchOver(ended.client, idle.client)
  void ended.client.query('commit')
  ended.emit('end')
  void ended.client.query('rollback')
  mock.timers.tick(60_000)

  t.equal(found(), 0)
  t.strictSame(idle.destroyed, [])
})

t.test('long work has a longer limit, and a stopping hub a shorter one', async t => {
  const [patient, hurried] = [fakeClient(), fakeClient()]
  const { watch } = watchOver(patient.client)
  watch.overClient(hurried.client)
  await watch.suspend(async () => {
    void patient.client.query('create index')
  })
  mock.timers.tick(500_000)
  t.strictSame(patient.destroyed, [])
  patient.emit('drain')

  void hurried.client.query('select 1')
  watch.hurry()
  mock.timers.tick(4_000)
  t.match(hurried.destroyed, [{ code: 'ETIMEDOUT' }])
})
