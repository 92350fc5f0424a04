import t from 'tap'
import { formatTable } from '../../src/terminal/table.ts'

t.test('columns stand under their headings, and no line ends in blanks', async t => {
  t.equal(
    formatTable(['name', 'state'], [['shop', 'active'], ['a market', '']]),
    ['NAME      STATE', 'shop      active', 'a market'].join('\n')
  )
})

t.test('a cell controls no terminal and stays on its line', async t => {
  const table = formatTable(['name'], [['\u001b[2Jred\nNAME']])

  t.equal(table.split('\n').length, 2)
  t.notOk(table.includes('\u001b'))
})
