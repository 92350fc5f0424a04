import t from 'tap'
import { readDeclaration } from '../../../src/cli/declaration/read-declaration.ts'
import { readChapter } from '../../pages.ts'

const messageOf = (text: string): string => {
  try {
    readDeclaration(text, 'hub.yaml')
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

t.test('each wrong member is named with its pointer and its line', async t => {
  const cases: [string, RegExp][] = [
    [
      'version: 1\nconnections:\n  - name: Shop\n    platformType: probe\n    password: x\n',
      /^hub\.yaml, line 5: \/connections\/0\/password: is not a member/
    ],
    ['version: 2\n', /^hub\.yaml, line 1: \/version: /],
    ['version: 1\nthings: []\n', /^hub\.yaml, line 2: \/things: is not a member/],
    ['version: 1\nconnections:\n  - name: Shop\n', /^hub\.yaml, line 3: \/connections\/0\/platformType: /],
    [
      'version: 1\noffers:\n  - connection: M\n    externalId: 7\n    variant: { sku: a }\n',
      /^hub\.yaml, line 4: \/offers\/0\/externalId: Expected string/
    ],
    ['version: 1\n  broken: [\n', /^hub\.yaml, line \d: not YAML: /],
    ['version: 1\nversion: 1\n', /^hub\.yaml, line 2: not YAML: /],
    ['- 1\n', /^hub\.yaml, line 1: \/: /]
  ]
  for (const [text, expected] of cases) t.match(messageOf(text), expected, text)
})

t.test('a fault that is found later is named with its line, too', async t => {
  const { refuse } = readDeclaration('version: 1\nconnections:\n  - name: A\n    platformType: b\n', 'hub.yaml')

  t.throws(() => {
    refuse([{ pointer: '/connections/0/platformType', message: 'no' }])
  }, {
    message: 'hub.yaml, line 4: /connections/0/platformType: no'
  })
  t.doesNotThrow(() => {
    refuse([])
  })
})

t.test('the example of the documentation is a declaration', async t => {
  const chapter = await readChapter('connections', 'Settings of a hub as a file')
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(chapter) ?? []

  t.match(readDeclaration(example, 'hub.yaml').declaration, { connections: { length: 1 }, offers: { length: 1 } })
})
