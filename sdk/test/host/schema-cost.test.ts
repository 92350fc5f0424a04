import { Type } from '@sinclair/typebox'
import t from 'tap'
import { judgeSchema } from '../../src/host/schema-cost.ts'

const pointersOf = (schema: object): string[] => judgeSchema(schema).faults.map(({ pointer }) => pointer)

t.test('realistic schemas pass', async t => {
  const Tree = Type.Recursive(This => Type.Object({ name: Type.String(), children: Type.Array(This) }), { $id: 'Tree' })
  const Json = Type.Recursive(
    This => Type.Union([Type.String(), Type.Null(), Type.Array(This), Type.Record(Type.String(), This)]),
    { $id: 'Json' }
  )
  const schemas: object[] = [
    Type.Object({
      baseUrl: Type.String({ format: 'uri' }),
      email: Type.String({ format: 'email' }),
      tags: Type.Array(Type.String(), { uniqueItems: true })
    }),
    Type
      .Object(Object
        .fromEntries(Array.from(
          { length: 200 },
          (_, index) => [`member${index}`, Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }))]
        ))),
    Type.Union(Array.from({ length: 300 }, (_, index) => Type.Literal(`code-${index}`))),
    Type.Record(Type.String(), Type.Unknown()),
    Tree,
    Json,
    {
      $id: 'https://shop.example/config.json',
      $ref: '#/definitions/config',
      definitions: { config: { type: 'object', properties: { next: { $ref: '#/definitions/config' } } } }
    },
    { type: 'array', items: { type: 'object' }, uniqueItems: true }
  ]
  for (const schema of schemas) t.strictSame(judgeSchema(schema).faults, [], JSON.stringify(schema).slice(0, 80))
})

t.test('a refused pattern is reported at its place, even behind a reference', async t => {
  const pattern = '^(a+)+$'

  t.strictSame(pointersOf({ properties: { 'a/b': { pattern } } }), ['/properties/a~1b/pattern'])
  t.strictSame(pointersOf({ patternProperties: { [pattern]: {} } }), ['/patternProperties/^(a+)+$'])
  t.strictSame(pointersOf({ $ref: '#/anything/there', anything: { there: { not: { items: [{ pattern }] } } } }), [
    '#/anything/there/not/items/0/pattern'
  ])
  t.strictSame(pointersOf({ definitions: { unused: { pattern } } }), [], 'nobody checks with it')
})

t.test('a reference may lead only to a part of the schema', async t => {
  for (
    const $ref of [
      'https://schemas.example/a.json',
      'a.json',
      '#name',
      '#/definitions/none',
      'file:///etc/passwd',
      '//schemas.example'
    ]
  ) {
    t.strictSame(pointersOf({ properties: { a: { $ref } } }), ['/properties/a/$ref'], $ref)
  }
  t.strictSame(
    pointersOf({ $ref: '#/properties/b', properties: { b: { $id: 'b' } } }),
    ['/$ref'],
    'what a pointer starts from is ambiguous beside an $id'
  )
  t.strictSame(pointersOf({ properties: { a: { $id: 'x' }, b: { $id: 'x' } } }), ['/properties/b/$id'])
  t.strictSame(pointersOf({ properties: { a: { $id: 'https://schemas.example/a' } } }), ['/properties/a/$id'])
})

t.test('a recursive schema is checked once for each part of a value, or refused', async t => {
  const A = { $ref: '#/definitions/a' }
  const withA = (a: object, b: object = {}): object => ({ ...A, definitions: { a, b } })

  t.strictSame(pointersOf(withA({ allOf: [A] })), ['#/definitions/a'], 'for the same part of the value')
  t.strictSame(pointersOf(withA({ anyOf: [{ items: A }, { items: A }] })), ['#/definitions/a'])
  t.strictSame(pointersOf(withA({ properties: { x: A }, patternProperties: { '^x$': A } })), ['#/definitions/a'])
  t.strictSame(
    pointersOf(withA({ properties: { x: { oneOf: [{ $ref: '#/definitions/b' }, { $ref: '#/definitions/b' }] } } }, {
      properties: { y: A }
    })),
    ['#/definitions/a']
  )
  t.strictSame(pointersOf(withA({ properties: { x: A, y: A }, items: A })), [], 'a value has either items or members')
})

t.test('a schema with asynchronous checks is refused: nobody would await the result', async t => {
  t.strictSame(pointersOf({ $async: true, type: 'object' }), ['/$async'])
})

t.test('judging a schema takes bounded time', async t => {
  const itself = { items: { $ref: '#/definitions/p0' } }
  const chain = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`p${index}`, {
    pattern: `^[a-z]{1,900}${index}$`,
    allOf: index === 149 ? [itself] : [{ $ref: `#/definitions/p${index + 1}` }, { $ref: `#/definitions/p${index + 1}` }]
  }]))
  const bad = Object
    .fromEntries(Array.from(
      { length: 5_000 },
      (_, index) => [`b${index}`, { pattern: `^(?:(?:[a-z]{1,30}){1,30})(?=${index})$` }]
    ))
  let deep: object = { type: 'string' }
  for (let level = 0; level < 5_000; level += 1) deep = { items: deep }
  const startedAt = performance.now()

  t.ok(judgeSchema({ $ref: '#/definitions/p0', definitions: chain }).faults.length > 0)
  t.ok(judgeSchema({ properties: bad }).faults.length > 0)
  t.ok(judgeSchema(deep).faults.length > 0)
  t.ok(performance.now() - startedAt < 10_000, `${Math.round(performance.now() - startedAt)} ms`)
})

t.test('a schema that costs too much per byte is refused', async t => {
  const doubled: Record<string, object> = { d0: { type: 'string', minLength: 3 } }
  for (let level = 1; level <= 40; level += 1) {
    doubled[`d${level}`] = { allOf: [{ $ref: `#/definitions/d${level - 1}` }, { $ref: `#/definitions/d${level - 1}` }] }
  }
  const intricate: Record<string, object> = { d0: { items: { $ref: '#/definitions/d40' } } }
  for (let level = 1; level <= 40; level += 1) {
    intricate[`d${level}`] = {
      allOf: [{ $ref: `#/definitions/d${level - 1}` }, { $ref: `#/definitions/d${level - 1}` }]
    }
  }
  const expensive: [string, object][] = [
    ['doubled forty times', { $ref: '#/definitions/d40', definitions: doubled }],
    ['doubled on the way to itself', { $ref: '#/definitions/d40', definitions: intricate }],
    ['ten thousand alternatives', { anyOf: Array.from({ length: 10_000 }, (_, index) => ({ const: index })) }],
    ['many patterns of one text', {
      allOf: Array.from({ length: 30 }, (_, index) => ({ pattern: `^[a-z]{1,${500 + index}}$` }))
    }],
    ['names that depend on a name', { dependencies: { a: Array.from({ length: 6_000 }, (_, index) => `n${index}`) } }],
    ['a large enum of objects', { enum: [{ text: 'x'.repeat(10_000) }] }],
    ['more than a quarter of a megabyte', { description: 'x'.repeat(300_000) }]
  ]
  for (const [what, schema] of expensive) t.strictSame(pointersOf(schema), [''], what)
})
