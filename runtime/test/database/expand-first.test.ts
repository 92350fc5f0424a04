import t from 'tap'
import { migrationsList } from '../../src/database/migrations-list.ts'

/** Every hub that is in use knows the schema that these made. */
const lastBefore = '0029-upstream-states'

/** Migrations that take away what no hub of the version before uses any more, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  '0054-accounts': 'its condition allows one more status of orders than before'
}

const statements: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['removes something', /\bdrop\s+(?:table|column|view|type|function)\b/i],
  ['renames something', /\brename\s+(?:to|column|constraint)?\b/i],
  ['changes the type of a column', /\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/i],
  ['demands a value', /\bset\s+not\s+null\b/i],
  [
    'demands a value of older hubs',
    /\badd\s+column\s+(?:(?!\bdefault\b)[^,;])*\bnot\s+null\b(?:(?!\bdefault\b)[^,;])*[,;]/i
  ],
  ['demands a condition', /\badd\s+constraint\b/i]
]

/** Says what the SQL of a migration would break in an older hub. */
function breaks (sql: string): string[] {
  return statements.filter(([, pattern]) => pattern.test(`${sql};`)).map(([name]) => name)
}

t.test('a migration leaves the schema usable for hubs of the version before', async t => {
  const found = migrationsList.filter(({ name }) => name > lastBefore && !(name in allowed))
    .flatMap(({ name, class: { prototype } }) => breaks(String(prototype.up)).map(what => `${name} ${what}`))

  t.strictSame(found, [])
})

t.test('statements that break older hubs are recognised', async t => {
  const breaking = {
    'alter table jobs drop column lane': 'removes something',
    'drop table jobs': 'removes something',
    'alter table jobs rename to work': 'renames something',
    'alter table jobs alter column lane type integer': 'changes the type of a column',
    'alter table jobs alter column lane set not null': 'demands a value',
    'alter table jobs add column a text, add column b text not null': 'demands a value of older hubs',
    'alter table jobs add constraint few check (lane > 1)': 'demands a condition'
  }
  for (const [sql, what] of Object.entries(breaking)) t.strictSame(breaks(sql), [what], sql)
  const harmless = [
    'create table a (b text not null)',
    'alter table jobs add column a text, add column b integer not null default 0',
    'alter table jobs add column b integer default 0 not null',
    'drop index jobs_old'
  ]
  for (const sql of harmless) t.strictSame(breaks(sql), [], sql)
})
