import { basename } from 'node:path'
import t from 'tap'
import { archiveOf } from '../../../src/database/blank/archive.ts'
import { migrationsList } from '../../../src/database/migrations-list.ts'

/** A list of one migration whose `up` has this text. */
function listOf (name: string, up: string): Parameters<typeof archiveOf>[0] {
  return [{ name, class: { prototype: { up: Object.assign(() => undefined, { toString: () => up }) } } }]
}

const nameOf = (list: Parameters<typeof archiveOf>[0]): string => basename(archiveOf(list))

t.test('the name of the archive says which PGlite and which migrations made it', async t => {
  t.match(nameOf(migrationsList), /^pglite-\d+\.\d+\.\d+-[0-9a-f]{16}\.tar\.gz$/)
  const first = nameOf(listOf('0001-a', 'up () { this.addSql(`create table a ()`) }'))

  t.not(nameOf(listOf('0001-a', 'up () { this.addSql(`create table b ()`) }')), first)
  t.not(nameOf(listOf('0002-a', 'up () { this.addSql(`create table a ()`) }')), first)
})

t.test('the layout that a compiler gives a migration does not change the name', async t => {
  t.equal(
    nameOf(listOf('0001-a', 'up () { this.addSql(`create table a ()`) }')),
    nameOf(listOf('0001-a', 'up() {\n        this.addSql("create table a ()");\n    }'))
  )
})
