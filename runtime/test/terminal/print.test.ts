import t from 'tap'
import { print, printable, printError } from '../../src/terminal/print.ts'

t.test('control characters are printed as escapes, and lines stay lines', async t => {
  t.equal(printable('ok \u001b[2J\u009b31m\rok\nnext\tline'), 'ok \\u001b[2J\\u009b31m\\rok\nnext\\tline')
  t.equal(printable('a \u202eb\u2028c\u007f'), 'a \\u202eb\\u2028c\\u007f')
  t.equal(printable('Zürich – 京都 ✓'), 'Zürich – 京都 ✓')
})

t.test('JSON that is printed stays the same value', async t => {
  const value = { name: 'a\u202e\u009b2Jb', list: ['\u2028'] }

  t.strictSame(JSON.parse(printable(JSON.stringify(value, null, 2))), value)
})

t.test('results go to standard output and failures to standard error, both escaped', async t => {
  const [output, errors] = [t.capture(console, 'log'), t.capture(console, 'error')]

  print('done \u001b[2J')
  printError('failed \u001b[2J')

  t.strictSame(output().map(({ args }) => args), [['done \\u001b[2J']])
  t.strictSame(errors().map(({ args }) => args), [['failed \\u001b[2J']])
})
