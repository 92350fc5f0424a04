import t from 'tap'
import { formatTable } from '../../src/terminal/table.ts'

t.test('columns are as wide as their widest cell, and lines end without spaces', async t => {
  t.equal(
    formatTable(['id', 'name'], [['1', 'a long name'], ['12345', '']]),
    ['ID     NAME', '1      a long name', '12345'].join('\n')
  )
})

t.test('a cell neither controls the terminal nor begins a line of its own', async t => {
  const [headings, ...rows] = formatTable(['name', 'state'], [['a\u001b[2J\nb', 'ready']]).split('\n')

  t.strictSame(rows, ['a\\u001b[2J\\nb  ready'])
  t.equal(headings, 'NAME           STATE', 'the width counts the escapes')
})

t.test('a table without rows is its headings, and a row may lack its last cells', async t => {
  t.equal(formatTable(['id', 'name'], []), 'ID  NAME')
  t.equal(formatTable(['id', 'name'], [['1']]), 'ID  NAME\n1')
})
