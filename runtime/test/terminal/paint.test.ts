import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import t from 'tap'
import { paint, paintLine } from '../../src/terminal/paint.ts'

const paintIn = (line: string): string => paintLine(line, (style, text) => `<${style}>${text}</>`)

t.test('headings, states and marks have colours, other words have none', async t => {
  t.equal(paintIn('ID  NAME    STATUS'), '<bold>ID  NAME    STATUS</>')
  t.equal(paintIn('1   Shop A  active    dead'), '1   Shop A  <green>active</>    <red>dead</>')
  t.equal(paintIn('2   active and dead  waiting'), '2   active and dead  <yellow>waiting</>')
  t.equal(paintIn('✗ redis          refused the connection'), '<red>✗</> redis          refused the connection')
  t.equal(paintIn('Nothing waits.'), 'Nothing waits.')
})

t.test('only a terminal gets colours', async t => {
  const { getColorDepth } = WriteStream.prototype
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth })
  const pipe = new PassThrough()
  t.intercept(process, 'env', { value: { TERM: 'xterm-256color' } })

  t.equal(paint('ok', terminal), '\u001b[32mok\u001b[39m')
  t.equal(paint('ok', pipe), 'ok')
  process.env.NO_COLOR = '1'
  t.equal(paint('ok', terminal), 'ok')
})
