import t from 'tap'
import { createProgress } from '../../src/terminal/progress.ts'

function showIn (isTTY: boolean | undefined): string[] {
  const written: string[] = []
  const progress = createProgress({ isTTY, write: (text: unknown) => written.push(String(text)) > 0 })
  progress('opening the database')
  progress('loading the adapters')
  return written
}

t.test('a terminal shows each step on a line', async t => {
  t.strictSame(showIn(true), ['  opening the database …\n', '  loading the adapters …\n'])
})

t.test('a pipe gets no steps', async t => {
  t.strictSame(showIn(undefined), [])
})

t.test('a name in a step cannot control the terminal', async t => {
  const written: string[] = []
  createProgress({ isTTY: true, write: (text: unknown) => written.push(String(text)) > 0 })("planning 'a\u001b[2Jb'")
  t.notMatch(written.join(''), '\u001b')
})
