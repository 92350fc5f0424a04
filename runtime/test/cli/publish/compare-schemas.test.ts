import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'
import { compareSchemas, type Direction } from '../../../src/cli/publish/compare-schemas.ts'

function differences (before: TSchema | object, after: TSchema | object, direction: Direction = 'taken'): string[] {
  return compareSchemas('config', before, after, direction)
    .map(({ step, place, message }) => `${step} ${place}: ${message}`)
}

const text = Type.String()
const strings = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, Type.String()]))

t.test('a schema does not differ from itself', t => {
  const schema = Type.Object({ key: text, mode: Type.Union([Type.Literal('a'), Type.Literal('b')]) })

  t.strictSame(differences(schema, structuredClone(schema)), [])
  t.end()
})

t.test('members that are new, gone, required or optional', t => {
  t.strictSame(differences(Type.Object({}), Type.Object({ key: Type.Optional(text) })), ['minor config /key: is new'])
  t.strictSame(differences(Type.Object({}), Type.Object({ key: text })), ['major config /key: is new and required'])
  t.strictSame(differences(Type.Object({ key: text }), Type.Object({})), ['major config /key: is gone'])
  t.strictSame(differences(Type.Object({ key: Type.Optional(text) }), Type.Object({ key: text })), [
    'major config /key: is required now'
  ])
  t.strictSame(differences(Type.Object({ key: text }), Type.Object({ key: Type.Optional(text) })), [
    'minor config /key: is optional now'
  ])
  t.end()
})

t.test('callers may rely on a member of an answer, so it may not go or become optional', t => {
  const [less, more] = [Type.Object({ id: text }), Type.Object({ id: text, name: text })]

  t.strictSame(differences(less, more, 'given'), ['minor config /name: is new and required'])
  t.strictSame(differences(more, less, 'given'), ['major config /name: is gone'])
  t.strictSame(differences(less, Type.Object({ id: Type.Optional(text) }), 'given'), [
    'major config /id: is optional now'
  ])
  t.end()
})

t.test('values of a list, whether it is an enum or a union of constants', t => {
  const union = Type.Union([Type.Literal('live'), Type.Literal('test')])

  t.strictSame(differences(union, { enum: ['live', 'test', 'local'] }), ['minor config: the value "local" is new'])
  t.strictSame(differences(union, Type.Literal('live')), ['major config: the value "test" is gone'])
  t.end()
})

t.test('types and bounds that take fewer or more values', t => {
  t.strictSame(differences(Type.Integer(), Type.Number()), ['minor config: the type is number, was integer'])
  t.strictSame(differences(Type.Number(), Type.Integer()), ['major config: the type is integer, was number'])
  t.strictSame(differences(text, Type.Number()), ['major config: the type is number, was string'])
  t.strictSame(differences({}, text), ['major config: the type is string, was any'])
  t.strictSame(differences(text, { type: ['string', 'null'] }), [
    'minor config: the type is string or null, was string'
  ])
  t.strictSame(differences(text, Type.String({ minLength: 1 })), ['major config: minLength 1 is new'])
  t.strictSame(differences(Type.String({ maxLength: 5 }), Type.String({ maxLength: 9 })), [
    'minor config: maxLength is 9, was 5'
  ])
  t.strictSame(differences(Type.String({ minLength: 2 }), Type.String({ minLength: 1 })), [
    'minor config: minLength is 1, was 2'
  ])
  t.end()
})

t.test('patterns and other conditions: nobody can compare two of them', t => {
  t.strictSame(differences(text, Type.String({ pattern: '^a' })), ['major config: pattern "^a" is new'])
  t.strictSame(differences(Type.String({ pattern: '^a' }), text), ['minor config: pattern "^a" is gone'])
  t.strictSame(differences(Type.String({ pattern: '^a' }), Type.String({ pattern: '^b' })), [
    'major config: pattern is "^b", was "^a"'
  ])
  t.strictSame(differences({ allOf: [text] }, { allOf: [Type.Number()] }), ['major config: allOf differs'])
  t.end()
})

t.test('members of members and of items are named by their place', t => {
  const nested = (names: readonly string[]) =>
    Type.Object({ rules: Type.Array(Type.Object({ 'a/b': Type.Object(strings(names)) })) })

  t.strictSame(differences(nested(['x']), nested(['x', 'y'])), ['major config /rules/*/a~1b/y: is new and required'])
  t.end()
})

t.test('unknown members that are refused now', t => {
  const closed = Type.Object({}, { additionalProperties: false })

  t.strictSame(differences(Type.Object({}), closed), ['major config: fewer unknown members may be there'])
  t.strictSame(differences(closed, Type.Object({})), ['minor config: more unknown members may be there'])
  t.strictSame(differences(Type.Record(text, text), Type.Record(text, Type.Number())).length, 1)
  t.end()
})

t.test('texts for people need a patch, and marks that change the hub a minor step', t => {
  t.strictSame(differences(text, Type.String({ title: 'Key' })), ['patch config: its title differs'])
  t.strictSame(differences(text, Type.String({ secret: true })), ['minor config: secret true is new'])
  t.strictSame(differences(Type.String({ default: 'a' }), Type.String({ default: 'b' })), [
    'minor config: default is "b", was "a"'
  ])
  t.end()
})

t.test('a member with the name of something that every object has is compared like any other', t => {
  t.strictSame(differences(Type.Object({}), Type.Object({ constructor: Type.Optional(text) })), [
    'minor config /constructor: is new'
  ])
  t.end()
})
