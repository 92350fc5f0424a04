import type { HostServices } from '@linker/sdk/host'
import t from 'tap'
import { limitLines, mostLinesPerMinute } from '../../src/host/limit-lines.ts'
import { limitedLog } from '../../src/host/limited-log.ts'

type Line = [level: string, fields: object, message: string]

t.test('a line that is too long loses its fields and has its message cut', async t => {
  const lines: Line[] = []
  const note = (level: string) => (fields: object, message: string): void => {
    lines.push([level, fields, message])
  }
  const log = limitedLog({ debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }, 16_000)
  log.info({ text: 'x'.repeat(10_000) }, 'short enough')
  log.warn({ text: 'x'.repeat(20_000) }, 'with a long field')
  log.error({ text: 'x' }, 'm'.repeat(20_000))
  log.debug({ deep: Array.from({ length: 10_000 }, (_, index) => ({ index })) }, 'with many fields')

  t.strictSame(lines, [
    ['info', { text: 'x'.repeat(10_000) }, 'short enough'],
    ['warn', { shortened: true }, 'with a long field'],
    ['error', { shortened: true }, 'm'.repeat(2_000)],
    ['debug', { shortened: true }, 'with many fields']
  ])
})

t.test('in a flood of lines, the first of each minute are written, and the others are counted', async t => {
  const lines: Line[] = []
  let seconds = 0
  const write: HostServices['log'] = limitLines((...line) => {
    lines.push(line)
  }, () => new Date(seconds * 1_000))
  for (let line = 0; line < mostLinesPerMinute + 500; line += 1) write('info', {}, 'flood')

  t.equal(lines.length, mostLinesPerMinute + 1)
  t.match(lines.at(-1), ['warn', {}, /writes more than 1000 lines a minute/])
  seconds = 61
  write('info', {}, 'later')
  t.match(lines.slice(-2), [['warn', { leftOut: 500 }, /wrote more than 1000 lines in a minute/], [
    'info',
    {},
    'later'
  ]])
  seconds = 122
  write('info', {}, 'much later')
  t.match(lines.at(-1), ['info', {}, 'much later'])
  t.equal(lines.length, mostLinesPerMinute + 4, 'nothing was left out in between')
})
