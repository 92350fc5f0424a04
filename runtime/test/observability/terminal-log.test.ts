import t from 'tap'
import { createLogger } from '../../src/observability/logging.ts'
import { openTerminalLog } from '../../src/observability/terminal-log.ts'

async function open (isColoured = false) {
  const written: string[] = []
  const destination = await openTerminalLog({
    isColoured,
    write (text) {
      written.push(text)
    }
  })
  return { log: createLogger({ logLevel: 'info' }, destination), destination, written }
}

t.test('a line is short, and its fields follow with an indent', async t => {
  const { log, written } = await open()
  log.debug('not written')
  log.warn({ connectionId: 'c', count: 3 }, 'the platform asks to slow down')

  t.equal(written.length, 1)
  t.match(
    written[0],
    /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: the platform asks to slow down\n {4}connectionId: "c"\n {4}count: 3\n$/
  )
})

t.test('an error has its stack, and secrets stay hidden', async t => {
  const { log, written } = await open()
  log.error({ err: new Error('not stored'), token: 'canary-1' }, 'failed')

  t.match(written[0], /^\[[\d:.]+\] ERROR: failed\n/)
  t.match(written[0], /not stored\n +at /)
  t.notMatch(written[0], 'canary-1')
})

t.test('no text controls the terminal or looks like a line of the hub', async t => {
  const { log, written } = await open()
  const evil = '\u001b[2J\u009b2J\u202e\n[10:00:00.000] INFO: forged\r'
  const err = Object.assign(new Error(evil), { stack: `Error: ${evil}\n    at evil` })
  log.warn({ [evil]: { deep: [evil] }, text: evil, err }, evil)
  const text = written.join('')

  // oxlint-disable-next-line no-control-regex
  t.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/)
  t.equal(text.split('\n').filter(line => line.startsWith('[')).length, 1)
})

t.test('what is no JSON is passed on', async t => {
  const { destination, written } = await open()
  destination.write('plain\n')
  t.strictSame(written, ['plain\n'])
})

t.test('colours are for those who want them', async t => {
  const { log, written } = await open(true)
  log.info('ready')
  // oxlint-disable-next-line no-control-regex
  t.match(written[0], /\u001b\[32mINFO/)
})
